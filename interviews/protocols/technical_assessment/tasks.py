from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    PlainSerializer,
    model_validator,
)

from interviews.engine.language.sentences import asks, single_spaced
from interviews.engine.reading import Heard, ReadsAnswer, lowercase
from llm.tasks.task import LanguageTag, Result, Spoken, Task, Tier
from plans.protocols.technical_assessment.content import Grade, TechnicalAssessmentOptions

PROMPTS = Path(__file__).parent / "prompts"
MAX_QUESTION_LENGTH = 600  # characters of a question
ASK_WHY = "- reasoning: in one or two sentences, why this question now; reviewers alone read it."


class QuestionAndAnswer(BaseModel):
    question: str
    answer: Spoken


class AssessmentQuestionInput(BaseModel):
    persona: str
    language: LanguageTag
    position: str
    grade: str
    experience: Spoken
    topic: str
    focus: Spoken
    level: int
    action: str
    planned: str  # the script's question that is to be asked; empty for one of its own
    left: int  # questions after this one, at most
    last: str  # what the last answer was, if it wasn't simply one
    closed: list[Spoken]
    history: list[QuestionAndAnswer]
    asked: list[str]
    refused: list[str]  # earlier attempts at this question, each with the reason
    reasoning: Annotated[
        bool, PlainSerializer(lambda wanted: ASK_WHY if wanted else "", return_type=str)
    ]


class BareQuestion(Result):
    """The next question alone."""

    question: str


class QuestionResponse(BareQuestion):
    """The next question, and why.

    The question is written first, so that the candidate reads it while the reasoning, which is
    for reviewers, is still being written.
    """

    reasoning: str = ""


def plain_question(text: str) -> QuestionResponse | None:
    """Return the question of a reply that is plain text, or None if it isn't one question."""
    text = single_spaced(text)
    if text.count("?") != 1 or not asks(text[-3:]) or len(text) > MAX_QUESTION_LENGTH:
        return None
    return QuestionResponse(question=text)


QUESTION: Task[AssessmentQuestionInput, BareQuestion] = Task(
    name="technical_assessment.interviewer",
    tier=Tier.MAIN,
    template=PROMPTS / "interviewer.md",
    input=AssessmentQuestionInput,
    output=QuestionResponse,
    fallback=lambda data: QuestionResponse(question=""),  # the list of questions is used then
    max_tokens=500,
    temperature=0.2,
    plain=plain_question,
    needed="question",
)


def question_task(
    options: TechnicalAssessmentOptions,
) -> Task[AssessmentQuestionInput, BareQuestion]:
    output = QuestionResponse if options.reasoning else BareQuestion
    return replace(QUESTION, timeout=options.interviewer_seconds, output=output)


MAX_NOTE = 600  # characters; cutting a longer note is cheaper than asking again


Note = Annotated[
    str,
    BeforeValidator(lambda value: "" if value is None else value),
    AfterValidator(lambda text: text.strip()[:MAX_NOTE]),
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


class Scores(Result):
    """From 0 to 1: how right the answer is, and how sure of it the candidate sounds."""

    correctness: Share
    confidence: Share


class ObserverAnalysis(Heard):
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
