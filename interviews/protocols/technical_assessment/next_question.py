"""The next question: worded by the model, again where a guard rejects it, else from the list."""

from dataclasses import dataclass, replace

from interviews.engine.guards import GuardRefusal
from interviews.engine.language.sentences import single_spaced
from interviews.engine.result import CallResults, GuardFiring, PartialResults, TaskCall
from interviews.protocols.technical_assessment import guards
from interviews.protocols.technical_assessment.context import (
    AssessmentContext,
    experience_text,
    has_fixed_texts,
    past_wordings,
    position_name,
    question_answer_pairs,
    say,
    script_of,
    topic_title,
)
from interviews.protocols.technical_assessment.difficulty import QuestionAim, nearest_question
from interviews.protocols.technical_assessment.interviewer import (
    AssessmentQuestionInput,
    BareQuestion,
    QuestionResponse,
    question_task,
)
from interviews.protocols.technical_assessment.state import AskedQuestion
from llm.tasks.outcome import Source


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
    """Return the question for an aim, or the model call that words it."""
    if ctx.material.options.questions_by == "list":
        return _from_list(ctx, aim)
    firings: tuple[GuardFiring, ...] = ()
    rejected: list[str] = []
    earlier = _earlier_wordings(ctx, aim)
    attempts = 1 if aim.manner == "rephrase" else ctx.material.options.attempts
    for attempt in range(1, attempts + 1):
        key = f"{aim.key}.{attempt}"
        result = results.get(key)
        if result is None:
            data = _question_input(ctx, aim, rejected)
            return TaskCall(key, question_task(ctx.material.options), data)
        if result.source is Source.FALLBACK:
            break
        text, fired = guards.cut(result.value.question)
        echo = GuardRefusal("repeat", "asked before, in other words") if result.echoes else None
        rejection = echo or guards.rejection(text, ctx.language, _private(ctx), earlier)
        firings += fired
        if not rejection:
            asked = _asked_question(ctx, aim, text, result.value)
            return NextQuestion(asked, text, (key,), firings, attempt)
        firings += (GuardFiring(rejection.guard, rejection.reason, text),)
        rejected.append(f"{text} ({rejection.reason})")
    return replace(_from_list(ctx, aim), firings=firings, attempts=len(rejected))


def preview_question(
    ctx: AssessmentContext, results: CallResults, partials: PartialResults, aim: QuestionAim
) -> str:
    found = next_question(ctx, results, aim)
    if isinstance(found, NextQuestion):
        return found.text
    text = single_spaced(str(partials.get(found.key, {}).get("question") or ""))
    return guards.safe_prefix(text, ctx.language, _private(ctx), _earlier_wordings(ctx, aim))


# -- by the interviewer


def _earlier_wordings(ctx: AssessmentContext, aim: QuestionAim) -> tuple[str, ...]:
    """Return what the question may not repeat; a rephrased one may be like the open one."""
    return () if aim.manner == "rephrase" else past_wordings(ctx)


def _asked_question(
    ctx: AssessmentContext, aim: QuestionAim, text: str, said: BareQuestion
) -> AskedQuestion:
    if aim.manner == "rephrase":
        return ctx.state.open.model_copy(update={"again": text})
    reasoning = single_spaced(said.reasoning) if isinstance(said, QuestionResponse) else ""
    return AskedQuestion(text=text, topic=aim.topic, level=aim.level, reasoning=reasoning)


def _question_input(
    ctx: AssessmentContext, aim: QuestionAim, rejected: list[str]
) -> AssessmentQuestionInput:
    options = ctx.material.options
    return AssessmentQuestionInput(
        persona=ctx.plan.persona,
        language=ctx.language,
        position=position_name(ctx.plan),
        grade=options.grade,
        experience=experience_text(ctx),
        topic=topic_title(ctx, aim.topic),
        focus=aim.focus,
        level=aim.level,
        action=aim.action,
        manner=aim.manner,
        question=ctx.state.open.wording,
        history=question_answer_pairs(ctx)[-options.history :] if options.history else [],
        asked=list(past_wordings(ctx)),
        refused=rejected,
        reasoning=options.reasoning,
    )


def _private(ctx: AssessmentContext) -> tuple[str, ...]:
    return (ctx.plan.persona, *guards.prompts())


# -- without a model


def _from_list(ctx: AssessmentContext, aim: QuestionAim) -> NextQuestion:
    if aim.manner == "rephrase":
        asked = ctx.state.open
        return NextQuestion(asked, say(ctx.language, "rephrased", question=asked.wording))
    unused = _unused_questions(ctx)
    if not unused:
        return NextQuestion(None)
    asked = nearest_question(ctx, aim, unused)
    return NextQuestion(asked, f"{_transition(ctx, aim, asked)} {asked.text}".strip())


def _unused_questions(ctx: AssessmentContext) -> list[AskedQuestion]:
    return [
        AskedQuestion(text=q.text, topic=q.topic, level=q.level, key=q.key)
        for q in script_of(ctx).questions
        if not guards.repeats(q.text, past_wordings(ctx))
    ]


def _transition(ctx: AssessmentContext, aim: QuestionAim, asked: AskedQuestion) -> str:
    if not has_fixed_texts(ctx.language):
        return ""
    topic = topic_title(ctx, asked.topic)
    if asked.topic != ctx.state.topic or ctx.state.open.opening:
        return say(ctx.language, "next_topic", topic=topic)
    return say(ctx.language, "steer_back", topic=topic) if aim.manner == "steer_back" else ""
