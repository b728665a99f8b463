"""The model tasks of the summary. Docstrings of outputs are sent to models."""

from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel

from llm.tasks.task import Retries, Spoken, Task, Tier
from reflections.evidence.types import StoredModel
from reflections.protocols.knowledge_transfer.phrases import phrasebook
from reflections.protocols.knowledge_transfer.questions import open_points_of
from reflections.protocols.knowledge_transfer.types import (
    Handover,
    Heading,
    Narrative,
    QuestionAnswers,
    SummaryStatement,
)

SECONDS = 90.0  # that one call is waited for
PATIENCE = Retries((1.0,), 2 * SECONDS, 0.0)
PROMPTS = Path(__file__).parent / "prompts"


class FactIn(BaseModel):
    number: int
    fact: Spoken
    confidence: float


class QuestionIn(BaseModel):
    question: Spoken
    asked: Spoken
    answers: list[Spoken]
    facts: list[FactIn]


class SummaryInput(BaseModel):
    language: str
    project: Spoken
    material: list[QuestionIn]
    open_questions: list[Spoken]


class StatementIn(BaseModel):
    text: Spoken
    facts: list[int]


class SectionCondenseInput(BaseModel):
    language: str
    project: Spoken
    section: str
    statements: list[StatementIn]


class Condensed(StoredModel):
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


def summary_input(handover: Handover, piece: Iterable[QuestionAnswers]) -> SummaryInput:
    return SummaryInput(
        language=handover.language,
        project=handover.project,
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
        open_questions=[point.question for point in open_points_of(handover)],
    )


def condense_input(
    handover: Handover, heading: Heading, piece: Iterable[SummaryStatement]
) -> SectionCondenseInput:
    return SectionCondenseInput(
        language=handover.language,
        project=handover.project,
        section=phrasebook(handover.language)(heading),
        statements=[StatementIn(text=one.text, facts=one.facts) for one in piece],
    )
