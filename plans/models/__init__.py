"""Rows of the studies' material."""

from plans.models.bot import Bot, BotText
from plans.models.plan import Plan
from plans.models.script import Question, Script, Section
from plans.models.topic import DataField, Intelligence, RewardCode, SubGoal, Topic

__all__ = [
    "Bot",
    "BotText",
    "DataField",
    "Intelligence",
    "Plan",
    "Question",
    "RewardCode",
    "Script",
    "Section",
    "SubGoal",
    "Topic",
]
