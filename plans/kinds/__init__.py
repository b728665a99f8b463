"""Kinds of interview, as those who make bots meet them: a file each, and this table.

base    what every kind says of itself
needs   what bots of several kinds may lack
"""

from collections.abc import Mapping
from typing import Any

from plans.content import CONTENTS
from plans.kinds import (
    knowledge_transfer,
    laddering,
    life_story,
    technical_assessment,
    topic_exploration,
)
from plans.kinds.base import Draft, Item, Kind
from plans.models import Bot

__all__ = [
    "KINDS",
    "Draft",
    "Item",
    "Kind",
    "kind_of",
    "kinds",
    "read_by_experts",
    "rests_on",
    "told",
]

KINDS: dict[str, Kind] = {
    "life_story": life_story.KIND,
    "topic_exploration": topic_exploration.KIND,
    "technical_assessment": technical_assessment.KIND,
    "knowledge_transfer": knowledge_transfer.KIND,
    "laddering": laddering.KIND,
}


def kinds() -> dict[str, Kind]:
    """Those that interviews can be held with, by protocol."""
    return {name: KINDS[name] for name in CONTENTS if name in KINDS}


def read_by_experts(bot: Bot) -> bool:
    """Whether experts read the bot's finished interviews."""
    if bot.expert_reflections:
        return bot.expert_reflections == Bot.Experts.YES
    return kind_of(bot).read_by_experts


def kind_of(bot: Bot) -> Kind:
    """The bot's kind; one of an unknown protocol is a kind without any material."""
    return KINDS.get(bot.protocol) or Kind(bot.protocol.replace("_", " ").capitalize())


def rests_on(bot: Bot) -> str:
    """The signature of what the bot's intelligence rests on; empty where none is prepared."""
    return kind_of(bot).rests_on(bot)


def told(protocol: str, content: Mapping[str, Any]) -> dict[str, Any]:
    """A plan's content as people read it."""
    kind = KINDS.get(protocol)
    material = content.get("material", {})
    return {**content, "material": kind.told(material) if kind else material}
