from pathlib import Path
from typing import Literal

from pydantic import BaseModel, field_serializer

from interviews.engine.language.intents import Meaning, meaning
from interviews.engine.signal import Band, band, hard
from interviews.engine.texts import fixed
from interviews.protocols.life_story.notes import found_by_rules
from llm.tasks.task import Result, Spoken, Task, Tier

PROMPTS = Path(__file__).parent / "prompts"


class PlanInput(BaseModel):
    persona: str
    language: str
    transcript: Spoken
    notes: dict[str, Spoken]
    question: Spoken
    objective: str
    guidance: str
    followups: int
    seconds_left: int
    probes: list[str]  # of the question, those not asked yet
    answer: Spoken


class Plan(Result):
    """Stay with the question or move on. The order of the fields is the order of writing."""

    action: Literal["FOLLOW_UP", "NEXT_QUESTION"]
    emotional_content: bool
    next_utterance: str = ""
    transition: str = ""
    assessment: str = ""
    reason: str = ""


class NotesInput(BaseModel):
    language: str
    notes: dict[str, Spoken]
    question: Spoken
    answer: Spoken


class NotePair(Result):
    """One note that is new or changed."""

    key: str
    value: str


class Notes(Result):
    """The changes that one answer makes to the notes."""

    learned: list[NotePair] = []
    denied: list[str] = []


class PersonaliseInput(BaseModel):
    language: str
    notes: dict[str, Spoken]
    answer: Spoken
    question: str
    guidance: str
    may_skip: bool

    @field_serializer("may_skip")
    def _as_word(self, allowed: bool) -> str:
        return "yes" if allowed else "no"


class Personalised(Result):
    """Whether to ask it, and how."""

    action: Literal["ask", "skip"]
    question: str = ""
    reason: str = ""


class BridgeInput(BaseModel):
    language: str
    transcript: Spoken
    answer: Spoken
    planned: str


class Bridge(Result):
    """One or two sentences between a moving answer and the next question."""

    text: str


def plan_without_a_model(data: PlanInput) -> Plan:
    """Ask the question's next probe if the answer is short, gentle and not "I don't know"."""
    moving = hard(data.answer, data.language)
    if data.probes and not moving and data.seconds_left >= 30 and _is_thin(data):
        return Plan(
            action="FOLLOW_UP",
            emotional_content=False,
            next_utterance=data.probes[0],
            reason="short or vague answer",
        )
    return Plan(
        action="NEXT_QUESTION",
        emotional_content=moving,
        transition=fixed(data.language, "bridges", [data.transcript]) if moving else "",
        reason="nothing more to probe without a model",
    )


def _is_thin(data: PlanInput) -> bool:
    """Return whether an answer is short or vague, though the participant knows something."""
    unknown = meaning(data.answer, data.language, data.question) is Meaning.NOT_KNOWING
    return not unknown and band(data.answer, data.language) is Band.LOW


PLAN = Task(
    name="life_story.plan",
    tier=Tier.MAIN,
    template=PROMPTS / "plan.md",
    input=PlanInput,
    output=Plan,
    fallback=plan_without_a_model,
    temperature=0.5,
)
NOTES = Task(
    name="life_story.notes",
    tier=Tier.FAST,
    template=PROMPTS / "notes.md",
    input=NotesInput,
    output=Notes,
    fallback=lambda data: Notes(
        learned=[
            NotePair(key=key, value=value) for key, value in found_by_rules(data.answer).items()
        ]
    ),
    temperature=0.0,
)
PERSONALISE = Task(
    name="life_story.personalise",
    tier=Tier.MAIN,
    template=PROMPTS / "personalise.md",
    input=PersonaliseInput,
    output=Personalised,
    fallback=lambda data: Personalised(action="ask", question=data.question),
    max_tokens=400,
    temperature=0.3,
)
BRIDGE = Task(
    name="life_story.bridge",
    tier=Tier.MAIN,
    template=PROMPTS / "bridge.md",
    input=BridgeInput,
    output=Bridge,
    fallback=lambda data: Bridge(text=fixed(data.language, "bridges", [data.transcript])),
    timeout=8.0,
    max_tokens=200,
    temperature=0.7,
)
