"""What an answer comes to: by rules where its meaning is clear, else by the observer.

A question back, a request to clarify and an evident attempt to lead the interview elsewhere cost no
call: nothing in them is to be judged. Whoever says that they don't know has answered, so the
observer is asked, but it can't take that for a wish to stop or for a question.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pydantic import ValidationError

from interviews.choices import RULES
from interviews.engine.language.intents import Meaning, left_out, meaning
from interviews.engine.result import CallResults, PartialResults, TaskCall
from interviews.protocols.technical_assessment.analysis import Action
from interviews.protocols.technical_assessment.context import (
    AssessmentContext,
    expected_of,
    experience_of,
    options_of,
    position_in,
    script_of,
    title_of,
)
from interviews.protocols.technical_assessment.observer import (
    ObserverAnalysis,
    ObserverInput,
    Scores,
    observer_task,
)

OBSERVER = "observer"
MOST_ASIDES = 2  # questions back in a row; the next one is taken for an answer
DECIDING = (
    "action",
    "suggested_topic",
    "stop_intent",
    "off_topic",
    "role_reversal",
    "clarification",
)
UNREAD = {"status": "gap", "scores": {"correctness": 0, "confidence": 0}}  # stands for nothing
What = Literal["answer", "aside", "clarify", "stop"]


@dataclass(frozen=True)
class AssessedAnswer:
    """What was said, how it was judged, and by whom."""

    what: What
    analysis: ObserverAnalysis
    source: str = RULES


def hear(ctx: AssessmentContext, results: CallResults) -> AssessedAnswer | TaskCall:
    """The answer understood, or the inquiry that this takes."""
    clear = _clear(ctx)
    if clear is not None:
        return clear
    reading = results.get(OBSERVER)
    if reading is None:
        return _inquiry(ctx)
    return _read(ctx, reading.value, str(reading.source))


def foreseen(
    ctx: AssessmentContext, results: CallResults, partials: PartialResults
) -> AssessedAnswer | None:
    """What the half-written reply is certain to come to, as far as the next question needs it.

    What is no question back is no request to clarify either.
    """
    whole = _whole(partials.get(OBSERVER, {}))
    needed = set(DECIDING)
    if whole.get("role_reversal") is False:
        needed.discard("clarification")
    return _heard(ctx, results, whole if whole.keys() >= needed else {})


def guessed(
    ctx: AssessmentContext, results: CallResults, partials: PartialResults
) -> AssessedAnswer | None:
    """What it seems to come to, from the first letter of the action on.

    The rare flags stand later; where one is set, the question asked for meanwhile is dropped.
    """
    partial = partials.get(OBSERVER, {})
    begun = str(partial.get("action", "")).strip().lower()
    action = next((one for one in get_args(Action) if begun and one.startswith(begun)), None)
    return _heard(ctx, results, {**_whole(partial), "action": action} if action else {})


def _whole(partial: Mapping[str, Any]) -> Mapping[str, Any]:
    """Without the last field if that may still grow; a yes or no is there only once it is whole."""
    if not partial or isinstance(list(partial.values())[-1], bool):
        return partial
    return dict(list(partial.items())[:-1])


def _heard(
    ctx: AssessmentContext, results: CallResults, partial: Mapping[str, Any]
) -> AssessedAnswer | None:
    """By rules or a whole reading where there is one, else by the deciding fields of a part."""
    heard = hear(ctx, results)
    if isinstance(heard, AssessedAnswer):
        return heard
    deciding = {key: partial[key] for key in DECIDING if key in partial}
    try:
        return _read(ctx, ObserverAnalysis.model_validate({**UNREAD, **deciding}), "")
    except ValidationError:  # no action yet, or nothing that the whole could be read from
        return None


# -- by rules


def _clear(ctx: AssessmentContext) -> AssessedAnswer | None:
    open_question = ctx.state.open.wording
    if ctx.received.trigger == "skip" or left_out(ctx.answer, ctx.language, open_question):
        return AssessedAnswer("answer", _gap("decrease", "The question was left out."))
    match _meaning(ctx):
        case Meaning.STOP if not ctx.state.stop_offered:
            return AssessedAnswer("stop", _gap("same", stop_intent=True))
        case Meaning.CLARIFY if _may_ask_back(ctx):
            return AssessedAnswer("clarify", _gap("same", role_reversal=True, clarification=True))
        case Meaning.QUESTION if _may_ask_back(ctx):
            return AssessedAnswer("aside", _gap("same", role_reversal=True))
        case Meaning.OFF_TOPIC:
            return AssessedAnswer("answer", _gap("same", "Not about the question.", off_topic=True))
    return None


def _meaning(ctx: AssessmentContext) -> Meaning | None:
    return meaning(ctx.answer, ctx.language, ctx.state.open.wording)


def _may_ask_back(ctx: AssessmentContext) -> bool:
    return ctx.state.asides < MOST_ASIDES


def _gap(action: str, notes: str = "", **flags: bool) -> ObserverAnalysis:
    """Nothing was shown of what the question asks."""
    nothing = Scores(correctness=0, confidence=0)
    return ObserverAnalysis.model_validate(
        {"action": action, "status": "gap", "scores": nothing, "notes": notes, **flags}
    )


# -- by the observer


def _read(ctx: AssessmentContext, analysis: ObserverAnalysis, source: str) -> AssessedAnswer:
    return AssessedAnswer(_what(ctx, analysis), analysis, source)


def _what(ctx: AssessmentContext, analysis: ObserverAnalysis) -> What:
    if _meaning(ctx) is Meaning.NOT_KNOWING:
        return "answer"
    if analysis.stop_intent and not ctx.state.stop_offered:
        return "stop"
    if analysis.role_reversal and _may_ask_back(ctx):
        return "clarify" if analysis.clarification else "aside"
    return "answer"


def _inquiry(ctx: AssessmentContext) -> TaskCall:
    options, asked = options_of(ctx), ctx.state.open
    data = ObserverInput(
        language=ctx.language,
        position=position_in(ctx.plan),
        grade=options.grade,
        experience=experience_of(ctx),
        topic=title_of(ctx, asked.topic),
        topics=[topic.title for topic in script_of(ctx).topics],
        question=asked.wording,
        expected=expected_of(ctx, asked),
        answer=ctx.answer,
    )
    return TaskCall(OBSERVER, observer_task(options), data)
