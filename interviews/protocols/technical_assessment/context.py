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
    TechnicalAssessmentMaterial,
)

EXPERIENCE = "experience"  # the start field's key
FOLDER = Path(__file__).parent / "texts"

AssessmentContext = TurnContext[TechnicalAssessmentState, TechnicalAssessmentMaterial]
NextMove = TurnResult[TechnicalAssessmentState]


def position_name(plan: PlanContent[Any]) -> str:
    return str(plan.material.options.position or plan.title)


def script_in(material: TechnicalAssessmentMaterial, language: str) -> AssessmentScript:
    return material.scripts.get(language) or next(iter(material.scripts.values()))


def script_of(ctx: AssessmentContext) -> AssessmentScript:
    return script_in(ctx.material, ctx.language)


def topic_title(ctx: AssessmentContext, topic: str) -> str:
    return next((t.title for t in script_of(ctx).topics if t.key == topic), topic)


def expected_answer(ctx: AssessmentContext, asked: AskedQuestion) -> str:
    key = (asked.topic, asked.key)
    return next((q.expected for q in script_of(ctx).questions if (q.topic, q.key) == key), "")


def past_wordings(ctx: AssessmentContext) -> tuple[str, ...]:
    return tuple(text for one in ctx.state.asked for text in (one.text, one.again) if text)


def question_answer_pairs(ctx: AssessmentContext) -> list[QuestionAndAnswer]:
    answers: dict[str, str] = {}
    question = ""
    for line in ctx.transcript:
        if line.role == SpeakerRole.INTERVIEWER:
            question = line.text if line.question else ""
        elif question and line.kind == EntryKind.USER_ANSWER:
            answers[question] = line.text
    answers[question or ctx.state.open.wording] = ctx.answer
    return [QuestionAndAnswer(question=q, answer=a) for q, a in answers.items()]


def experience_text(ctx: AssessmentContext) -> str:
    """Return what the candidate told about experience, at the start and in the first answer."""
    texts = [ctx.start_answers.get(EXPERIENCE, "")]
    asked = False
    for line in ctx.transcript:
        if asked and line.kind == EntryKind.USER_ANSWER:
            texts.append(line.text)
        if line.role == SpeakerRole.INTERVIEWER:
            asked = line.question == EXPERIENCE
    return "\n".join(text for text in texts if text)


def say(language: str, key: str, **words: str) -> str:
    return fixed(language, key, folder=FOLDER, words=words)


def has_fixed_texts(language: str) -> bool:
    return has_texts(language, FOLDER)


def as_utterance(asked: AskedQuestion, number: int, text: str = "") -> Utterance:
    about = EXPERIENCE if asked.opening else asked.key or asked.topic
    return Utterance(EntryKind.QUESTION, text or asked.wording, about, number)
