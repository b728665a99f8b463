import re
from collections.abc import Collection
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from interviews.choices import EntryKind, SpeakerRole
from interviews.engine.context import TurnContext
from interviews.engine.guards import prompts_of
from interviews.engine.language.sentences import cut
from interviews.engine.result import TurnResult, Utterance, closing_question
from interviews.engine.texts import fixed
from interviews.protocols.technical_assessment.state import AskedQuestion, TechnicalAssessmentState
from interviews.protocols.technical_assessment.tasks import PROMPTS, QuestionAndAnswer
from plans.protocols import PlanContent
from plans.protocols.technical_assessment.content import (
    AssessmentScript,
    BaseQuestion,
    TechnicalAssessmentMaterial,
)

EXPERIENCE = "experience"  # the start field's key
FOLDER = Path(__file__).parent / "texts"
say = partial(fixed, folder=FOLDER)
LONGEST_ANSWER = 1_500  # characters of an earlier answer that the interviewer is shown
LONGEST_EARLIER, MOST_EARLIER = 500, 3  # such characters, and answers, that the observer is shown
WEAK_ANSWERS = re.compile(  # from here on, guidance tells what weak answers hold
    r"\b(?:weak answers?|risposte deboli|слабые ответы|schwache antworten|réponses faibles|"
    r"respuestas débiles|الإجابات الضعيفة)\b.*",
    re.I | re.S,
)

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


def scripted_text(ctx: AssessmentContext, asked: AskedQuestion) -> str:
    """Return the question as the script has it, without what an adapted one takes up."""
    scripted = _scripted(ctx, asked)
    return scripted.text if scripted else asked.text


def _scripted(ctx: AssessmentContext, asked: AskedQuestion) -> BaseQuestion | None:
    key = (asked.topic, asked.key)
    return next((q for q in script_of(ctx).questions if (q.topic, q.key) == key), None)


def rubric(ctx: AssessmentContext, topic: str) -> list[str]:
    """Return the topic's questions by level, each with what a good answer holds."""
    return [
        f"Level {one.level}: {one.text} {one.expected}".strip()
        for one in script_of(ctx).questions
        if one.topic == topic
    ]


def open_wording(ctx: AssessmentContext) -> str:
    return ctx.state.reworded or ctx.state.open.text


def past_wordings(ctx: AssessmentContext) -> tuple[str, ...]:
    reworded = (ctx.state.reworded,) if ctx.state.reworded else ()
    return (*(one.text for one in ctx.state.asked), *reworded)


def purpose(ctx: AssessmentContext) -> str:
    """Return what the open question is meant to find out."""
    asked = ctx.state.open
    if ctx.state.last_asked:
        return "what they can do that no question brought out"
    if asked.opening:
        return "what they have worked on so far in this position"
    scripted = _scripted(ctx, asked)
    return scripted.objective if scripted else topic_title(ctx, asked.topic)


def untold(ctx: AssessmentContext, topics: Collection[str] = ()) -> tuple[str, ...]:
    """Return what good answers hold, to the script's questions on these topics, or on all."""
    asked = script_of(ctx).questions
    return tuple(good_answer(q.expected) for q in asked if not topics or q.topic in topics)


@lru_cache(maxsize=512)
def good_answer(guidance: str) -> str:
    """Return what guidance says of good answers, without what it says of weak ones."""
    return WEAK_ANSWERS.sub("", guidance)


def private_texts(ctx: AssessmentContext) -> tuple[str, ...]:
    return (ctx.plan.persona, *untold(ctx), *prompts_of(PROMPTS))


def question_answer_pairs(ctx: AssessmentContext) -> list[QuestionAndAnswer]:
    return _pairs(ctx, [line.question for line in ctx.transcript], LONGEST_ANSWER)


def earlier_answers(ctx: AssessmentContext) -> list[QuestionAndAnswer]:
    """Return the last answers on the open question's topic before this one, cut short."""
    topic = ctx.state.open.topic
    about = {topic, *(one.key for one in ctx.state.asked if one.topic == topic)}
    return _pairs(ctx, about, LONGEST_EARLIER)[:-1][-MOST_EARLIER:]


def _pairs(ctx: AssessmentContext, about: Collection[str], longest: int) -> list[QuestionAndAnswer]:
    answers: dict[str, str] = {}
    question = ""
    for line in ctx.transcript:
        if line.role == SpeakerRole.INTERVIEWER:
            question = line.text if line.question in about and line.question else ""
        elif question and line.kind == EntryKind.USER_ANSWER:
            answers[question] = line.text
    answers[question or open_wording(ctx)] = ctx.answer
    return [QuestionAndAnswer(question=q, answer=cut(a, longest)) for q, a in answers.items()]


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


def open_utterance(ctx: AssessmentContext) -> Utterance:
    state = ctx.state
    if state.last_asked:
        return closing_question(state.open.text)
    return as_utterance(state.open, len(state.asked), scripted_text(ctx, state.open))


def as_utterance(asked: AskedQuestion, number: int, text: str = "") -> Utterance:
    about = EXPERIENCE if asked.opening else asked.key or asked.topic
    return Utterance(EntryKind.QUESTION, text or asked.text, about, number)
