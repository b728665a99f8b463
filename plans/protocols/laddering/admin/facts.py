from typing import Any

from plans.models import Bot
from plans.models.ladder import LadderFile
from plans.protocols.laddering.admin.preview import content_of


def ladder_facts(bot: Bot) -> dict[str, Any]:
    return {
        "concept": bot.concept,
        "methodology": bot.methodology,
        "elements": _count(bot.concept, "elements"),
        "rungs": _count(bot.methodology, "ladder"),
    }


def _count(row: LadderFile | None, part: str) -> int:
    return len(getattr(row and content_of(row), part, ()))
