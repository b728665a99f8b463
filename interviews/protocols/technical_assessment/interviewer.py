"""What the interviewer is asked: the next question, and a word to a question back."""

from dataclasses import replace
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, field_serializer

from interviews.engine.language.sentences import asks, single_spaced
from interviews.engine.texts import fixed
from llm.tasks.task import Result, Spoken, Task, Tier
from plans.protocols.technical_assessment.content import TechnicalAssessmentOptions

HERE = Path(__file__).parent
PROMPTS, TEXTS = HERE / "prompts", HERE / "texts"
LONGEST = 600  # characters of a question
WHY = "- reasoning: in one or two sentences, why this question now; reviewers alone read it."
MANNERS = {
    "ask": "Ask the next question.",
    "steer_back": "The last answer had nothing to do with the interview. Lead back to the topic in "
    "half a sentence, then ask the next question.",
    "rephrase": "The candidate wants the open question explained. Put that same question in other, "
    "plainer words; ask nothing new, and give nothing of its answer away.",
}
Manner = Literal["ask", "steer_back", "rephrase"]


class QuestionAndAnswer(BaseModel):
    """A question and its answer."""

    question: str
    answer: Spoken


class AssessmentQuestionInput(BaseModel):
    """What the interviewer knows; nothing of what a good answer holds, and none of the scores."""

    persona: str
    language: str
    position: str
    grade: str
    experience: Spoken
    topic: str
    focus: Spoken
    level: int
    action: str
    manner: Manner
    question: str  # the open one
    history: list[QuestionAndAnswer]
    asked: list[str]
    refused: list[str]  # earlier attempts at this question, each with the reason
    reasoning: bool

    @field_serializer("manner")
    def _manner(self, manner: Manner) -> str:
        return MANNERS[manner]

    @field_serializer("reasoning")
    def _reasoning(self, wanted: bool) -> str:
        return WHY if wanted else ""


class BareQuestion(Result):
    """The next question alone."""

    question: str


class QuestionResponse(BareQuestion):
    """The next question, and why.

    The question is written first, so that the candidate reads it while the reasoning, which is
    for reviewers, is still being written.
    """

    reasoning: str = ""


class AssessmentCounterQuestionInput(BaseModel):
    """A question of the candidate's, and what may be told of."""

    persona: str
    language: str
    position: str
    about: str  # the bot's own words about itself
    question: str  # the open one
    said: Spoken


def plain_question(text: str) -> QuestionResponse | None:
    """A reply that is no object but one question."""
    said = single_spaced(text)
    one = said.count("?") == 1 and asks(said[-3:])
    return QuestionResponse(question=said) if one and len(said) <= LONGEST else None


def _nothing(data: AssessmentQuestionInput) -> QuestionResponse:
    """The list of questions stands in reserve for what no model has asked."""
    return QuestionResponse(question="")


def _kept_short(data: AssessmentCounterQuestionInput) -> str:
    return fixed(data.language, "aside", folder=TEXTS)


QUESTION: Task[AssessmentQuestionInput, BareQuestion] = Task(
    name="technical_assessment.interviewer",
    tier=Tier.MAIN,
    template=PROMPTS / "interviewer.md",
    input=AssessmentQuestionInput,
    output=QuestionResponse,
    fallback=_nothing,
    max_tokens=500,
    temperature=0.2,
    plain=plain_question,
)
ASIDE: Task[AssessmentCounterQuestionInput, str] = Task(
    name="technical_assessment.answer",
    tier=Tier.MAIN,
    template=PROMPTS / "answer.md",
    input=AssessmentCounterQuestionInput,
    output=str,
    fallback=_kept_short,
    timeout=8.0,
    max_tokens=150,
    temperature=0.2,
)


def question_task(
    options: TechnicalAssessmentOptions,
) -> Task[AssessmentQuestionInput, BareQuestion]:
    """The task of asking, with the bot's own time, and with reasoning if that is kept."""
    output = QuestionResponse if options.reasoning else BareQuestion
    return replace(QUESTION, timeout=options.interviewer_seconds, output=output)
