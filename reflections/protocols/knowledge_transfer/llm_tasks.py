"""What a model is asked for the summary by topic."""

from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel

from llm.tasks.task import Retries, Spoken, Task, Tier
from reflections.protocols.knowledge_transfer.phrases import sayings
from reflections.protocols.knowledge_transfer.questions import open_points_of
from reflections.protocols.knowledge_transfer.types import (
    Handover,
    Heading,
    Narrative,
    QuestionAnswers,
    SummaryStatement,
    TransferModel,
)

SECONDS = 90.0  # that one call is waited for
PATIENCE = Retries((1.0,), 2 * SECONDS, 0.0)
PROMPTS = Path(__file__).parent / "prompts"


class FactIn(BaseModel):
    """A fact as the model reads it."""

    number: int
    fact: Spoken
    confidence: float


class QuestionIn(BaseModel):
    """A question with its answers and facts."""

    question: Spoken
    asked: Spoken
    answers: list[Spoken]
    facts: list[FactIn]


class SummaryInput(BaseModel):
    """What a summary rests on."""

    language: str
    project: Spoken
    material: list[QuestionIn]
    open_questions: list[Spoken]


class StatementIn(BaseModel):
    """A statement as it stands, with the numbers of its facts."""

    text: Spoken
    facts: list[int]


class SectionCondenseInput(BaseModel):
    """A section that became long."""

    language: str
    project: Spoken
    section: str
    statements: list[StatementIn]


class Condensed(TransferModel):
    """The section, condensed."""

    statements: list[SummaryStatement] = []


SUMMARY = Task(
    name="knowledge_transfer.summary",
    tier=Tier.MAIN,
    template=PROMPTS / "summary.md",
    input=SummaryInput,
    output=Narrative,
    fallback=lambda data: Narrative(),
    timeout=SECONDS,
    max_tokens=8_000,
    temperature=0.2,
    retries=PATIENCE,
)
CONDENSE = Task(
    name="knowledge_transfer.condense",
    tier=Tier.MAIN,
    template=PROMPTS / "condense.md",
    input=SectionCondenseInput,
    output=Condensed,
    fallback=lambda data: Condensed(),
    timeout=SECONDS,
    max_tokens=8_000,
    temperature=0.2,
    retries=PATIENCE,
)


def summary_input(held: Handover, piece: Iterable[QuestionAnswers]) -> SummaryInput:
    """One portion as the model reads it."""
    return SummaryInput(
        language=held.language,
        project=held.project,
        material=[
            QuestionIn(
                question=one.question,
                asked=one.asked,
                answers=[answer.text for answer in one.answers],
                facts=[
                    FactIn(number=f.number, fact=f.text, confidence=f.confidence) for f in one.facts
                ],
            )
            for one in piece
        ],
        open_questions=[point.question for point in open_points_of(held)],
    )


def condense_input(
    held: Handover, heading: Heading, piece: Iterable[SummaryStatement]
) -> SectionCondenseInput:
    """A section, or a part of it, as the model reads it."""
    return SectionCondenseInput(
        language=held.language,
        project=held.project,
        section=sayings(held.language)(heading),
        statements=[StatementIn(text=one.text, facts=one.facts) for one in piece],
    )
