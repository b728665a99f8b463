from collections.abc import Sequence
from dataclasses import dataclass

from plans.bots.reward_codes import CodePool, pool
from plans.models import Bot, DataField, Intelligence, SubGoal, Topic
from plans.protocols import RewardOptions
from plans.protocols.topic_exploration.content import TurnBudget, options_of, turn_budget
from plans.protocols.topic_exploration.topic_guides.job import current_guides


@dataclass(frozen=True)
class TopicFacts:
    topics: int
    goals: int
    budget: TurnBudget
    intelligence: Intelligence | None
    guided: bool  # by the bot's own guide
    pool: CodePool | None


def topic_facts(bot: Bot) -> TopicFacts:
    options, topics = options_of(bot), bot.topics.count()
    reward = options.reward
    return TopicFacts(
        topics=topics,
        goals=SubGoal.objects.filter(topic__bot=bot).count(),
        budget=turn_budget(bot.minutes, topics),
        intelligence=current_guides(bot),
        guided=bool(options.manual_guide),
        pool=pool(bot) if "pool" in (reward.kind, reward.due(early=True).kind) else None,
    )


@dataclass(frozen=True)
class RoadMap:
    topics: Sequence[Topic]
    fields: Sequence[DataField]
    budget: TurnBudget
    purpose: str
    kept: str
    reward: str


REWARDS = {
    "none": "",
    "fixed": "Everybody gets the same code.",
    "pool": "Everybody gets their own code.",
    "redirect": "Everybody is sent to another address.",
}
EARLY = {
    "none": "nothing.",
    "fixed": "a code for all of these.",
    "pool": "their own code.",
    "redirect": "an address for all of these.",
}


def _reward_text(reward: RewardOptions) -> str:
    early = reward.due(early=True)
    if reward.kind == "none" or early == reward:
        return REWARDS[reward.kind]
    return f"{REWARDS[reward.kind]} Ending early: {EARLY[early.kind]}"


def road_map(bot: Bot) -> RoadMap:
    options = options_of(bot)
    topics = list(bot.topics.prefetch_related("sub_goals"))
    return RoadMap(
        topics=topics,
        fields=list(bot.data_fields.all()),
        budget=turn_budget(bot.minutes, len(topics)),
        purpose=options.data_purpose,
        kept=options.data_kept,
        reward=_reward_text(options.reward),
    )
