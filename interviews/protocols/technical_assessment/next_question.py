"""The next question: worded by the model, again where a guard rejects it, else from the list."""

from dataclasses import dataclass, replace
from functools import lru_cache

from interviews.engine.guards import Checked, Limits, asked_before, names_closed
from interviews.engine.language.sentences import single_spaced
from interviews.engine.leads import lead_of
from interviews.engine.result import CallResults, GuardFiring, PartialResults, TaskCall
from interviews.engine.texts import has_texts
from interviews.protocols.technical_assessment import guards
from interviews.protocols.technical_assessment.context import (
    FOLDER,
    AssessmentContext,
    experience_text,
    past_wordings,
    position_name,
    private_texts,
    question_answer_pairs,
    say,
    script_of,
    topic_title,
    untold,
)
from interviews.protocols.technical_assessment.difficulty import QuestionAim, nearest_question
from interviews.protocols.technical_assessment.state import AskedQuestion
from interviews.protocols.technical_assessment.tasks import (
    AssessmentQuestionInput,
    BareQuestion,
    QuestionResponse,
    question_task,
)
from llm.tasks.outcome import Outcome
from plans.protocols.technical_assessment.content import AssessmentScript

LAST = {
    "heavy": "The last answer told of something hard, which has been met already. Don't mention "
    "it, and ask about something that has nothing to do with it.",
    "skip": "They left the last question out, which has been met already. Don't mention it, and "
    "don't ask for the same thing again.",
    "refuse": "They don't want to talk about the last question, which has been met already. Don't "
    "mention it, and ask about something else.",
    "dont_know": "They said that they don't know. Don't ask for the same thing again.",
    "off_topic": "They didn't answer the last question. Don't speak of what they said instead.",
}


@dataclass(frozen=True)
class NextQuestion:
    asked: AskedQuestion | None  # None: nothing is left to ask
    text: str = ""  # as it is said
    used: tuple[str, ...] = ()  # key of the call whose words these are
    firings: tuple[GuardFiring, ...] = ()
    attempts: int = 0


def next_question(
    ctx: AssessmentContext, results: CallResults, aim: QuestionAim
) -> NextQuestion | TaskCall:
    """Return the question for an aim, or the model call that words it.

    After something hard, and where nothing was told that an adapted one could take up, a question
    is asked as the script has it, so that no model comments on it.
    """
    if _asks_as_written(ctx):
        return _from_list(ctx, aim)
    firings: tuple[GuardFiring, ...] = ()
    rejected: list[str] = []
    planned = _planned(ctx, aim)
    for attempt in range(1, 2 if planned else ctx.material.options.attempts + 1):
        key = f"{aim.key}.{attempt}"
        outcome = results.get(key)
        if outcome is None:
            data = _question_input(ctx, aim, planned, rejected)
            return TaskCall(key, question_task(ctx.material.options), data)
        if not outcome.by_model:
            break
        text, fired = _checked(ctx, aim, planned, outcome)
        firings += fired
        if text:
            asked = _asked_question(aim, planned, text, outcome.value)
            return NextQuestion(asked, text, (key,), firings, attempt)
        rejected.append(f"{single_spaced(outcome.value.question)} ({fired[-1].reason})")
    return replace(_from_list(ctx, aim), firings=firings, attempts=len(rejected))


def _asks_as_written(ctx: AssessmentContext) -> bool:
    options = ctx.material.options
    if options.questions_by == "model":
        return ctx.reading.care == "heavy" and bool(_unused_questions(ctx))
    takes_up = ctx.reading.intent == "answer" and ctx.reading.care == "none"
    return options.questions_by == "list" or not takes_up or not _unused_questions(ctx)


def _planned(ctx: AssessmentContext, aim: QuestionAim) -> AskedQuestion | None:
    """Return the script's question that a model may adapt; None where it asks its own."""
    if ctx.material.options.questions_by == "model":
        return None
    return nearest_question(ctx, aim, _unused_questions(ctx))


def preview_question(
    ctx: AssessmentContext, results: CallResults, partials: PartialResults, aim: QuestionAim
) -> str:
    found = next_question(ctx, results, aim)
    if isinstance(found, NextQuestion):
        return found.text
    text = str(partials.get(found.key, {}).get("question") or "")
    planned = _planned(ctx, aim)
    draft = guards.safe_prefix(text, _limits(ctx), *_hidden(ctx, aim, planned))
    return f"{lead_of(ctx)} {draft}".strip()


# -- by the interviewer


def _checked(
    ctx: AssessmentContext,
    aim: QuestionAim,
    planned: AskedQuestion | None,
    outcome: Outcome[BareQuestion],
) -> Checked:
    text = outcome.value.question
    if outcome.echoes:
        firing = GuardFiring("repeat", "asked before, in other words", text)
        return Checked("", (firing,))
    return guards.check_question(text, _limits(ctx), *_hidden(ctx, aim, planned))


def _hidden(
    ctx: AssessmentContext, aim: QuestionAim, planned: AskedQuestion | None
) -> tuple[tuple[str, ...], str]:
    """Return what good answers hold, to the open question and on the topic; the planned one."""
    topics = {aim.topic, ctx.state.open.topic, *([planned.topic] if planned else [])}
    return untold(ctx, topics), planned.text if planned else ""


def _limits(ctx: AssessmentContext) -> Limits:
    return Limits(ctx.language, private_texts(ctx), ctx.state.closed, past_wordings(ctx))


def _asked_question(
    aim: QuestionAim, planned: AskedQuestion | None, text: str, said: BareQuestion
) -> AskedQuestion:
    reasoning = single_spaced(said.reasoning) if isinstance(said, QuestionResponse) else ""
    if planned:
        return planned.but(text=text, reasoning=reasoning)
    return AskedQuestion(text=text, topic=aim.topic, level=aim.level, reasoning=reasoning)


def _question_input(
    ctx: AssessmentContext, aim: QuestionAim, planned: AskedQuestion | None, rejected: list[str]
) -> AssessmentQuestionInput:
    options = ctx.material.options
    care = ctx.reading.care
    return AssessmentQuestionInput(
        persona=ctx.plan.persona,
        language=ctx.language,
        position=position_name(ctx.plan),
        grade=options.grade,
        experience=experience_text(ctx),
        topic=topic_title(ctx, planned.topic if planned else aim.topic),
        focus="" if planned else aim.focus,
        planned=planned.text if planned else "",
        left=max(0, options.max_turns - ctx.state.answered - 2),
        level=planned.level if planned else aim.level,
        action=aim.action,
        last=LAST.get(care if care == "heavy" else ctx.reading.intent, ""),
        closed=list(ctx.state.closed),
        history=question_answer_pairs(ctx)[-options.history :] if options.history else [],
        asked=list(past_wordings(ctx)),
        refused=rejected,
        reasoning=options.reasoning,
    )


# -- without a model


def _from_list(ctx: AssessmentContext, aim: QuestionAim) -> NextQuestion:
    unused = _unused_questions(ctx)
    if not unused:
        return NextQuestion(None)
    asked = nearest_question(ctx, aim, unused)
    return NextQuestion(asked, f"{_transition(ctx, asked)} {asked.text}".strip())


def _unused_questions(ctx: AssessmentContext) -> tuple[AskedQuestion, ...]:
    used = frozenset((one.topic, one.key) for one in ctx.state.asked)
    return _unused(script_of(ctx), used, past_wordings(ctx), ctx.state.closed, ctx.language)


@lru_cache(maxsize=128)  # looked at again with each word of a draft
def _unused(
    script: AssessmentScript,
    used: frozenset[tuple[str, str]],
    before: tuple[str, ...],
    closed: tuple[str, ...],
    language: str,
) -> tuple[AskedQuestion, ...]:
    titles = {topic.key: topic.title for topic in script.topics}
    return tuple(
        AskedQuestion(text=q.text, topic=q.topic, level=q.level, key=q.key)
        for q in script.questions
        if (q.topic, q.key) not in used
        and not asked_before(q.text, before)
        and not names_closed(f"{titles.get(q.topic, q.topic)} {q.text}", closed, language)
    )


def coming_questions(ctx: AssessmentContext) -> tuple[str, ...]:
    return tuple(one.text for one in _unused_questions(ctx))


def _transition(ctx: AssessmentContext, asked: AskedQuestion) -> str:
    if not has_texts(ctx.language, FOLDER):
        return ""
    if asked.topic == ctx.state.topic and not ctx.state.open.opening:
        return ""
    return say(ctx.language, "next_topic", topic=topic_title(ctx, asked.topic))
