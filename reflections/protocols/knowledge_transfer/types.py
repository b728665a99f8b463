"""What a handover was, and what is made of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict

from interviews.protocols.knowledge_transfer.state import BacklogItem
from llm.tasks.outcome import Source as Teller
from plans.protocols.knowledge_transfer.content import KnowledgeTransferMaterial

Heading = Literal["decisions", "rules", "dependencies", "risks", "history"]
HEADINGS: tuple[Heading, ...] = get_args(Heading)
MadeBy = Literal["model", "fallback_model", "rules"]
Weight = Literal["serious", "notable", "plain"]
WhyOpen = Literal["not_reached", "not_asked", "skipped", "vague"]
MADE_BY: dict[Teller, MadeBy] = {
    Teller.MODEL: "model",
    Teller.FALLBACK_MODEL: "fallback_model",
    Teller.FALLBACK: "rules",
}


@dataclass(frozen=True, slots=True)
class KnownFact:
    """One fact as it stands now."""

    number: int
    text: str
    question: str  # the backlog's id
    position: int  # of the answer in the transcript
    confidence: float
    edited: bool = False
    merged: tuple[int, ...] = ()  # numbers of those that were merged into it


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question with all that was answered to it."""

    question: str  # the backlog's id
    asked: str
    answers: tuple[tuple[int, str], ...]  # position, words


@dataclass(frozen=True)
class Handover:
    """A handover that was held."""

    session: str
    title: str
    language: str
    material: KnowledgeTransferMaterial
    backlog: tuple[BacklogItem, ...] = ()
    facts: tuple[KnownFact, ...] = ()
    said: tuple[AskedQuestion, ...] = ()

    @property
    def project(self) -> str:
        """What is handed over, in words."""
        return self.material.options.project or self.title

    @cached_property
    def by_number(self) -> Mapping[int, KnownFact]:
        """The facts by their numbers."""
        return {fact.number: fact for fact in self.facts}

    @cached_property
    def words(self) -> Mapping[int, str]:
        """The answers by their places."""
        return {position: text for said in self.said for position, text in said.answers}


class TransferModel(BaseModel):
    """What all that is stored shares."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class SummaryStatement(TransferModel):
    """One thing that is said, and the numbers of the facts that it rests on."""

    text: str
    facts: list[int] = []


class Narrative(TransferModel):
    """What a model writes: statements under the five headings."""

    decisions: list[SummaryStatement] = []
    rules: list[SummaryStatement] = []
    dependencies: list[SummaryStatement] = []
    risks: list[SummaryStatement] = []
    history: list[SummaryStatement] = []

    def under(self, heading: Heading) -> list[SummaryStatement]:
        """The statements under one of them."""
        found: list[SummaryStatement] = getattr(self, heading)
        return found


class SummarySection(TransferModel):
    """One heading with its statements."""

    heading: Heading
    title: str
    statements: list[SummaryStatement] = []


class TransferFinding(TransferModel):
    """Something that code found in what a model wrote, or did to it."""

    check: str
    weight: Weight
    text: str
    before: str = ""  # what was left out


class ContentBasis(TransferModel):
    """What a product was made from, as digests: another one means that it is out of date."""

    facts: str = ""
    summary: str = ""


class TransferSummary(TransferModel):
    """The summary as it is stored. Without a model: `items`, the plain questions and answers."""

    language: str
    sections: list[SummarySection] = []
    items: list[dict[str, Any]] = []
    made_by: MadeBy
    reason: str = ""  # why no model made it
    findings: list[TransferFinding] = []
    basis: ContentBasis = ContentBasis()


class Place(TransferModel):
    """A document, and where in it."""

    name: str
    place: str = ""


class FactTold(TransferModel):
    """A fact in the package."""

    number: int
    text: str
    position: int
    confidence: float
    edited: bool = False
    merged: list[int] = []


class AnswerTold(TransferModel):
    """An answer in the package, in the words that were said."""

    position: int
    text: str


class QuestionAnswers(TransferModel):
    """A question that was asked, and what came of it."""

    id: str
    question: str
    asked: str = ""
    status: str
    origin: str
    parent: str = ""  # the question, in words, whose answer brought this one up
    priority: str
    confidence: float | None = None
    documents: list[Place] = []
    facts: list[FactTold] = []
    answers: list[AnswerTold] = []


class OpenPoint(TransferModel):
    """A question that still has no good answer."""

    id: str
    question: str
    origin: str = ""
    parent: str = ""  # as above
    priority: str
    open_because: WhyOpen
    why: str = ""  # it matters
    documents: list[Place] = []


class Step(TransferModel):
    """One thing to do first, and what it rests on."""

    text: str
    facts: list[int] = []
    points: list[int] = []  # open points, from 1
    documents: list[str] = []  # their names


class StartHere(TransferModel):
    """How a successor begins."""

    orientation: SummaryStatement
    steps: list[Step] = []


class Person(TransferModel):
    """Somebody whom a document names."""

    text: str
    document: str


class DocumentTold(TransferModel):
    """A document, and what it is for."""

    name: str
    kind: str
    purpose: str = ""


class Package(TransferModel):
    """The onboarding package for whoever takes over."""

    session: str
    title: str
    project: str
    handed_over_by: str = ""
    language: str
    made_at: str  # ISO 8601
    made_by: MadeBy  # who wrote how to begin
    reason: str = ""
    start: StartHere
    sections: list[SummarySection] = []
    questions: list[QuestionAnswers] = []
    open_points: list[OpenPoint] = []
    people: list[Person] = []
    documents: list[DocumentTold] = []
    findings: list[TransferFinding] = []
    basis: ContentBasis = ContentBasis()
