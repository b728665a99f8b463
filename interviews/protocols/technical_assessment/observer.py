"""The observer's call, and what it advises for the next question, also while it still writes.

Only what answers the question, or honestly doesn't, changes how hard the interview is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from interviews.engine.result import CallResults, PartialResults, TaskCall
from interviews.protocols.technical_assessment.analysis import (
    MAX_NOTE,
    NOT_JUDGED,
    Action,
    ObserverAnalysis,
    ObserverInput,
)
from interviews.protocols.technical_assessment.context import (
    AssessmentContext,
    earlier_answers,
    expected_answer,
    experience_text,
    open_wording,
    position_name,
    rubric,
    script_of,
    topic_title,
)
from llm.tasks.outcome import Source
from llm.tasks.task import Retries, Task, Tier
from plans.protocols.technical_assessment.content import TechnicalAssessmentOptions

KEY = "observer"
MAX_TOKENS = 900  # Cyrillic notes take many
PAUSES = (1.0, 2.0)  # seconds between attempts
TEMPLATE = Path(__file__).parent / "prompts/observer.md"
OPENING = "It is the first question. Its answer is about experience and is never scored."
CONFIRMING = "They have just been asked whether to end the interview."


def observer_task(options: TechnicalAssessmentOptions) -> Task[ObserverInput, ObserverAnalysis]:
    return Task(
        name="technical_assessment.observer",
        tier=Tier.MAIN,
        template=TEMPLATE,
        input=ObserverInput,
        output=ObserverAnalysis,
        fallback=lambda data: NOT_JUDGED,
        timeout=options.observer_seconds,
        max_tokens=MAX_TOKENS,
        temperature=0.2,
        retries=Retries(PAUSES, options.observer_seconds, options.cooldown_seconds),
    )


OBSERVER = observer_task(TechnicalAssessmentOptions())


def observer_call(ctx: AssessmentContext) -> TaskCall:
    options, asked = ctx.material.options, ctx.state.open
    data = ObserverInput(
        language=ctx.language,
        position=position_name(ctx.plan),
        grade=options.grade,
        experience=experience_text(ctx),
        topic=topic_title(ctx, asked.topic),
        topics=[topic.title for topic in script_of(ctx).topics],
        closed=list(ctx.state.closed),
        level=asked.level,
        opening=OPENING if asked.opening else "",
        question=open_wording(ctx),
        expected=expected_answer(ctx, asked),
        rubric=[] if asked.opening else rubric(ctx, asked.topic),
        earlier=earlier_answers(ctx),
        confirming=CONFIRMING if ctx.state.awaiting == "stop" else "",
        answer=ctx.answer,
    )
    return TaskCall(KEY, observer_task(options), data)


ANSWERING = ("answer", "dont_know")  # intents
DECIDING = ("action", "suggested_topic")  # what the next question depends on, besides the reading


@dataclass(frozen=True)
class Advice:
    action: Action = "same"
    suggested_topic: str = ""


AS_BEFORE = Advice()


def advice(ctx: AssessmentContext, results: CallResults) -> Advice | None:
    """Return the advice; None while the observer is needed for it."""
    if ctx.received.trigger == "skip" or not is_answer(ctx):
        return AS_BEFORE
    outcome = results.get(KEY)
    if outcome is None:
        return None
    if outcome.source is Source.FALLBACK:
        return AS_BEFORE
    return Advice(outcome.value.action, outcome.value.suggested_topic)


def is_answer(ctx: AssessmentContext) -> bool:
    return ctx.reading.intent in ANSWERING and ctx.reading.care == "none"


def certain_advice(
    ctx: AssessmentContext, results: CallResults, partials: PartialResults
) -> Advice | None:
    """Return what the unfinished reply is certain to come to, or None."""
    written = _finished_fields(partials.get(KEY, {}))
    return advice(ctx, results) or (_advice(written) if set(DECIDING) <= set(written) else None)


def likely_advice(
    ctx: AssessmentContext, results: CallResults, partials: PartialResults
) -> Advice | None:
    """Return what it probably comes to, from the first letter of the action on."""
    partial = partials.get(KEY, {})
    topic = _finished_fields(partial).get("suggested_topic")
    return advice(ctx, results) or _advice({**partial, "suggested_topic": topic})


def _advice(written: Mapping[str, Any]) -> Advice | None:
    prefix = str(written.get("action") or "").strip().lower()
    action = next((one for one in get_args(Action) if prefix and one.startswith(prefix)), None)
    topic = str(written.get("suggested_topic") or "").strip()[:MAX_NOTE]
    return Advice(action, topic) if action else None


def _finished_fields(partial: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields without the last one, which may still grow."""
    return dict(list(partial.items())[:-1])
