"""What the observer advises for the next question, also while it still writes.

Only what answers the question, or honestly doesn't, changes how hard the interview is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from interviews.engine.result import CallResults, PartialResults
from interviews.protocols.technical_assessment.analysis import MAX_NOTE, Action
from interviews.protocols.technical_assessment.context import AssessmentContext
from interviews.protocols.technical_assessment.observer import KEY
from llm.tasks.outcome import Source

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
    return advice(ctx, results) or _advice({**partial, **{"suggested_topic": _topic(partial)}})


def _advice(written: Mapping[str, Any]) -> Advice | None:
    prefix = str(written.get("action") or "").strip().lower()
    action = next((one for one in get_args(Action) if prefix and one.startswith(prefix)), None)
    topic = str(written.get("suggested_topic") or "").strip()[:MAX_NOTE]
    return Advice(action, topic) if action else None


def _topic(partial: Mapping[str, Any]) -> Any:
    return _finished_fields(partial).get("suggested_topic")


def _finished_fields(partial: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields without the last one, which may still grow."""
    return dict(list(partial.items())[:-1])
