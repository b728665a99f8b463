from typing import Any

from plans.bots.reward_codes import pool
from plans.models import Bot, SubGoal
from plans.protocols import RewardOptions
from plans.protocols.topic_exploration.content import options_of, turn_budget
from plans.protocols.topic_exploration.topic_guides.job import current_guides

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


def topic_facts(bot: Bot) -> dict[str, Any]:
    options, topics = options_of(bot), bot.topics.count()
    reward = options.reward
    return {
        "topics": topics,
        "goals": SubGoal.objects.filter(topic__bot=bot).count(),
        "budget": turn_budget(bot.minutes, topics),
        "intelligence": current_guides(bot),
        "guided": bool(options.manual_guide),
        "pool": pool(bot) if "pool" in (reward.kind, reward.due(early=True).kind) else None,
    }


def road_map(bot: Bot) -> dict[str, Any]:
    options = options_of(bot)
    topics = list(bot.topics.prefetch_related("sub_goals"))
    return {
        "topics": topics,
        "fields": list(bot.data_fields.all()),
        "budget": turn_budget(bot.minutes, len(topics)),
        "purpose": options.data_purpose,
        "kept": options.data_kept,
        "reward": _reward_text(options.reward),
    }
