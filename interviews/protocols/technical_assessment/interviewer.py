from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel, field_serializer

from interviews.engine.language.sentences import asks, single_spaced
from llm.tasks.task import LanguageTag, Result, Spoken, Task, Tier
from plans.protocols.technical_assessment.content import TechnicalAssessmentOptions

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
    reasoning: bool

    @field_serializer("reasoning")
    def _reasoning(self, wanted: bool) -> str:
        return ASK_WHY if wanted else ""


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
)


def question_task(
    options: TechnicalAssessmentOptions,
) -> Task[AssessmentQuestionInput, BareQuestion]:
    output = QuestionResponse if options.reasoning else BareQuestion
    return replace(QUESTION, timeout=options.interviewer_seconds, output=output)
