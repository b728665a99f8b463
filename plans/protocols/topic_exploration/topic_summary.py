"""What a person wants to know of a bot with topics at a glance."""

from collections.abc import Sequence
from dataclasses import dataclass

from plans.bots.reward_codes import CodePool, pool
from plans.models import Bot, DataField, Intelligence, SubGoal, Topic
from plans.protocols import RewardOptions
from plans.protocols.topic_exploration.content import options_of
from plans.protocols.topic_exploration.topic_guides.requests import current
from plans.protocols.topic_exploration.turn_budget import TurnBudget, budget


@dataclass(frozen=True)
class TopicFacts:
    """Counts, the share of each topic, and how far what is prepared ahead is."""

    topics: int
    goals: int
    budget: TurnBudget
    intelligence: Intelligence | None
    guided: bool  # by a guide of one's own
    pool: CodePool | None


def facts(bot: Bot) -> TopicFacts:
    """The facts of a saved bot."""
    options = options_of(bot)
    topics = bot.topics.count()
    return TopicFacts(
        topics=topics,
        goals=SubGoal.objects.filter(topic__bot=bot).count(),
        budget=budget(bot.minutes, topics),
        intelligence=current(bot),
        guided=bool(options.manual_guide),
        pool=pool(bot) if "pool" in _kinds(options.reward) else None,
    )


def _kinds(reward: RewardOptions) -> tuple[str, str]:
    """The kind for those who go through to the end, and for those who end early."""
    return reward.kind, reward.due(early=True).kind


@dataclass(frozen=True)
class RoadMap:
    """A bot's interview from beginning to end, as its participant goes through it."""

    topics: Sequence[Topic]
    fields: Sequence[DataField]
    budget: TurnBudget
    purpose: str
    kept: str
    reward: str


REWARDS = {
    "none": "",
    "fixed": "Everybody gets the same code.",
    "pool": "Everybody gets a code of their own.",
    "redirect": "Everybody is sent on to another address.",
}
EARLY = {
    "none": "nothing.",
    "fixed": "a code for all of these.",
    "pool": "a code of their own.",
    "redirect": "an address for all of these.",
}


def _told(reward: RewardOptions) -> str:
    """What people get, in words, and what those do who end early where that differs."""
    early = reward.due(early=True)
    if reward.kind == "none" or early == reward:
        return REWARDS[reward.kind]
    return f"{REWARDS[reward.kind]} Who ends early: {EARLY[early.kind]}"


def road_map(bot: Bot) -> RoadMap:
    """The way that an interview takes."""
    options = options_of(bot)
    topics = list(bot.topics.prefetch_related("sub_goals"))
    return RoadMap(
        topics=topics,
        fields=list(bot.data_fields.all()),
        budget=budget(bot.minutes, len(topics)),
        purpose=options.data_purpose,
        kept=options.data_kept,
        reward=_told(options.reward),
    )
