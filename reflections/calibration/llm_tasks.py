"""The model tasks of a calibration. Docstrings of outputs are sent to models in their schemas."""

from dataclasses import replace
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from llm.tasks.task import Retries, Spoken, Task, Tier
from reflections.experts import llm_tasks as experts

PROMPTS = Path(__file__).parent / "prompts"
SECONDS = 90.0  # that one call is waited for
PATIENCE = Retries((1.0,), 2 * SECONDS, 0.0)


class ModelOutput(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class NotesInput(BaseModel):
    language: str
    transcript: Spoken


class ReplicaNotes(ModelOutput):
    """What the interview says of the participant."""

    notes: tuple[str, ...] = ()


class PersonInput(BaseModel):
    language: str
    transcript: Spoken = ""
    notes: list[Spoken] = []
    observations: list[Spoken] = []


class AnswerInput(PersonInput):
    question: Spoken


class TypicalInput(BaseModel):
    language: str
    question: Spoken


class ReplicaAnswer(ModelOutput):
    """The words of the answer."""

    answer: str


class JudgeInput(BaseModel):
    question: Spoken
    said: Spoken
    candidate: Spoken


class ReplicaAgreement(ModelOutput):
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
    language: str
    items: list[ItemIn]


class Choice(ModelOutput):
    """The option chosen for one item."""

    number: int
    option: str


class ReplicaChoices(ModelOutput):
    """What was chosen."""

    choices: tuple[Choice, ...] = ()


NOTES = Task(
    name="replica.notes",
    tier=Tier.MAIN,
    template=PROMPTS / "notes.md",
    input=NotesInput,
    output=ReplicaNotes,
    fallback=lambda data: ReplicaNotes(),
    timeout=SECONDS,
    max_tokens=4_000,
    temperature=0.0,
    retries=PATIENCE,
)
ANSWER = Task(
    name="replica.answer",
    tier=Tier.MAIN,
    template=PROMPTS / "answer.md",
    input=AnswerInput,
    output=ReplicaAnswer,
    fallback=lambda data: ReplicaAnswer(answer=""),
    timeout=SECONDS,
    max_tokens=1_000,
    temperature=0.0,
    retries=PATIENCE,
)
TYPICAL = Task(
    name="replica.typical",
    tier=Tier.MAIN,
    template=PROMPTS / "typical.md",
    input=TypicalInput,
    output=ReplicaAnswer,
    fallback=lambda data: ReplicaAnswer(answer=""),
    timeout=SECONDS,
    max_tokens=700,
    temperature=0.0,
    retries=PATIENCE,
)
JUDGE = Task(
    name="replica.judge",
    tier=Tier.MAIN,
    template=PROMPTS / "judge.md",
    input=JudgeInput,
    output=ReplicaAgreement,
    fallback=lambda data: ReplicaAgreement(agreement="none"),
    timeout=SECONDS,
    max_tokens=500,
    temperature=0.0,
    retries=PATIENCE,
)
CHOOSE = Task(
    name="replica.choose",
    tier=Tier.MAIN,
    template=PROMPTS / "choose.md",
    input=ChooseInput,
    output=ReplicaChoices,
    fallback=lambda data: ReplicaChoices(),
    timeout=SECONDS,
    max_tokens=4_000,
    temperature=0.0,
    retries=PATIENCE,
)
CHOOSE_TYPICAL = Task(
    name="replica.choose_typical",
    tier=Tier.MAIN,
    template=PROMPTS / "choose_typical.md",
    input=ChooseTypicalInput,
    output=ReplicaChoices,
    fallback=lambda data: ReplicaChoices(),
    timeout=SECONDS,
    max_tokens=4_000,
    temperature=0.0,
    retries=PATIENCE,
)
REFLECT = replace(experts.REFLECT, name="replica.expert")  # so that its costs are told apart
TASKS = (NOTES, REFLECT, ANSWER, TYPICAL, JUDGE, CHOOSE, CHOOSE_TYPICAL)
