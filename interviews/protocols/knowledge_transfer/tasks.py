from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, PlainSerializer

from interviews.engine.reading import Heard, ReadsAnswer, lowercase
from llm.tasks.task import LanguageTag, Result, Retries, Spoken, Task, Tier, YesNo

PROMPTS = Path(__file__).parent / "prompts"
TEMPERATURE = 0.2
MANNERS = {
    "first": "This is your first question. Greet the participant (by name, if one is given below), "
    "say in half a sentence that you have read the files (if any are listed), then ask.",
    "onward": "The participant has just replied. If they told you something about the work, name "
    "something specific of it. If they don't know, or don't want to say, accept that in a few "
    "words, without asking why and without naming what they don't want to talk about. If they told "
    "something hard, such as a death or an illness, take it in with one plain sentence and leave "
    "it there. Then lead over to the question.",
    "skipped": "The participant has left the last question, or doesn't know. Accept that in a few "
    "words, without asking why and without naming what they don't want to talk about, then ask.",
    "gently": "The participant has just told something hard. Begin with one plain sentence that "
    "takes it in, without thanks, praise or advice. Don't come back to it after that sentence. "
    "Then lead over gently to the question.",
}
Manner = Literal["first", "onward", "skipped", "gently"]
Confidence = Literal["high", "medium", "low"]


class TransferExchange(BaseModel):
    question: Spoken
    answer: Spoken


class Source(BaseModel):
    document: Spoken
    place: Spoken = ""
    text: Spoken = ""
    purpose: Spoken = ""
    holds: list[Spoken] = []  # decisions, formulas, thresholds, people, gaps, sentences


class QuestionCandidate(BaseModel):
    id: str
    question: Spoken


class NumberedFact(BaseModel):
    number: int
    fact: Spoken


class TransferExtractInput(ReadsAnswer):
    persona: str
    language: LanguageTag
    project: Spoken
    handed_over_by: Spoken
    sources: list[Source]
    backlog: list[QuestionCandidate]  # what is open besides
    known: list[NumberedFact]
    round: int
    may_follow_up: YesNo
    before: list[TransferExchange]  # the exchange that a follow-up goes back to
    root: Spoken  # the question of the backlog that it is about
    closed: list[Spoken]  # subjects that they don't want to talk about
    question: Spoken  # as it was put
    answer: Spoken


class FactChange(Result):
    """A known fact that a new one, counted from 1, corrects or contradicts."""

    known: int
    fact: int
    how: str  # corrects, contradicts


class PersonNamed(Result):
    """Somebody of the work whom the answer names."""

    name: str
    about: str = ""


class Discovered(Result):
    """A question that nobody had written down."""

    text: str
    priority: str = "P1"


class TransferExtraction(Heard):
    """What one answer is and comes to. The order of the fields is the order of writing.

    What comes before the facts decides what is said next.
    """

    answered: list[str] = []
    confidence: Annotated[Confidence, BeforeValidator(lowercase)] = "low"
    follow_up: str | None = None
    facts: list[str] = []
    changes: list[FactChange] = []
    people: list[PersonNamed] = []
    discovered_questions: list[Discovered] = []


class SelectInput(BaseModel):
    history: list[TransferExchange]
    question: Spoken
    answer: Spoken
    closed: list[Spoken]
    candidates: list[QuestionCandidate]


class QuestionSelection(Result):
    """Which question of the backlog comes next."""

    id: str


class RephraseInput(BaseModel):
    persona: str
    language: LanguageTag
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
    closed: list[Spoken]
    remaining: int
    manner: Annotated[Manner, PlainSerializer(MANNERS.get, return_type=str)]
    question: Spoken  # to be asked now


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
