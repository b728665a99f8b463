"""A whole knowledge transfer in the hand: no database, and a model that is a function."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from interviews.engine.result import TaskCall
from interviews.protocols.knowledge_transfer.protocol import PROTOCOL
from interviews.protocols.knowledge_transfer.state import BacklogItem, KnowledgeTransferState
from interviews.protocols.knowledge_transfer.tasks import QuestionSelection, TransferExtraction
from llm.tasks.outcome import Outcome, Source
from plans.protocols import PlanContent, Texts
from plans.protocols.knowledge_transfer.content import (
    DeepDive,
    DocumentMaterial,
    KnowledgeTransferMaterial,
    KnowledgeTransferOptions,
    QuestionMaterial,
    SourceMaterial,
)
from tests.interviews.protocols.leading import Leading
from tests.readings import as_heard

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


def extraction(confidence: str = "high", **changes: Any) -> TransferExtraction:
    """What a model reads in an answer."""
    fields = {"facts": [f"The rush factor was settled in {confidence} spirits."]} | changes
    return TransferExtraction.model_validate({"confidence": confidence, **as_heard(fields)})


def question_in_other_words(inquiry: TaskCall) -> str:
    """A wording that passes the guards."""
    question = str(inquiry.data.question)
    return f"You mentioned the night jobs, which I had not known. Now to the next: {question}"


@dataclass
class Model:
    """A model that reads and chooses what is queued, then answers every question well."""

    extractions: list[TransferExtraction] = field(default_factory=list)
    selections: list[str] = field(default_factory=list)
    wordings: list[str] = field(default_factory=list)
    asides: list[str] = field(default_factory=list)

    def __call__(self, inquiry: TaskCall) -> Outcome[Any]:
        match inquiry.task.name.rsplit(".", 1)[1]:
            case "extract":
                value: Any = self.extractions.pop(0) if self.extractions else extraction()
            case "select":
                first = inquiry.data.candidates[0].id
                value = QuestionSelection(id=self.selections.pop(0) if self.selections else first)
            case "rephrase":
                own = question_in_other_words(inquiry)
                value = self.wordings.pop(0) if self.wordings else own
            case _:
                value = self.asides.pop(0) if self.asides else "The owners of the shop read it."
        return Outcome(value, Source.MODEL)


@dataclass
class Transferring(Leading[KnowledgeTransferState, KnowledgeTransferMaterial]):
    """One handover."""

    protocol = PROTOCOL
    made: KnowledgeTransferMaterial = field(default_factory=material)

    def planned(self) -> PlanContent[Any]:
        """The plan around the material."""
        return plan(self.made)

    @property
    def asked(self) -> list[str]:
        """Ids in the order in which they were asked, without the closing question."""
        put = [item for item in self.state.items if item.round and item.origin != "LAST"]
        return [item.id for item in sorted(put, key=lambda item: item.round)]

    def item(self, item_id: str) -> BacklogItem:
        """A question as it stands."""
        return self.state.item(item_id)
