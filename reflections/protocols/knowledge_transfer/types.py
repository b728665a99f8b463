"""Fixed texts of summary and package, by language."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

from interviews.engine.texts import fixed
from interviews.protocols.knowledge_transfer.state import BacklogItem, NamedPerson
from plans.protocols.knowledge_transfer.content import KnowledgeTransferMaterial
from reflections.evidence.types import Finding, MadeBy, Quote, StoredModel

FOLDER = Path(__file__).parent / "texts"
Say = Callable[..., str]


def phrasebook(language: str) -> Say:
    """Return a function that gives a text by its key, filled in; English as a last resort."""

    def say(key: str, **values: object) -> str:
        text = fixed(language, key, folder=FOLDER)
        return text.format(**values) if values else text

    return say


Heading = Literal["decisions", "rules", "dependencies", "risks", "history"]
HEADINGS: tuple[Heading, ...] = get_args(Heading)
WhyOpen = Literal["not_reached", "not_asked", "skipped", "not_known", "vague"]


@dataclass(frozen=True, slots=True)
class KnownFact:
    number: int
    text: str
    question: str  # the backlog's id
    position: int  # of the answer in the transcript
    confidence: float
    edited: bool = False
    merged: tuple[int, ...] = ()  # numbers of those that were merged into it
    contradicts: tuple[int, ...] = ()  # numbers of those that can't hold beside it


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    question: str  # the backlog's id
    asked: str
    answers: tuple[tuple[int, str], ...]  # position, words; none of what was personal


@dataclass(frozen=True)
class Handover:
    session: str
    title: str
    language: str
    material: KnowledgeTransferMaterial
    backlog: tuple[BacklogItem, ...] = ()
    facts: tuple[KnownFact, ...] = ()
    said: tuple[AskedQuestion, ...] = ()
    people: tuple[NamedPerson, ...] = ()

    @property
    def project(self) -> str:
        return self.material.options.project or self.title

    @cached_property
    def items(self) -> Mapping[str, BacklogItem]:
        return {item.id: item for item in self.backlog}

    @cached_property
    def by_number(self) -> Mapping[int, KnownFact]:
        return {fact.number: fact for fact in self.facts}

    @cached_property
    def words(self) -> Mapping[int, str]:
        return {position: text for said in self.said for position, text in said.answers}


class SummaryStatement(StoredModel):
    """One thing that is said, and the numbers of the facts that it rests on."""

    text: str
    facts: list[int] = []


class Narrative(StoredModel):
    """What a model writes: statements under the five headings."""

    decisions: list[SummaryStatement] = []
    rules: list[SummaryStatement] = []
    dependencies: list[SummaryStatement] = []
    risks: list[SummaryStatement] = []
    history: list[SummaryStatement] = []


class SummarySection(StoredModel):
    heading: Heading
    title: str
    statements: list[SummaryStatement] = []


class ContentBasis(StoredModel):
    """Digests of what a product was made from; if they differ, it is out of date."""

    facts: str = ""
    summary: str = ""


class TransferSummary(StoredModel):
    """The summary as it is stored; without a model `items`, the plain questions and answers."""

    language: str
    sections: list[SummarySection] = []
    items: list[dict[str, Any]] = []
    made_by: MadeBy
    reason: str = ""  # why no model made it
    findings: list[Finding] = []
    basis: ContentBasis = ContentBasis()


class Place(StoredModel):
    name: str
    place: str = ""


class PackageFact(StoredModel):
    number: int
    text: str
    position: int
    confidence: float
    edited: bool = False
    merged: list[int] = []
    contradicts: list[int] = []


class QuestionAnswers(StoredModel):
    id: str
    question: str
    asked: str = ""
    status: str
    origin: str
    parent: str = ""  # the question, in words, whose answer brought this one up
    priority: str
    confidence: float | None = None
    documents: list[Place] = []
    facts: list[PackageFact] = []
    answers: list[Quote] = []


class OpenPoint(StoredModel):
    id: str
    question: str
    origin: str = ""
    parent: str = ""  # as above
    priority: str
    open_because: WhyOpen
    why: str = ""  # it matters
    documents: list[Place] = []


class Step(SummaryStatement):
    """One thing to do first, and what it rests on."""

    points: list[int] = []  # open points, from 1
    documents: list[str] = []  # their names


class StartHere(StoredModel):
    orientation: SummaryStatement
    steps: list[Step] = []


class Person(StoredModel):
    text: str
    document: str = ""
    position: int = 0  # of the answer that names them; 0 where a document does


class PackageDocument(StoredModel):
    name: str
    kind: str
    purpose: str = ""


class Package(StoredModel):
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
    documents: list[PackageDocument] = []
    findings: list[Finding] = []
    basis: ContentBasis = ContentBasis()
