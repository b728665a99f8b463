"""The model tasks of a calibration. Docstrings of outputs are sent to models in their schemas."""

from dataclasses import replace
from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from llm.tasks.task import In, LanguageTag, Out, Spoken, Task
from reflections.evidence.background_task import JUDGES, background_task
from reflections.evidence.types import StoredModel
from reflections.experts import llm_tasks as experts

PROMPTS = Path(__file__).parent / "prompts"


def _task(name: str, input: type[In], empty: Out, max_tokens: int) -> Task[In, Out]:
    template = PROMPTS / f"{name}.md"
    return background_task(
        f"replica.{name}", template, input, empty, max_tokens, temperature=JUDGES
    )


class NotesInput(BaseModel):
    language: LanguageTag
    transcript: Spoken


class ReplicaNotes(StoredModel):
    """What the interview says of the participant."""

    notes: tuple[str, ...] = ()


class PersonInput(BaseModel):
    language: LanguageTag
    transcript: Spoken = ""
    notes: list[Spoken] = []
    observations: list[Spoken] = []


class AnswerInput(PersonInput):
    question: Spoken


class TypicalInput(BaseModel):
    language: LanguageTag
    question: Spoken


class ReplicaAnswer(StoredModel):
    """The words of the answer."""

    answer: str


class JudgeInput(BaseModel):
    question: Spoken
    said: Spoken
    candidate: Spoken


class ReplicaAgreement(StoredModel):
    """How far they agree."""

    why: str = ""
    agreement: Literal["none", "partial", "full"]


class ItemIn(BaseModel):
    number: int
    text: Spoken
    options: list[Spoken]


class ChooseInput(PersonInput):
    items: list[ItemIn]


class ChooseTypicalInput(BaseModel):
    language: LanguageTag
    items: list[ItemIn]


class Choice(StoredModel):
    """The option chosen for one item."""

    number: int
    option: str


class ReplicaChoices(StoredModel):
    """What was chosen."""

    choices: tuple[Choice, ...] = ()


NO_CHOICES, SILENT = ReplicaChoices(), ReplicaAnswer(answer="")
NO_AGREEMENT = ReplicaAgreement(agreement="none")
NOTES = _task("notes", NotesInput, ReplicaNotes(), 4_000)
ANSWER = _task("answer", AnswerInput, SILENT, 1_000)
TYPICAL = _task("typical", TypicalInput, SILENT, 700)
JUDGE = _task("judge", JudgeInput, NO_AGREEMENT, 500)
CHOOSE = _task("choose", ChooseInput, NO_CHOICES, 4_000)
CHOOSE_TYPICAL = _task("choose_typical", ChooseTypicalInput, NO_CHOICES, 4_000)
REFLECT = replace(experts.REFLECT, name="replica.expert")  # so that its costs are told apart
TASKS = (NOTES, REFLECT, ANSWER, TYPICAL, JUDGE, CHOOSE, CHOOSE_TYPICAL)
