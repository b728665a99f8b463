from pathlib import Path
from typing import Any

from interviews.choices import EntryKind, SpeakerRole
from interviews.engine.context import TurnContext
from interviews.engine.guards import prompts_of
from interviews.engine.result import TurnResult, Utterance
from interviews.engine.texts import fixed, has_texts
from interviews.protocols.technical_assessment.interviewer import PROMPTS, QuestionAndAnswer
from interviews.protocols.technical_assessment.state import AskedQuestion, TechnicalAssessmentState
from plans.protocols import PlanContent
from plans.protocols.technical_assessment.content import (
    AssessmentScript,
    BaseQuestion,
    TechnicalAssessmentMaterial,
)

EXPERIENCE = "experience"  # the start field's key
FOLDER = Path(__file__).parent / "texts"
LONGEST_ANSWER = 1_500  # characters of an earlier answer that the interviewer is shown

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
    scripted = _scripted(ctx, asked)
    return scripted.expected if scripted else ""


def _scripted(ctx: AssessmentContext, asked: AskedQuestion) -> BaseQuestion | None:
    key = (asked.topic, asked.key)
    return next((q for q in script_of(ctx).questions if (q.topic, q.key) == key), None)


def open_wording(ctx: AssessmentContext) -> str:
    return ctx.state.reworded or ctx.state.open.text


def past_wordings(ctx: AssessmentContext) -> tuple[str, ...]:
    reworded = (ctx.state.reworded,) if ctx.state.reworded else ()
    return (*(one.text for one in ctx.state.asked), *reworded)


def purpose(ctx: AssessmentContext) -> str:
    """Return what the open question is meant to find out."""
    asked = ctx.state.open
    if asked.opening:
        return "what they have worked on so far in this position"
    scripted = _scripted(ctx, asked)
    return scripted.objective if scripted else topic_title(ctx, asked.topic)


def untold(ctx: AssessmentContext) -> tuple[str, ...]:
    """Return what good answers hold: to the open question, or to any if it is the model's own."""
    asked = ctx.state.open
    if asked.key:
        return (expected_answer(ctx, asked),)
    return tuple(one.expected for one in script_of(ctx).questions)


def private_texts(ctx: AssessmentContext) -> tuple[str, ...]:
    return (ctx.plan.persona, *untold(ctx), *prompts_of(PROMPTS))


def question_answer_pairs(ctx: AssessmentContext) -> list[QuestionAndAnswer]:
    answers: dict[str, str] = {}
    question = ""
    for line in ctx.transcript:
        if line.role == SpeakerRole.INTERVIEWER:
            question = line.text if line.question else ""
        elif question and line.kind == EntryKind.USER_ANSWER:
            answers[question] = line.text
    answers[question or open_wording(ctx)] = ctx.answer
    return [QuestionAndAnswer(question=q, answer=_cut(a)) for q, a in answers.items()]


def _cut(answer: str) -> str:
    return answer if len(answer) <= LONGEST_ANSWER else f"{answer[:LONGEST_ANSWER]} …"


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
    return Utterance(EntryKind.QUESTION, text or asked.text, about, number)
