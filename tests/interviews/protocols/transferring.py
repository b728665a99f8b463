"""A whole knowledge transfer in the hand: no database, and a model that is a function."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from interviews.engine.courtesy import lead
from interviews.engine.types import BacklogItem, Inquiry, Line, Move, Need, Now, Received
from interviews.protocols.knowledge_transfer import PROTOCOL
from interviews.protocols.knowledge_transfer.tasks import Extraction, Intent, Selection
from interviews.words import Kind, Role
from llm.outcome import Outcome, Source
from plans.content import PlanContent, Texts
from plans.content.knowledge_transfer import (
    DeepDive,
    DocumentMaterial,
    KnowledgeTransferMaterial,
    KnowledgeTransferOptions,
    QuestionMaterial,
    SourceMaterial,
)

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
QUESTIONS = (
    ("rush-factor", "P0", "How did you arrive at a rush factor of 1.35?", "prices.xlsx"),
    ("safety", "P0", "Why must the safety of 1.17 in the paper script stay?", "reorder.py"),
    ("holidays", "P1", "How do you correct the paper list before a public holiday?", "reorder.py"),
    ("small-orders", "P1", "Which customers may order for less than 48 €?", "prices.xlsx"),
    ("recycled", "P2", "Does recycled paper still take nine days to arrive?", "reorder.py"),
)
DOCUMENTS = (
    DocumentMaterial(
        name="prices.xlsx",
        kind="xlsx",
        dive=DeepDive(purpose="Calculates offers.", thresholds=("rush factor 1.35",)),
    ),
    DocumentMaterial(name="reorder.py", kind="code", dive=DeepDive(formulas=("SAFETY = 1.17",))),
)
RICH = (
    "In 2019 Carla and I took the overtime of twelve night jobs, divided it by their normal hours "
    "and got 1.35. We round up, because the folding machine jams more often at night, and Carla "
    "checks it every January against the payroll."
)
FAIR = "We looked at the overtime of the night jobs and took that."
VAGUE = "It depends."
NOT_KNOWN = "I don't know."


def material(
    questions: Iterable[tuple[str, str, str, str]] = QUESTIONS,
    documents: tuple[DocumentMaterial, ...] = DOCUMENTS,
    **options: Any,
) -> KnowledgeTransferMaterial:
    """The print shop's handover; `questions` are (key, priority, text, document)."""
    return KnowledgeTransferMaterial(
        summary="The shop calculates prices in a workbook and orders paper by a script.",
        documents=documents,
        questions=tuple(
            QuestionMaterial(
                key=key,
                text=text,
                priority=priority,
                sources=(SourceMaterial(document=document),) if document else (),
            )
            for key, priority, text, document in questions
        ),
        options=KnowledgeTransferOptions(**({"project": "prices and paper"} | options)),
    )


def plan(made: KnowledgeTransferMaterial) -> PlanContent[Any]:
    """A plan around it."""
    return PlanContent[KnowledgeTransferMaterial](
        protocol="knowledge_transfer",
        bot="handover",
        title="A handover",
        persona="A calm colleague who keeps the word zephyrine strictly to themselves all day.",
        languages=made.options.languages,
        minutes=30,
        texts={"en": Texts(about="The owners of a small print shop read your answers.")},
        material=made,
    )


def offline(inquiry: Inquiry) -> Outcome[Any]:
    """No model at all."""
    return Outcome(inquiry.task.fallback(inquiry.data), Source.FALLBACK, "offline")


def extraction(confidence: str = "high", **changes: Any) -> Extraction:
    """What a model reads in an answer."""
    fields = {"facts": [f"The rush factor was settled in {confidence} spirits."]} | changes
    return Extraction.model_validate({"confidence": confidence, **fields})


def question_in_other_words(inquiry: Inquiry) -> str:
    """A wording that passes the guards."""
    question = str(inquiry.data.question)
    return f"You mentioned the night jobs, which I had not known. Now to the next: {question}"


@dataclass
class Model:
    """A model that reads and chooses what is queued, then answers every question well."""

    extractions: list[Extraction] = field(default_factory=list)
    selections: list[str] = field(default_factory=list)
    wordings: list[str] = field(default_factory=list)
    intents: list[str] = field(default_factory=list)
    asides: list[str] = field(default_factory=list)

    def __call__(self, inquiry: Inquiry) -> Outcome[Any]:
        match inquiry.task.name.rsplit(".", 1)[1]:
            case "extract":
                value: Any = self.extractions.pop(0) if self.extractions else extraction()
            case "select":
                first = inquiry.data.candidates[0].id
                value = Selection(id=self.selections.pop(0) if self.selections else first)
            case "rephrase":
                own = question_in_other_words(inquiry)
                value = self.wordings.pop(0) if self.wordings else own
            case "intent":
                value = Intent(kind=self.intents.pop(0) if self.intents else "answer")
            case _:
                value = self.asides.pop(0) if self.asides else "The owners of the shop read it."
        return Outcome(value, Source.MODEL)


@dataclass
class Transferring:
    """One interview: what was said, done and asked of the model."""

    made: KnowledgeTransferMaterial = field(default_factory=material)
    model: Callable[[Inquiry], Outcome[Any]] = offline
    language: str = "en"
    name: str = "Ann"
    at: datetime = NOON
    lines: list[Line] = field(default_factory=list)
    moves: list[Move[Any]] = field(default_factory=list)
    inquiries: list[list[Inquiry]] = field(default_factory=list)  # by turn

    def __post_init__(self) -> None:
        self.plan = plan(self.made)
        self.state = PROTOCOL.begin(self.plan, self.language)
        self._turn("", "opening")

    def say(self, text: str, trigger: Any = "user_answer") -> Move[Any]:
        """One answer and the reply to it."""
        self.at += timedelta(seconds=45)
        return self._turn(text, trigger)

    def all(self, texts: Iterable[str]) -> "Transferring":
        """Several answers, as long as it goes on."""
        for text in texts:
            if self.over:
                break
            self.say(text)
        return self

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return bool(self.moves) and self.moves[-1].status != "WAITING_ANSWER"

    @property
    def said(self) -> str:
        """The last reply."""
        return "\n".join(utterance.text for utterance in self.moves[-1].utterances)

    @property
    def last(self) -> Move[Any]:
        """The last move."""
        return self.moves[-1]

    @property
    def asked(self) -> list[str]:
        """Ids in the order in which they were asked."""
        put = [item for item in self.state.items if item.round]
        return [item.id for item in sorted(put, key=lambda item: item.round)]

    def item(self, item_id: str) -> BacklogItem:
        """A question as it stands."""
        return self.state.item(item_id)

    def keys(self, turn: int = -1) -> list[str]:
        """The keys of what was asked of models in a turn."""
        return [inquiry.key for inquiry in self.inquiries[turn]]

    def here(self, text: str, trigger: Any = "user_answer") -> Now[Any, Any]:
        """What a turn would depend on."""
        return Now(
            plan=self.plan,
            material=self.made,
            state=self.state,
            received=Received(trigger, text, self.at, position=len(self.lines) + 1),
            language=self.language,
            name=self.name,
            turn=len(self.moves),
            transcript=tuple(self.lines[-120:]),
        )

    def _turn(self, text: str, trigger: Any) -> Move[Any]:
        move = self._settled(self.here(text, trigger))
        if trigger != "opening":
            kind = move.heard_as or (Kind.SKIP if trigger == "skip" else Kind.USER_ANSWER)
            self.lines.append(Line(Role.PARTICIPANT, kind, text))
        self.lines += [Line(Role.INTERVIEWER, u.kind, u.text, u.question) for u in move.utterances]
        self.state = move.state.shown(self.at)
        self.moves.append(move)
        return move

    def _settled(self, now: Now[Any, Any]) -> Move[Any]:
        readings: dict[str, Outcome[Any]] = {}
        self.inquiries.append([])
        while isinstance(step := lead(PROTOCOL, now, readings), Need):
            missing = [one for one in step.inquiries if one.key not in readings]
            assert missing, "waits for nothing"
            for inquiry in missing:
                self.inquiries[-1].append(inquiry)
                readings[inquiry.key] = self.model(inquiry)
        return step
