from dataclasses import dataclass

from plans.models import Bot
from plans.models.ladder import LadderConcept, LadderFile, LadderMethodology
from plans.protocols.laddering.admin.preview import content_of


@dataclass(frozen=True)
class LadderFacts:
    concept: LadderConcept | None
    methodology: LadderMethodology | None
    elements: int
    rungs: int


def ladder_facts(bot: Bot) -> LadderFacts:
    return LadderFacts(
        concept=bot.concept,
        methodology=bot.methodology,
        elements=_count(bot.concept, "elements"),
        rungs=_count(bot.methodology, "ladder"),
    )


def _count(row: LadderFile | None, part: str) -> int:
    return len(getattr(row and content_of(row), part, ()))
