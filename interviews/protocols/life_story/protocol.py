"""Life story: the script's questions one after another, each with follow-ups while it gives more.

The order of a turn, as this file reads:

1. what settles the move by itself: a button, a clear wish to move on, privacy, the ceiling
2. otherwise the planner is asked, beside the notes and the next question's wording
3. a follow-up, or
4. the next question, with a bridge where the answer was moving, past those already answered
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
from interviews.engine.texts import fixed
from interviews.protocols.life_story import task_calls as ask
from interviews.protocols.life_story.guards import (
    acknowledged,
    adapted_question,
    bridge_only,
    unusable_follow_up,
)
from interviews.protocols.life_story.notes import taken_in
from interviews.protocols.life_story.script import (
    LifeStoryContext,
    intro_text,
    outro_text,
    questions_of,
)
from interviews.protocols.life_story.state import LifeStoryState, after_time_away, seconds_left
from interviews.protocols.life_story.tasks import Plan
from plans.protocols import PlanContent
from plans.protocols.life_story.content import LifeStoryMaterial

LEAST_SECONDS = 30  # with less left in the block the next question comes
MOST_SKIPS = 5  # questions in a row that may be left out as known

NextMove = TurnResult[LifeStoryState]


@dataclass(frozen=True)
class MoveOn:
    """Why the interview moves on, and what the planner said of the answer."""

    reason: str
    moving: bool = False  # the answer moved or hurt: a bridge comes first
    transition: str = ""  # the planner's own bridge
    cut_off: str = ""  # the follow-up that there was no time for
    firings: tuple[GuardFiring, ...] = ()


@dataclass(frozen=True)
class SearchResult:
    """The next question, or the script's end; and what was left out on the way."""

    index: int | None
    text: str = ""
    used: str = ""  # the reading that worded it
    skipped: Mapping[str, str] = field(default_factory=dict)  # question's key -> why
    firings: tuple[GuardFiring, ...] = ()


class LifeStory(InterviewProtocol[LifeStoryState, LifeStoryMaterial]):
    name = "life_story"
    state = LifeStoryState

    def begin(self, plan: PlanContent[Any], language: str) -> LifeStoryState:
        return LifeStoryState()

    def intro(self, ctx: LifeStoryContext) -> Utterance:
        return Utterance(EntryKind.INTRO, intro_text(ctx))

    def step(self, ctx: LifeStoryContext, results: CallResults) -> NeedsCalls | NextMove:
        here = _without_time_away(ctx)
        onward = settled(here)
        if onward is None:
            plan = results.get(ask.PLAN_KEY)
            if plan is None:
                return NeedsCalls((ask.plan(here), *ask.notes(here), *_first_candidate(here)))
            onward = planned(here, plan.value)
            if onward is None:
                return follow_up(here, results, plan.value)
        return next_question(here, results, onward)

    def preview(self, ctx: LifeStoryContext, results: CallResults, partials: PartialResults) -> str:
        return draft(_without_time_away(ctx), results, partials)

    def exit(self, ctx: LifeStoryContext, results: CallResults) -> NextMove:
        text = fixed(ctx.language, "goodbye")
        return _end(ctx, ctx.state, (), text, SessionStatus.STOPPED, "stopped_by_participant")

    def repeat_question(self, ctx: LifeStoryContext) -> Utterance:
        index = max(0, ctx.state.current_question_index)
        question = questions_of(ctx)[index]
        return Utterance(EntryKind.SCRIPTED_QUESTION, question.text, question.key, index + 1)


# -- 1. what settles the move by itself


def settled(ctx: LifeStoryContext) -> MoveOn | None:
    """Why the next question comes without asking the planner; None if it has to be asked."""
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


# -- 2. what the planner's reading comes to


def planned(ctx: LifeStoryContext, plan: Plan) -> MoveOn | None:
    """Why the next question comes although the planner was asked; None for a follow-up."""
    if plan.action == "NEXT_QUESTION":
        return MoveOn("planner", plan.emotional_content, plan.transition)
    if _seconds_left(ctx) < LEAST_SECONDS:
        return MoveOn("time_left", plan.emotional_content, cut_off=plan.next_utterance)
    said = single_spaced(plan.next_utterance)
    why = unusable_follow_up(said, ctx.language, ask.private(ctx), _asked(ctx))
    if why:
        fired = (GuardFiring("follow_up", why, plan.next_utterance),)
        return MoveOn("unusable_follow_up", plan.emotional_content, firings=fired)
    return None


# -- 3. a follow-up


def follow_up(ctx: LifeStoryContext, results: CallResults, plan: Plan) -> NeedsCalls | NextMove:
    """The planner's own words; the notes are waited for, since they belong to the turn."""
    missing = _missing(results, ask.notes(ctx))
    if missing:
        return NeedsCalls(missing)
    text = single_spaced(plan.next_utterance)
    fired: tuple[GuardFiring, ...] = ()
    if plan.emotional_content:
        text, fired = acknowledged(text, ctx.language, _said(ctx), ctx.turn)
    state = _with_notes(ctx, results)
    question = questions_of(ctx)[state.current_question_index].key
    return TurnResult(
        state=state.model_copy(update={"followups_count": state.followups_count + 1}),
        utterances=(Utterance(EntryKind.FOLLOW_UP, text, question),),
        reason="follow_up",
        progress=_progress(ctx, state.current_question_index),
        notes=state.learned(),
        spoken_by=(ask.PLAN_KEY,),
        firings=fired,
        details={"assessment": plan.assessment, "why": plan.reason},
    )


# -- 4. the next question


def next_question(
    ctx: LifeStoryContext, results: CallResults, onward: MoveOn
) -> NeedsCalls | NextMove:
    """A bridge if need be, then the first question that isn't answered yet."""
    found = search(ctx, results)
    missing = (
        *_missing(results, _notes_due(ctx, onward)),
        *_missing_bridge(ctx, results, onward),
    )
    if not isinstance(found, SearchResult):
        return NeedsCalls((*missing, *found))
    if missing:
        return NeedsCalls(missing)
    state = _with_notes(ctx, results)
    bridge, fired, spoken_by = _bridge(ctx, results, onward)
    firings = (*onward.firings, *fired, *found.firings)
    details = {"skipped": dict(found.skipped)}
    if found.index is None:
        return replace(
            _end(ctx, state, bridge, outro_text(ctx), SessionStatus.COMPLETED, "script_ended"),
            firings=firings,
            details=details,
        )
    question = questions_of(ctx)[found.index]
    asked = Utterance(EntryKind.SCRIPTED_QUESTION, found.text, question.key, found.index + 1)
    return TurnResult(
        state=state.model_copy(
            update={
                "current_question_index": found.index,
                "followups_count": 0,
                "block_started_at": None,
            }
        ),
        utterances=(*bridge, asked),
        reason=onward.reason,
        progress=_progress(ctx, found.index),
        notes=state.learned(),
        spoken_by=tuple(key for key in (*spoken_by, found.used) if key),
        firings=firings,
        details=details,
    )


def _notes_due(ctx: LifeStoryContext, onward: MoveOn) -> tuple[TaskCall, ...]:
    return () if onward.reason in ("skip_wish", "privacy") else ask.notes(ctx)


def search(ctx: LifeStoryContext, results: CallResults) -> SearchResult | tuple[TaskCall, ...]:
    """The first question that the notes don't answer, or what must be read to know it.

    The first candidate is looked at alone (while the planner thinks), the others side by side;
    after MOST_SKIPS in a row the next may not be skipped.
    """
    questions = questions_of(ctx)
    skipped: dict[str, str] = {}
    for index in range(ctx.state.current_question_index + 1, len(questions)):
        question = questions[index]
        if not ctx.state.notes:
            return SearchResult(index, question.text, skipped=skipped)
        may_skip = len(skipped) < MOST_SKIPS
        reading = results.get(ask.candidate_key(index, may_skip))
        if reading is None:
            return _candidates(ctx, results, index, len(skipped))
        if may_skip and reading.value.action == "skip":
            skipped[question.key] = reading.value.reason
            continue
        text, fired = adapted_question(reading.value.question, question.text, ask.private(ctx))
        key = ask.candidate_key(index, may_skip)
        return SearchResult(index, text, key, skipped, fired)
    return SearchResult(None, skipped=skipped)


def _candidates(
    ctx: LifeStoryContext, results: CallResults, index: int, skips: int
) -> tuple[TaskCall, ...]:
    """One at first; once one was skipped, all up to the one that must be asked."""
    last = index if skips == 0 else index + MOST_SKIPS - skips
    every = range(index, min(last + 1, len(questions_of(ctx))))
    wanted = (ask.candidate(ctx, i, skips + i - index < MOST_SKIPS) for i in every)
    return tuple(inquiry for inquiry in wanted if inquiry.key not in results)


def _first_candidate(ctx: LifeStoryContext) -> tuple[TaskCall, ...]:
    found = search(ctx, {})
    return () if isinstance(found, SearchResult) else found


def _missing_bridge(
    ctx: LifeStoryContext, results: CallResults, onward: MoveOn
) -> tuple[TaskCall, ...]:
    if not onward.moving or onward.transition.strip() or ask.BRIDGE_KEY in results:
        return ()
    return (ask.bridge(ctx, onward.cut_off),)


def _bridge(
    ctx: LifeStoryContext, results: CallResults, onward: MoveOn
) -> tuple[tuple[Utterance, ...], tuple[GuardFiring, ...], tuple[str, ...]]:
    """The bridge as utterance (or none), guards fired, and the reading that worded it."""
    if onward.reason == "privacy":
        text = fixed(ctx.language, "respect", _said(ctx), ctx.turn)
        return (Utterance(EntryKind.TRANSITION, text),), (), ()
    if not onward.moving:
        return (), (), ()
    key = ask.PLAN_KEY if onward.transition.strip() else ask.BRIDGE_KEY
    words = onward.transition if key == ask.PLAN_KEY else results[key].value.text
    text, fired = bridge_only(words, ctx.language, _said(ctx), ctx.turn, ask.private(ctx))
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
        notes=state.learned(),
    )


# -- what is shown before the turn is settled


def draft(ctx: LifeStoryContext, results: CallResults, partials: PartialResults) -> str:
    """The utterance as far as it is certain: nothing until the planner's action is known."""
    onward = settled(ctx)
    if onward is None:
        written = _written(results, partials, ask.PLAN_KEY)
        if written.get("action") == "FOLLOW_UP":
            return _certain_follow_up(ctx, written)
        if written.get("action") != "NEXT_QUESTION" or "emotional_content" not in written:
            return ""
        onward = MoveOn("planner", bool(written["emotional_content"]))
        if onward.moving:
            return _certain_bridge(ctx, results, written)
    if onward.moving or onward.reason == "privacy":
        return ""
    return _certain_question(ctx, results, partials)


def _certain_follow_up(ctx: LifeStoryContext, written: Mapping[str, Any]) -> str:
    text = single_spaced(str(written.get("next_utterance") or ""))
    too_late = _seconds_left(ctx) < LEAST_SECONDS
    return "" if too_late or ask.said_in_private(ctx, text) else text


def _certain_bridge(ctx: LifeStoryContext, results: CallResults, written: Mapping[str, Any]) -> str:
    text = single_spaced(str(written.get("transition") or ""))
    return "" if asks(text) or ask.said_in_private(ctx, text) else text


def _certain_question(ctx: LifeStoryContext, results: CallResults, partials: PartialResults) -> str:
    """The first candidate as it is being worded; later ones come whole."""
    found = search(ctx, results)
    if isinstance(found, SearchResult):
        return found.text
    if len(found) > 1:
        return ""
    written = _written(results, partials, found[0].key)
    text = single_spaced(str(written.get("question") or ""))
    return text if written.get("action") == "ask" and not ask.said_in_private(ctx, text) else ""


def _written(results: CallResults, partials: PartialResults, key: str) -> Mapping[str, Any]:
    whole = results.get(key)
    return whole.value.model_dump() if whole else partials.get(key, {})


# -- small things that several of these need


def _without_time_away(ctx: LifeStoryContext) -> LifeStoryContext:
    heard = ctx.received
    return replace(ctx, state=after_time_away(ctx.state, heard.at, heard.away_seconds))


def _seconds_left(ctx: LifeStoryContext) -> int:
    block = questions_of(ctx)[ctx.state.current_question_index].block_seconds
    return seconds_left(ctx.state, block, ctx.received.at)


def _with_notes(ctx: LifeStoryContext, results: CallResults) -> LifeStoryState:
    reading = results.get(ask.NOTES_KEY)
    if reading is None:
        return ctx.state
    pairs = [(pair.key, pair.value) for pair in reading.value.learned]
    notes = taken_in(ctx.state.notes, pairs, reading.value.denied, ctx.received.position)
    return ctx.state.model_copy(update={"notes": notes})


def _missing(results: CallResults, inquiries: tuple[TaskCall, ...]) -> tuple[TaskCall, ...]:
    return tuple(inquiry for inquiry in inquiries if inquiry.key not in results)


def _progress(ctx: LifeStoryContext, index: int) -> tuple[int, int, str]:
    return max(0, index) + 1, len(questions_of(ctx)), "questions"


def _said(ctx: LifeStoryContext) -> tuple[str, ...]:
    return tuple(line.text for line in ctx.transcript if line.role == "interviewer")


def _asked(ctx: LifeStoryContext) -> tuple[str, ...]:
    asking = (EntryKind.SCRIPTED_QUESTION, EntryKind.FOLLOW_UP)
    return tuple(line.text for line in ctx.transcript if line.kind in asking)


PROTOCOL = LifeStory()
