"""Life story: a script's questions one after another, each with follow-ups.

The order of a turn, as this file reads:

1. what decides without the planner: a button, a clear request to move on, privacy, the ceiling
2. otherwise the planner is asked, along with the notes and the next question's wording
3. a follow-up, or
4. the next question that isn't answered yet, with a bridge if the answer was moving
5. the outro when no question is left
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from interviews.choices import EntryKind, SessionStatus
from interviews.engine.language.sentences import asks, single_spaced
from interviews.engine.language.wishes import wishes
from interviews.engine.protocol import InterviewProtocol
from interviews.engine.result import (
    CallResults,
    GuardFiring,
    NeedsCalls,
    PartialResults,
    TaskCall,
    TurnResult,
    Utterance,
)
from interviews.engine.signal import hard
from interviews.engine.texts import fixed, named
from interviews.protocols.life_story import task_calls as ask
from interviews.protocols.life_story.guards import (
    adapted_question,
    bridge_only,
    follow_up_problem,
    with_acknowledgement,
)
from interviews.protocols.life_story.notes import update_notes
from interviews.protocols.life_story.script import LifeStoryContext, questions_of, script_of
from interviews.protocols.life_story.state import LifeStoryState, after_time_away, seconds_left
from interviews.protocols.life_story.tasks import Plan
from plans.protocols import PlanContent
from plans.protocols.life_story.content import LifeStoryMaterial

LEAST_SECONDS = 30  # left in the block for a follow-up
MOST_SKIPS = 5  # questions in a row that may be skipped as answered

NextMove = TurnResult[LifeStoryState]


@dataclass(frozen=True)
class MoveOn:
    """Why the interview moves on, and what the planner said about the answer."""

    reason: str
    moving: bool = False  # an emotional answer: a bridge comes first
    transition: str = ""  # the planner's own bridge
    cut_off: str = ""  # a follow-up for which no time was left
    firings: tuple[GuardFiring, ...] = ()


@dataclass(frozen=True)
class SearchResult:
    """The next question (`index` None at the script's end), and what was skipped on the way."""

    index: int | None
    text: str = ""
    used: str = ""  # key of the call that worded it
    skipped: Mapping[str, str] = field(default_factory=dict)  # question's key -> reason
    firings: tuple[GuardFiring, ...] = ()


class LifeStory(InterviewProtocol[LifeStoryState, LifeStoryMaterial]):
    name = "life_story"
    state = LifeStoryState

    def begin(self, plan: PlanContent[Any], language: str) -> LifeStoryState:
        return LifeStoryState()

    def intro(self, ctx: LifeStoryContext) -> Utterance:
        return Utterance(EntryKind.INTRO, named(script_of(ctx).intro, ctx.name))

    def step(self, ctx: LifeStoryContext, results: CallResults) -> NeedsCalls | NextMove:
        ctx = _without_time_away(ctx)
        move_on = reason_to_move_on(ctx)
        if move_on is None:
            plan = results.get(ask.PLAN_KEY)
            if plan is None:
                candidates = search(ctx, {})
                prefetched = () if isinstance(candidates, SearchResult) else candidates
                return NeedsCalls((ask.plan(ctx), *ask.notes(ctx), *prefetched))
            move_on = planner_reason(ctx, plan.value)
            if move_on is None:
                return follow_up(ctx, results, plan.value)
        return next_question(ctx, results, move_on)

    def preview(self, ctx: LifeStoryContext, results: CallResults, partials: PartialResults) -> str:
        return draft(_without_time_away(ctx), results, partials)

    def exit(self, ctx: LifeStoryContext, results: CallResults) -> NextMove:
        text = fixed(ctx.language, "goodbye")
        return _end(ctx, ctx.state, (), text, SessionStatus.STOPPED, "stopped_by_participant")

    def repeat_question(self, ctx: LifeStoryContext) -> Utterance:
        index = max(0, ctx.state.current_question_index)
        question = questions_of(ctx)[index]
        return Utterance(EntryKind.SCRIPTED_QUESTION, question.text, question.key, index + 1)


# -- 1. what decides without the planner


def reason_to_move_on(ctx: LifeStoryContext) -> MoveOn | None:
    if ctx.received.trigger == "opening":
        return MoveOn("opening")
    if ctx.received.trigger == "skip":
        return MoveOn("skip_button")
    if wishes(ctx.answer, "privacy"):
        return MoveOn("privacy")
    if wishes(ctx.answer, "skip"):
        return MoveOn("skip_wish")
    if ctx.state.followups_count >= ctx.material.options.followup_ceiling:
        return MoveOn("ceiling", moving=hard(ctx.answer, ctx.language))
    return None


# -- 2. what the planner decides


def planner_reason(ctx: LifeStoryContext, plan: Plan) -> MoveOn | None:
    if plan.action == "NEXT_QUESTION":
        return MoveOn("planner", plan.emotional_content, plan.transition)
    if _seconds_left(ctx) < LEAST_SECONDS:
        return MoveOn("time_left", plan.emotional_content, cut_off=plan.next_utterance)
    text = single_spaced(plan.next_utterance)
    own = questions_of(ctx)[ctx.state.current_question_index].probes  # never offered twice
    asked = () if text in own else _asked_lines(ctx)
    problem = follow_up_problem(text, ctx.language, ask.private(ctx), asked)
    if problem:
        fired = (GuardFiring("follow_up", problem, plan.next_utterance),)
        return MoveOn("unusable_follow_up", plan.emotional_content, firings=fired)
    return None


# -- 3. a follow-up


def follow_up(ctx: LifeStoryContext, results: CallResults, plan: Plan) -> NeedsCalls | NextMove:
    missing = _missing(results, ask.notes(ctx))
    if missing:
        return NeedsCalls(missing)
    text = single_spaced(plan.next_utterance)
    fired: tuple[GuardFiring, ...] = ()
    if plan.emotional_content:
        text, fired = with_acknowledgement(text, ctx.language, _spoken_lines(ctx), ctx.turn)
    state = _with_notes(ctx, results)
    question = questions_of(ctx)[state.current_question_index].key
    return TurnResult(
        state=state.model_copy(update={"followups_count": state.followups_count + 1}),
        utterances=(Utterance(EntryKind.FOLLOW_UP, text, question),),
        reason="follow_up",
        progress=_progress(ctx, state.current_question_index),
        notes=state.all_notes(),
        spoken_by=(ask.PLAN_KEY,),
        firings=fired,
        details={"assessment": plan.assessment, "why": plan.reason},
    )


# -- 4. the next question


def next_question(
    ctx: LifeStoryContext, results: CallResults, move_on: MoveOn
) -> NeedsCalls | NextMove:
    found = search(ctx, results)
    notes = () if move_on.reason in ("skip_wish", "privacy") else ask.notes(ctx)
    missing = (*_missing(results, notes), *_missing_bridge(ctx, results, move_on))
    if not isinstance(found, SearchResult):
        return NeedsCalls((*missing, *found))
    if missing:
        return NeedsCalls(missing)
    state = _with_notes(ctx, results)
    bridge, fired, spoken_by = _bridge(ctx, results, move_on)
    firings = (*move_on.firings, *fired, *found.firings)
    details = {"skipped": dict(found.skipped)}
    if found.index is None:
        outro = named(script_of(ctx).outro, ctx.name)
        ended = _end(ctx, state, bridge, outro, SessionStatus.COMPLETED, "script_ended")
        return replace(ended, firings=firings, details=details)
    question = questions_of(ctx)[found.index]
    asked = Utterance(EntryKind.SCRIPTED_QUESTION, found.text, question.key, found.index + 1)
    changes = {
        "current_question_index": found.index,
        "followups_count": 0,
        "block_started_at": None,
    }
    return TurnResult(
        state=state.model_copy(update=changes),
        utterances=(*bridge, asked),
        reason=move_on.reason,
        progress=_progress(ctx, found.index),
        notes=state.all_notes(),
        spoken_by=tuple(key for key in (*spoken_by, found.used) if key),
        firings=firings,
        details=details,
    )


def search(ctx: LifeStoryContext, results: CallResults) -> SearchResult | tuple[TaskCall, ...]:
    """Find the first question that the notes don't answer, or the calls needed to know it.

    The first candidate is checked alone (while the planner works), the others side by side. After
    MOST_SKIPS skips in a row the next question is asked in any case, and so is the closing one.
    """
    questions = questions_of(ctx)
    skipped: dict[str, str] = {}
    for index in range(ctx.state.current_question_index + 1, len(questions)):
        question = questions[index]
        if not ctx.state.notes:
            return SearchResult(index, question.text, skipped=skipped)
        may_skip = len(skipped) < MOST_SKIPS
        key = ask.candidate_key(index, may_skip)
        outcome = results.get(key)
        if outcome is None:
            return _candidates(ctx, results, index, len(skipped))
        closing = index == len(questions) - 1
        if may_skip and not closing and outcome.value.action == "skip":
            skipped[question.key] = outcome.value.reason
            continue
        text, fired = adapted_question(outcome.value.question, question.text, ask.private(ctx))
        return SearchResult(index, text, key, skipped, fired)
    return SearchResult(None, skipped=skipped)


def _candidates(
    ctx: LifeStoryContext, results: CallResults, index: int, skips: int
) -> tuple[TaskCall, ...]:
    # one at first; once one was skipped, all up to the one that must be asked
    last = index if skips == 0 else index + MOST_SKIPS - skips
    indices = range(index, min(last + 1, len(questions_of(ctx))))
    calls = tuple(ask.candidate(ctx, i, skips + i - index < MOST_SKIPS) for i in indices)
    return _missing(results, calls)


def _missing_bridge(
    ctx: LifeStoryContext, results: CallResults, move_on: MoveOn
) -> tuple[TaskCall, ...]:
    if not move_on.moving or move_on.transition.strip() or ask.BRIDGE_KEY in results:
        return ()
    return (ask.bridge(ctx, move_on.cut_off),)


def _bridge(
    ctx: LifeStoryContext, results: CallResults, move_on: MoveOn
) -> tuple[tuple[Utterance, ...], tuple[GuardFiring, ...], tuple[str, ...]]:
    if move_on.reason == "privacy":
        text = fixed(ctx.language, "respect", _spoken_lines(ctx), ctx.turn)
        return (Utterance(EntryKind.TRANSITION, text),), (), ()
    if not move_on.moving:
        return (), (), ()
    key = ask.PLAN_KEY if move_on.transition.strip() else ask.BRIDGE_KEY
    words = move_on.transition if key == ask.PLAN_KEY else results[key].value.text
    text, fired = bridge_only(words, ctx.language, _spoken_lines(ctx), ctx.turn, ask.private(ctx))
    return (Utterance(EntryKind.TRANSITION, text),), fired, (key,)


# -- 5. the end


def _end(
    ctx: LifeStoryContext,
    state: LifeStoryState,
    bridge: tuple[Utterance, ...],
    text: str,
    status: SessionStatus,
    reason: str,
) -> NextMove:
    return TurnResult(
        state=state,
        utterances=(*bridge, Utterance(EntryKind.OUTRO, text)),
        reason=reason,
        status=status,
        progress=_progress(ctx, state.current_question_index),
        notes=state.all_notes(),
    )


# -- what is shown before the turn is decided


def draft(ctx: LifeStoryContext, results: CallResults, partials: PartialResults) -> str:
    """Return what is certain of the utterance; nothing until the planner's action is known."""
    move_on = reason_to_move_on(ctx)
    if move_on is None:
        written = _so_far(results, partials, ask.PLAN_KEY)
        if written.get("action") == "FOLLOW_UP":
            return _certain_follow_up(ctx, written)
        if written.get("action") != "NEXT_QUESTION" or "emotional_content" not in written:
            return ""
        move_on = MoveOn("planner", bool(written["emotional_content"]))
        if move_on.moving:
            return _certain_bridge(ctx, results, written)
    if move_on.moving or move_on.reason == "privacy":
        return ""
    return _certain_question(ctx, results, partials)


def _certain_follow_up(ctx: LifeStoryContext, written: Mapping[str, Any]) -> str:
    text = single_spaced(str(written.get("next_utterance") or ""))
    too_late = _seconds_left(ctx) < LEAST_SECONDS
    return "" if too_late or ask.is_private(ctx, text) else text


def _certain_bridge(ctx: LifeStoryContext, results: CallResults, written: Mapping[str, Any]) -> str:
    text = single_spaced(str(written.get("transition") or ""))
    return "" if asks(text) or ask.is_private(ctx, text) else text


def _certain_question(ctx: LifeStoryContext, results: CallResults, partials: PartialResults) -> str:
    found = search(ctx, results)
    if isinstance(found, SearchResult):
        return found.text
    if len(found) > 1:
        return ""
    written = _so_far(results, partials, found[0].key)
    text = single_spaced(str(written.get("question") or ""))
    return text if written.get("action") == "ask" and not ask.is_private(ctx, text) else ""


def _so_far(results: CallResults, partials: PartialResults, key: str) -> Mapping[str, Any]:
    whole = results.get(key)
    return whole.value.model_dump() if whole else partials.get(key, {})


# -- helpers


def _without_time_away(ctx: LifeStoryContext) -> LifeStoryContext:
    state = after_time_away(ctx.state, ctx.received.at, ctx.received.away_seconds)
    return replace(ctx, state=state)


def _seconds_left(ctx: LifeStoryContext) -> int:
    block = questions_of(ctx)[ctx.state.current_question_index].block_seconds
    return seconds_left(ctx.state, block, ctx.received.at)


def _with_notes(ctx: LifeStoryContext, results: CallResults) -> LifeStoryState:
    outcome = results.get(ask.NOTES_KEY)
    if outcome is None:
        return ctx.state
    pairs = [(pair.key, pair.value) for pair in outcome.value.learned]
    notes = update_notes(ctx.state.notes, pairs, outcome.value.denied, ctx.received.position)
    return ctx.state.model_copy(update={"notes": notes})


def _missing(results: CallResults, calls: tuple[TaskCall, ...]) -> tuple[TaskCall, ...]:
    return tuple(call for call in calls if call.key not in results)


def _progress(ctx: LifeStoryContext, index: int) -> tuple[int, int, str]:
    return max(0, index) + 1, len(questions_of(ctx)), "questions"


def _spoken_lines(ctx: LifeStoryContext) -> tuple[str, ...]:
    return tuple(line.text for line in ctx.transcript if line.role == "interviewer")


def _asked_lines(ctx: LifeStoryContext) -> tuple[str, ...]:
    asking = (EntryKind.SCRIPTED_QUESTION, EntryKind.FOLLOW_UP)
    return tuple(line.text for line in ctx.transcript if line.kind in asking)


PROTOCOL = LifeStory()
