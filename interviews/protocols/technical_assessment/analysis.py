from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from interviews.engine.reading import IntentReading, ReadsAnswer, lowercase
from interviews.protocols.technical_assessment.interviewer import QuestionAndAnswer
from llm.tasks.task import LanguageTag, Spoken
from plans.protocols.technical_assessment.content import Grade

MAX_NOTE = 600  # characters; cutting a longer note is cheaper than asking again


def _or_empty(value: Any) -> Any:
    return "" if value is None else value


Note = Annotated[
    str, BeforeValidator(_or_empty), AfterValidator(lambda text: text.strip()[:MAX_NOTE])
]
Action = Literal["increase", "same", "decrease"]
Judged = Literal["confirmed", "gap", "not_judged"]
Share = Annotated[float, Field(ge=0, le=1)]


class ObserverInput(ReadsAnswer):
    language: LanguageTag
    position: str
    grade: Grade
    experience: Spoken
    topic: str  # title of the current one
    topics: list[str]  # titles of all
    closed: list[Spoken]
    level: int  # of the open question, 1 to 5
    opening: str  # that it is the first one, about experience; else empty
    question: Spoken
    expected: str  # what a good answer holds; may be empty
    rubric: list[str]  # the topic's questions of the script, with the same
    earlier: list[QuestionAndAnswer]  # on the topic
    confirming: str  # that they were just asked whether to end the interview; else empty
    answer: Spoken


class Scores(BaseModel):
    """From 0 to 1: how right the answer is, and how sure of it the candidate sounds."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    correctness: Share
    confidence: Share


class ObserverAnalysis(IntentReading):
    """One answer read and judged. The order of the fields is the order of writing.

    After the reading come the action, since the next question is asked for as soon as it is known,
    and what else that question depends on; the notes come last.
    """

    action: Annotated[Action, BeforeValidator(lowercase)]
    suggested_topic: Note = ""
    status: Annotated[Judged, BeforeValidator(lowercase)]
    hallucination: bool = False
    scores: Scores | None = None
    notes: Note = ""
    correct_answer: Note = ""
    hallucination_reason: Note = ""

    @model_validator(mode="after")
    def _has_scores(self) -> Self:
        if self.scores is None and self.status != "not_judged":
            raise ValueError("scores are missing")
        return self


NOT_JUDGED = ObserverAnalysis(action="same", status="not_judged")
