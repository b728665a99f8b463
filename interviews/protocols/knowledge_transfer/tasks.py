from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, field_serializer

from llm.tasks.task import Result, Retries, Spoken, Task, Tier

PROMPTS = Path(__file__).parent / "prompts"
TEMPERATURE = 0.2
MANNERS = {
    "first": "This is your first question. Greet the participant (by name, if one is given below), "
    "say in half a sentence that you have read the files (if any are listed), then ask.",
    "onward": "The participant has just answered. Acknowledge something specific that they said, "
    "then lead over to the question.",
    "skipped": "The participant has left the last question out. Accept that in a few words, "
    "without asking why, then ask.",
    "clarify": "The participant wants this question explained. Put the same question in plainer "
    "words, with an example of what is meant if that helps. Ask nothing new.",
}
Manner = Literal["first", "onward", "skipped", "clarify"]
Confidence = Literal["high", "medium", "low"]


def lowercase(value: Any) -> Any:
    return value.strip().lower() if isinstance(value, str) else value


class TransferExchange(BaseModel):
    question: Spoken
    answer: Spoken


class Source(BaseModel):
    document: Spoken
    place: Spoken = ""
    text: Spoken = ""
    purpose: Spoken = ""
    holds: list[Spoken] = []  # decisions, formulas, thresholds, people, gaps, sentences


class TransferExtractInput(BaseModel):
    persona: str
    language: str
    project: Spoken
    handed_over_by: Spoken
    sources: list[Source]
    backlog: list[Spoken]  # what is open besides
    known: list[Spoken]  # facts so far
    round: int
    may_follow_up: bool
    before: list[TransferExchange]  # the exchange that a follow-up goes back to
    root: Spoken  # the question of the backlog that it is about
    question: Spoken  # as it was put
    answer: Spoken

    @field_serializer("may_follow_up")
    def _in_words(self, allowed: bool) -> str:
        return "yes" if allowed else "no"


class Discovered(Result):
    """A question that nobody had written down."""

    text: str
    priority: str = "P1"


class TransferExtraction(Result):
    """What one answer comes to. The order of the fields is the order of writing.

    Confidence and follow-up come first, since they decide what is said next.
    """

    confidence: Annotated[Confidence, BeforeValidator(lowercase)]
    follow_up: str | None = None
    facts: list[str] = []
    discovered_questions: list[Discovered] = []


class QuestionCandidate(BaseModel):
    id: str
    question: Spoken


class SelectInput(BaseModel):
    question: Spoken
    answer: Spoken
    candidates: list[QuestionCandidate]


class QuestionSelection(Result):
    """Which question of the backlog comes next."""

    id: str


class RephraseInput(BaseModel):
    persona: str
    language: str
    name: Spoken
    project: Spoken
    handed_over_by: Spoken
    files: list[Spoken]
    summary: Spoken
    sources: list[Source]
    why: Spoken
    history: list[TransferExchange]
    asked: Spoken  # the question that was answered
    answer: Spoken
    remaining: int
    manner: Manner
    question: Spoken  # to be asked now

    @field_serializer("manner")
    def _manner(self, manner: Manner) -> str:
        return MANNERS[manner]


class TransferCounterQuestionInput(BaseModel):
    persona: str
    language: str
    project: Spoken
    about: str  # the bot's own words about itself
    question: Spoken  # the open one
    said: Spoken


SELECT = Task(
    name="knowledge_transfer.select",
    tier=Tier.FAST,
    template=PROMPTS / "select.md",
    input=SelectInput,
    output=QuestionSelection,
    fallback=lambda data: QuestionSelection(id=""),  # then the oldest one is asked
    timeout=4.0,
    retries=Retries(pauses=(0.5,), in_all=5.0, rest=30.0),  # a choice is not worth a longer wait
    max_tokens=80,
    temperature=TEMPERATURE,
)
REPHRASE: Task[RephraseInput, str] = Task(
    name="knowledge_transfer.rephrase",
    tier=Tier.MAIN,
    template=PROMPTS / "rephrase.md",
    input=RephraseInput,
    output=str,
    fallback=lambda data: "",  # then the question is asked as it is written
    max_tokens=400,
    temperature=TEMPERATURE,
)
ASIDE: Task[TransferCounterQuestionInput, str] = Task(
    name="knowledge_transfer.answer",
    tier=Tier.MAIN,
    template=PROMPTS / "answer.md",
    input=TransferCounterQuestionInput,
    output=str,
    fallback=lambda data: "",  # then a fixed sentence is said
    timeout=8.0,
    max_tokens=150,
    temperature=TEMPERATURE,
)
