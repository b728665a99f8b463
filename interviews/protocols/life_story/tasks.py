from pathlib import Path
from typing import Literal, get_args

from pydantic import BaseModel

from interviews.engine.language.sentences import ends_asking
from interviews.engine.reading import Heard, ReadsAnswer
from interviews.engine.signal import Band, band, concrete, word_count
from interviews.protocols.life_story.notes import found_by_rules
from llm.tasks.task import LanguageTag, Result, Spoken, Task, Tier, Utterance, YesNo

PROMPTS = Path(__file__).parent / "prompts"
FEW = 4  # words; who says fewer isn't probed without a model
Action = Literal["FOLLOW_UP", "NEXT_QUESTION"]
ACTIONS = get_args(Action)


class PlanInput(ReadsAnswer):
    persona: str
    language: LanguageTag
    dialogue: tuple[Utterance, ...] = ()
    notes: dict[str, Spoken]
    question: str  # the script's
    objective: str
    guidance: str
    followups: int
    ceiling: int
    minutes_left: int
    closed: list[Spoken]
    coming: list[str]  # the next questions of the script
    probes: list[str]  # of the question, those not asked yet
    answer: Spoken


class Plan(Heard):
    """What the answer is, and whether to stay with the question or move on."""

    action: Action
    next_utterance: str = ""
    transition: str = ""
    assessment: str = ""
    reason: str = ""


class NotesInput(BaseModel):
    language: LanguageTag
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
    language: LanguageTag
    notes: dict[str, Spoken]
    closed: list[Spoken]
    answer: Spoken
    question: str
    guidance: str
    may_skip: YesNo


class Personalised(Result):
    """Whether to ask it, and how."""

    action: Literal["ask", "skip"]
    question: str = ""
    reason: str = ""


def plan_without_a_model(data: PlanInput) -> Plan:
    """Ask the question's next probe after a short answer, if it tells something.

    Rules can't tell a joke or a rebuff from an answer. So nobody is probed who says next to nothing
    or asks back, and a second probe follows only what names a figure, a place or a person.
    """
    if data.probes and _tells_something(data) and data.minutes_left >= 1:
        return Plan(
            action="FOLLOW_UP", next_utterance=data.probes[0], reason="short or vague answer"
        )
    return Plan(action="NEXT_QUESTION", reason="nothing more to probe without a model")


def _tells_something(data: PlanInput) -> bool:
    answer, language = data.answer, data.language
    if band(answer, language) is not Band.LOW or ends_asking(answer.rstrip()):
        return False
    return concrete(answer, language) if data.followups else word_count(answer, language) >= FEW


PLAN = Task(
    name="life_story.plan",
    tier=Tier.MAIN,
    template=PROMPTS / "plan.md",
    input=PlanInput,
    output=Plan,
    fallback=plan_without_a_model,
    temperature=0.5,
    needed="next_utterance",
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
    needed="question",
)
