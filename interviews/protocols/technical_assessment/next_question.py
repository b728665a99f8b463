"""The next question: by the interviewer, asked again where a guard refuses, else from the list."""

from dataclasses import dataclass, replace

from interviews.engine.guards import GuardRefusal
from interviews.engine.language.sentences import single_spaced
from interviews.engine.result import CallResults, GuardFiring, PartialResults, TaskCall
from interviews.protocols.technical_assessment import guards
from interviews.protocols.technical_assessment.context import (
    AssessmentContext,
    experience_of,
    has_words,
    options_of,
    pairs,
    past,
    position_in,
    say,
    script_of,
    title_of,
)
from interviews.protocols.technical_assessment.difficulty import QuestionAim, nearest
from interviews.protocols.technical_assessment.interviewer import (
    AssessmentQuestionInput,
    BareQuestion,
    QuestionAndAnswer,
    QuestionResponse,
    question_task,
)
from interviews.protocols.technical_assessment.state import AskedQuestion
from llm.tasks.outcome import Source


@dataclass(frozen=True)
class WordedNextQuestion:
    """The question as it is said, or that nothing is left to ask (`asked` is None)."""

    asked: AskedQuestion | None
    text: str = ""
    used: tuple[str, ...] = ()  # the reading whose words these are
    firings: tuple[GuardFiring, ...] = ()
    attempts: int = 0


def worded(
    ctx: AssessmentContext, results: CallResults, aim: QuestionAim
) -> WordedNextQuestion | TaskCall:
    """The question for an aim, or the inquiry that it takes."""
    if options_of(ctx).questions_by == "list":
        return _without_model(ctx, aim)
    firings: tuple[GuardFiring, ...] = ()
    refused: list[str] = []
    for attempt in range(1, _attempts(ctx, aim) + 1):
        key = f"{aim.key}.{attempt}"
        reading = results.get(key)
        if reading is None:
            return _inquiry(ctx, aim, key, refused)
        if reading.source is Source.FALLBACK:
            break
        text, fired = guards.cut(reading.value.question)
        echo = GuardRefusal("repeat", "asked before, in other words") if reading.echoes else None
        why = echo or guards.refused(text, ctx.language, _private(ctx), _past(ctx, aim))
        firings += fired
        if not why:
            asked = _asked(ctx, aim, text, reading.value)
            return WordedNextQuestion(asked, text, (key,), firings, attempt)
        firings += (GuardFiring(why.guard, why.reason, text),)
        refused.append(f"{text} ({why.reason})")
    return replace(_without_model(ctx, aim), firings=firings, attempts=len(refused))


def certain(
    ctx: AssessmentContext, results: CallResults, partials: PartialResults, aim: QuestionAim
) -> str:
    """As much of the question as can be shown while it is being written."""
    found = worded(ctx, results, aim)
    if isinstance(found, WordedNextQuestion):
        return found.text
    text = single_spaced(str(partials.get(found.key, {}).get("question") or ""))
    return guards.certain(text, ctx.language, _private(ctx), _past(ctx, aim))


# -- by the interviewer


def _attempts(ctx: AssessmentContext, aim: QuestionAim) -> int:
    return 1 if aim.manner == "rephrase" else options_of(ctx).attempts


def _past(ctx: AssessmentContext, aim: QuestionAim) -> tuple[str, ...]:
    """What the question may not repeat; other words for the open one are wanted alike."""
    return () if aim.manner == "rephrase" else past(ctx)


def _asked(
    ctx: AssessmentContext, aim: QuestionAim, text: str, said: BareQuestion
) -> AskedQuestion:
    if aim.manner == "rephrase":
        return ctx.state.open.model_copy(update={"again": text})
    reasoning = single_spaced(said.reasoning) if isinstance(said, QuestionResponse) else ""
    return AskedQuestion(text=text, topic=aim.topic, level=aim.level, reasoning=reasoning)


def _inquiry(ctx: AssessmentContext, aim: QuestionAim, key: str, refused: list[str]) -> TaskCall:
    return TaskCall(key, question_task(options_of(ctx)), _data(ctx, aim, refused))


def _data(ctx: AssessmentContext, aim: QuestionAim, refused: list[str]) -> AssessmentQuestionInput:
    options = options_of(ctx)
    return AssessmentQuestionInput(
        persona=ctx.plan.persona,
        language=ctx.language,
        position=position_in(ctx.plan),
        grade=options.grade,
        experience=experience_of(ctx),
        topic=title_of(ctx, aim.topic),
        focus=aim.focus,
        level=aim.level,
        action=aim.action,
        manner=aim.manner,
        question=ctx.state.open.wording,
        history=_history(ctx),
        asked=list(past(ctx)),
        refused=refused,
        reasoning=options.reasoning,
    )


def _history(ctx: AssessmentContext) -> list[QuestionAndAnswer]:
    count = options_of(ctx).history
    return pairs(ctx)[-count:] if count else []


def _private(ctx: AssessmentContext) -> tuple[str, ...]:
    return (ctx.plan.persona, *guards.prompts())


# -- without a model


def _without_model(ctx: AssessmentContext, aim: QuestionAim) -> WordedNextQuestion:
    if aim.manner == "rephrase":
        return _put_plainly(ctx)
    fresh = unused(ctx)
    if not fresh:
        return WordedNextQuestion(None)
    asked = nearest(ctx, aim, fresh)
    return WordedNextQuestion(asked, f"{_lead(ctx, aim, asked)} {asked.text}".strip())


def _put_plainly(ctx: AssessmentContext) -> WordedNextQuestion:
    """The same words once more, with leave to answer by an example."""
    asked = ctx.state.open
    return WordedNextQuestion(asked, say(ctx.language, "rephrased", question=asked.wording))


def unused(ctx: AssessmentContext) -> list[AskedQuestion]:
    """The base questions that nothing like them was asked of yet."""
    return [
        AskedQuestion(text=q.text, topic=q.topic, level=q.level, key=q.key)
        for q in script_of(ctx).questions
        if not guards.repeats(q.text, past(ctx))
    ]


def _lead(ctx: AssessmentContext, aim: QuestionAim, asked: AskedQuestion) -> str:
    """A few words where the topic changes, or has to be found again."""
    if not has_words(ctx.language):
        return ""
    topic = title_of(ctx, asked.topic)
    if asked.topic != ctx.state.topic or ctx.state.open.opening:
        return say(ctx.language, "next_topic", topic=topic)
    return say(ctx.language, "steer_back", topic=topic) if aim.manner == "steer_back" else ""
