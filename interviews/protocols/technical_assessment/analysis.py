"""What the observer is asked about one answer, and what it finds."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from llm.tasks.task import Spoken
from plans.protocols.technical_assessment.content import Grade

LONGEST = 600  # characters of a note; a longer one is cut, which is cheaper than asking again


def _text(value: Any) -> Any:
    return "" if value is None else value


def _word(value: Any) -> Any:
    return value.strip().lower() if isinstance(value, str) else value


Short = Annotated[str, BeforeValidator(_text), AfterValidator(lambda text: text.strip()[:LONGEST])]
Action = Literal["increase", "same", "decrease"]
Judged = Literal["confirmed", "gap"]
Share = Annotated[float, Field(ge=0, le=1)]


class ObserverInput(BaseModel):
    """One answer with the question that it answers, and what was expected."""

    language: str
    position: str
    grade: Grade
    experience: Spoken
    topic: str  # title of the current one
    topics: list[str]  # titles of all
    question: Spoken
    expected: str  # what a good answer holds; empty where nobody has said so
    answer: Spoken


class Scores(BaseModel):
    """From 0 to 1: how right the answer is, and how sure of it the candidate sounds."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    correctness: Share
    confidence: Share


class ObserverAnalysis(BaseModel):
    """One answer judged. The order of the fields is the order of writing.

    The action comes first, since the next question is asked for as soon as it is known, then what
    else that depends on; the reasons come last.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    action: Annotated[Action, BeforeValidator(_word)]
    suggested_topic: Short = ""
    stop_intent: bool = False
    off_topic: bool = False
    role_reversal: bool = False  # a question to the interviewer
    clarification: bool = False  # such a one that asks for the question in other words
    status: Annotated[Judged, BeforeValidator(_word)]
    hallucination: bool = False
    scores: Scores
    notes: Short = ""
    correct_answer: Short = ""
    stop_intent_reason: Short = ""
    off_topic_reason: Short = ""
    role_reversal_reason: Short = ""
    clarification_reason: Short = ""
    hallucination_reason: Short = ""
