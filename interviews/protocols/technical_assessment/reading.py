"""Understands an answer: by rules where its meaning is clear, else through the observer.

A question back, a request to clarify and an evident attempt to lead the interview elsewhere cost no
model call, as there is nothing in them to judge. "I don't know" is an answer, so the observer is
asked, but can't take it for a wish to stop or for a question.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pydantic import ValidationError

from interviews.choices import RULES
from interviews.engine.language.intents import Meaning, left_out, meaning
from interviews.engine.result import CallResults, PartialResults, TaskCall
from interviews.protocols.technical_assessment.analysis import (
    Action,
    ObserverAnalysis,
    ObserverInput,
    Scores,
)
from interviews.protocols.technical_assessment.context import (
    AssessmentContext,
    expected_answer,
    experience_text,
    position_name,
    script_of,
    topic_title,
)
from interviews.protocols.technical_assessment.observer import observer_task

OBSERVER = "observer"
MAX_ASIDES = 2  # questions back in a row; the next one counts as an answer
DECIDING = (
    "action",
    "suggested_topic",
    "stop_intent",
    "off_topic",
    "role_reversal",
    "clarification",
)
PLACEHOLDERS = {  # for fields that are not written yet
    "status": "gap",
    "scores": {"correctness": 0, "confidence": 0},
}
AnswerKind = Literal["answer", "aside", "clarify", "stop"]


@dataclass(frozen=True)
class AssessedAnswer:
    kind: AnswerKind
    analysis: ObserverAnalysis
    source: str = RULES


def assess(ctx: AssessmentContext, results: CallResults) -> AssessedAnswer | TaskCall:
    """Return the assessed answer, or the observer call that this takes."""
    by_rules = _assess_by_rules(ctx)
    if by_rules is not None:
        return by_rules
    result = results.get(OBSERVER)
    if result is None:
        return _observer_call(ctx)
    return _by_observer(ctx, result.value, str(result.source))


def certain_assessment(
    ctx: AssessmentContext, results: CallResults, partials: PartialResults
) -> AssessedAnswer | None:
    """Return what the unfinished reply is certain to come to, or None.

    The next question needs only the deciding fields; without `role_reversal`, no `clarification`.
    """
    fields = _finished_fields(partials.get(OBSERVER, {}))
    needed = set(DECIDING)
    if fields.get("role_reversal") is False:
        needed.discard("clarification")
    return _assess_partial(ctx, results, fields if fields.keys() >= needed else {})


def likely_assessment(
    ctx: AssessmentContext, results: CallResults, partials: PartialResults
) -> AssessedAnswer | None:
    """Return what the unfinished reply probably comes to, from the first letter of its action on.

    The rare flags are written later; if one is set, the question requested meanwhile is dropped.
    """
    partial = partials.get(OBSERVER, {})
    prefix = str(partial.get("action", "")).strip().lower()
    action = next((one for one in get_args(Action) if prefix and one.startswith(prefix)), None)
    return _assess_partial(
        ctx, results, {**_finished_fields(partial), "action": action} if action else {}
    )


def _finished_fields(partial: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields without the last one if that may still grow; booleans arrive whole."""
    if not partial or isinstance(list(partial.values())[-1], bool):
        return partial
    return dict(list(partial.items())[:-1])


def _assess_partial(
    ctx: AssessmentContext, results: CallResults, partial: Mapping[str, Any]
) -> AssessedAnswer | None:
    assessed = assess(ctx, results)
    if isinstance(assessed, AssessedAnswer):
        return assessed
    deciding = {key: partial[key] for key in DECIDING if key in partial}
    try:
        return _by_observer(ctx, ObserverAnalysis.model_validate({**PLACEHOLDERS, **deciding}), "")
    except ValidationError:  # no action yet, or nothing that the whole could be read from
        return None


# -- by rules


def _assess_by_rules(ctx: AssessmentContext) -> AssessedAnswer | None:
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
    return ctx.state.asides < MAX_ASIDES


def _gap(action: str, notes: str = "", **flags: bool) -> ObserverAnalysis:
    nothing = Scores(correctness=0, confidence=0)
    return ObserverAnalysis.model_validate(
        {"action": action, "status": "gap", "scores": nothing, "notes": notes, **flags}
    )


# -- by the observer


def _by_observer(ctx: AssessmentContext, analysis: ObserverAnalysis, source: str) -> AssessedAnswer:
    return AssessedAnswer(_answer_kind(ctx, analysis), analysis, source)


def _answer_kind(ctx: AssessmentContext, analysis: ObserverAnalysis) -> AnswerKind:
    if _meaning(ctx) is Meaning.NOT_KNOWING:
        return "answer"
    if analysis.stop_intent and not ctx.state.stop_offered:
        return "stop"
    if analysis.role_reversal and _may_ask_back(ctx):
        return "clarify" if analysis.clarification else "aside"
    return "answer"


def _observer_call(ctx: AssessmentContext) -> TaskCall:
    options, asked = ctx.material.options, ctx.state.open
    data = ObserverInput(
        language=ctx.language,
        position=position_name(ctx.plan),
        grade=options.grade,
        experience=experience_text(ctx),
        topic=topic_title(ctx, asked.topic),
        topics=[topic.title for topic in script_of(ctx).topics],
        question=asked.wording,
        expected=expected_answer(ctx, asked),
        answer=ctx.answer,
    )
    return TaskCall(OBSERVER, observer_task(options), data)
