from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from llm.tasks.task import Spoken
from plans.protocols.technical_assessment.content import Grade

MAX_NOTE = 600  # characters; cutting a longer note is cheaper than asking again


def _or_empty(value: Any) -> Any:
    return "" if value is None else value


def _lowercase(value: Any) -> Any:
    return value.strip().lower() if isinstance(value, str) else value


Note = Annotated[
    str, BeforeValidator(_or_empty), AfterValidator(lambda text: text.strip()[:MAX_NOTE])
]
Action = Literal["increase", "same", "decrease"]
Judged = Literal["confirmed", "gap"]
Share = Annotated[float, Field(ge=0, le=1)]


class ObserverInput(BaseModel):
    language: str
    position: str
    grade: Grade
    experience: Spoken
    topic: str  # title of the current one
    topics: list[str]  # titles of all
    question: Spoken
    expected: str  # what a good answer holds; may be empty
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

    action: Annotated[Action, BeforeValidator(_lowercase)]
    suggested_topic: Note = ""
    stop_intent: bool = False
    off_topic: bool = False
    role_reversal: bool = False  # a question to the interviewer
    clarification: bool = False  # one that asks to rephrase the question
    status: Annotated[Judged, BeforeValidator(_lowercase)]
    hallucination: bool = False
    scores: Scores
    notes: Note = ""
    correct_answer: Note = ""
    stop_intent_reason: Note = ""
    off_topic_reason: Note = ""
    role_reversal_reason: Note = ""
    clarification_reason: Note = ""
    hallucination_reason: Note = ""
