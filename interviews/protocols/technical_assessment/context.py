"""Looks at where a technical assessment stands that several files need."""

from pathlib import Path
from typing import Any

from interviews.choices import EntryKind, SpeakerRole
from interviews.engine.context import TurnContext
from interviews.engine.result import TurnResult, Utterance
from interviews.engine.texts import fixed, has_texts
from interviews.protocols.technical_assessment.interviewer import QuestionAndAnswer
from interviews.protocols.technical_assessment.state import AskedQuestion, TechnicalAssessmentState
from plans.protocols import PlanContent
from plans.protocols.technical_assessment.content import (
    AssessmentScript,
    BaseQuestion,
    TechnicalAssessmentMaterial,
    TechnicalAssessmentOptions,
)

EXPERIENCE = "experience"  # the start field's key
FOLDER = Path(__file__).parent / "texts"

AssessmentContext = TurnContext[TechnicalAssessmentState, TechnicalAssessmentMaterial]
NextMove = TurnResult[TechnicalAssessmentState]


def options_of(ctx: AssessmentContext) -> TechnicalAssessmentOptions:
    return ctx.material.options


def position_in(plan: PlanContent[Any]) -> str:
    """The position, as candidates know it."""
    return str(plan.material.options.position or plan.title)


def script_in(material: TechnicalAssessmentMaterial, language: str) -> AssessmentScript:
    """The script in that language, else the plan's first."""
    return material.scripts.get(language) or next(iter(material.scripts.values()))


def script_of(ctx: AssessmentContext) -> AssessmentScript:
    """Topics and base questions in the interview's language."""
    return script_in(ctx.material, ctx.language)


def title_of(ctx: AssessmentContext, topic: str) -> str:
    """A topic's title by its key."""
    return next((t.title for t in script_of(ctx).topics if t.key == topic), topic)


def base_of(ctx: AssessmentContext, asked: AskedQuestion) -> BaseQuestion | None:
    """The base question that was asked; None for one of the interviewer's own."""
    asked_for = (asked.topic, asked.key)
    return next((q for q in script_of(ctx).questions if (q.topic, q.key) == asked_for), None)


def expected_of(ctx: AssessmentContext, asked: AskedQuestion) -> str:
    """What a good answer holds; empty where nobody has written it."""
    base = base_of(ctx, asked)
    return base.expected if base else ""


def past(ctx: AssessmentContext) -> tuple[str, ...]:
    """Every wording of every question so far."""
    return tuple(text for one in ctx.state.asked for text in (one.text, one.again) if text)


def pairs(ctx: AssessmentContext) -> list[QuestionAndAnswer]:
    """Questions with their answers, oldest first, with the one that is being answered."""
    found: dict[str, str] = {}
    question = ""
    for line in ctx.transcript:
        if line.role == SpeakerRole.INTERVIEWER:
            question = line.text if line.question else ""
        elif question and line.kind == EntryKind.USER_ANSWER:
            found[question] = line.text
    found[question or ctx.state.open.wording] = ctx.answer
    return [
        QuestionAndAnswer(question=question, answer=answer) for question, answer in found.items()
    ]


def experience_of(ctx: AssessmentContext) -> str:
    """What was told at the start, and to the first question."""
    told = [ctx.start_answers.get(EXPERIENCE, "")]
    asked = False
    for line in ctx.transcript:
        if asked and line.kind == EntryKind.USER_ANSWER:
            told.append(line.text)
        if line.role == SpeakerRole.INTERVIEWER:
            asked = line.question == EXPERIENCE
    return "\n".join(part for part in told if part)


def say(language: str, key: str, **words: str) -> str:
    """One of the fixed sentences, filled in."""
    return fixed(language, key, folder=FOLDER, words=words)


def has_words(language: str) -> bool:
    """Whether there are fixed sentences in that language."""
    return has_texts(language, FOLDER)


def put(asked: AskedQuestion, number: int, text: str = "") -> Utterance:
    """A question as an utterance."""
    about = EXPERIENCE if asked.opening else asked.key or asked.topic
    return Utterance(EntryKind.QUESTION, text or asked.wording, about, number)
