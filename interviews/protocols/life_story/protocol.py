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
from interviews.engine.signal import hard
from interviews.engine.texts import fixed
from interviews.engine.types import (
    CallResults,
    GuardFiring,
    InterviewProtocol,
    NeedsCalls,
    PartialResults,
    TaskCall,
    TurnContext,
    TurnResult,
    Utterance,
)
from interviews.protocols.life_story import task_calls as ask
from interviews.protocols.life_story.guards import (
    acknowledged,
    adapted_question,
    bridge_only,
    unusable_follow_up,
)
from interviews.protocols.life_story.notes import taken_in
from interviews.protocols.life_story.script import intro_text, outro_text, questions_of
from interviews.protocols.life_story.state import LifeStoryState, after_time_away, seconds_left
from interviews.protocols.life_story.tasks import Plan
from plans.protocols import PlanContent
from plans.protocols.life_story.content import LifeStoryMaterial

LEAST_SECONDS = 30  # with less left in the block the next question comes
MOST_SKIPS = 5  # questions in a row that may be left out as known

Here = TurnContext[LifeStoryState, LifeStoryMaterial]
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
    """The protocol of the module's docstring."""

    name = "life_story"
    state = LifeStoryState

    def begin(self, plan: PlanContent[Any], language: str) -> LifeStoryState:
        """Before the first question."""
        return LifeStoryState()

    def intro(self, now: Here) -> Utterance:
        """The script's intro with the participant's name."""
        return Utterance(EntryKind.INTRO, intro_text(now))

    def step(self, now: Here, readings: CallResults) -> NeedsCalls | NextMove:
        """See the module's docstring."""
        here = _without_time_away(now)
        onward = settled(here)
        if onward is None:
            plan = readings.get(ask.PLAN_KEY)
            if plan is None:
                return NeedsCalls((ask.plan(here), *ask.notes(here), *_first_candidate(here)))
            onward = planned(here, plan.value)
            if onward is None:
                return follow_up(here, readings, plan.value)
        return next_question(here, readings, onward)

    def preview(self, now: Here, readings: CallResults, partials: PartialResults) -> str:
        """What is certain to be said, out of half-written replies."""
        return draft(_without_time_away(now), readings, partials)

    def exit(self, now: Here, readings: CallResults) -> NextMove:
        """The participant ends it: the outro."""
        text = fixed(now.language, "goodbye")
        return _end(now, now.state, (), text, SessionStatus.STOPPED, "stopped_by_participant")

    def repeat_question(self, now: Here) -> Utterance:
        """The question that is open, as it stands in the script."""
        index = max(0, now.state.current_question_index)
        question = questions_of(now)[index]
        return Utterance(EntryKind.SCRIPTED_QUESTION, question.text, question.key, index + 1)


# -- 1. what settles the move by itself


def settled(now: Here) -> MoveOn | None:
    """Why the next question comes without asking the planner; None if it has to be asked."""
    if now.received.trigger == "opening":
        return MoveOn("opening")
    if now.received.trigger == "skip":
        return MoveOn("skip_button")
    if wishes(now.answer, "privacy"):
        return MoveOn("privacy")
    if wishes(now.answer, "skip"):
        return MoveOn("skip_wish")
    if now.state.followups_count >= now.material.options.followup_ceiling:
        return MoveOn("ceiling", moving=hard(now.answer, now.language))
    return None


# -- 2. what the planner's reading comes to


def planned(now: Here, plan: Plan) -> MoveOn | None:
    """Why the next question comes although the planner was asked; None for a follow-up."""
    if plan.action == "NEXT_QUESTION":
        return MoveOn("planner", plan.emotional_content, plan.transition)
    if _seconds_left(now) < LEAST_SECONDS:
        return MoveOn("time_left", plan.emotional_content, cut_off=plan.next_utterance)
    said = single_spaced(plan.next_utterance)
    why = unusable_follow_up(said, now.language, ask.private(now), _asked(now))
    if why:
        fired = (GuardFiring("follow_up", why, plan.next_utterance),)
        return MoveOn("unusable_follow_up", plan.emotional_content, firings=fired)
    return None


# -- 3. a follow-up


def follow_up(now: Here, readings: CallResults, plan: Plan) -> NeedsCalls | NextMove:
    """The planner's own words; the notes are waited for, since they belong to the turn."""
    missing = _missing(readings, ask.notes(now))
    if missing:
        return NeedsCalls(missing)
    text = single_spaced(plan.next_utterance)
    fired: tuple[GuardFiring, ...] = ()
    if plan.emotional_content:
        text, fired = acknowledged(text, now.language, _said(now), now.turn)
    state = _with_notes(now, readings)
    question = questions_of(now)[state.current_question_index].key
    return TurnResult(
        state=state.model_copy(update={"followups_count": state.followups_count + 1}),
        utterances=(Utterance(EntryKind.FOLLOW_UP, text, question),),
        reason="follow_up",
        progress=_progress(now, state.current_question_index),
        notes=state.learned(),
        spoken_by=(ask.PLAN_KEY,),
        firings=fired,
        details={"assessment": plan.assessment, "why": plan.reason},
    )


# -- 4. the next question


def next_question(now: Here, readings: CallResults, onward: MoveOn) -> NeedsCalls | NextMove:
    """A bridge if need be, then the first question that isn't answered yet."""
    found = search(now, readings)
    missing = (
        *_missing(readings, _notes_due(now, onward)),
        *_missing_bridge(now, readings, onward),
    )
    if not isinstance(found, SearchResult):
        return NeedsCalls((*missing, *found))
    if missing:
        return NeedsCalls(missing)
    state = _with_notes(now, readings)
    bridge, fired, spoken_by = _bridge(now, readings, onward)
    firings = (*onward.firings, *fired, *found.firings)
    details = {"skipped": dict(found.skipped)}
    if found.index is None:
        return replace(
            _end(now, state, bridge, outro_text(now), SessionStatus.COMPLETED, "script_ended"),
            firings=firings,
            details=details,
        )
    question = questions_of(now)[found.index]
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
        progress=_progress(now, found.index),
        notes=state.learned(),
        spoken_by=tuple(key for key in (*spoken_by, found.used) if key),
        firings=firings,
        details=details,
    )


def _notes_due(now: Here, onward: MoveOn) -> tuple[TaskCall, ...]:
    """A wish to move on tells nothing worth noting."""
    return () if onward.reason in ("skip_wish", "privacy") else ask.notes(now)


def search(now: Here, readings: CallResults) -> SearchResult | tuple[TaskCall, ...]:
    """The first question that the notes don't answer, or what must be read to know it.

    The first candidate is looked at alone (while the planner thinks), the others side by side;
    after MOST_SKIPS in a row the next may not be skipped.
    """
    questions = questions_of(now)
    skipped: dict[str, str] = {}
    for index in range(now.state.current_question_index + 1, len(questions)):
        question = questions[index]
        if not now.state.notes:
            return SearchResult(index, question.text, skipped=skipped)
        may_skip = len(skipped) < MOST_SKIPS
        reading = readings.get(ask.candidate_key(index, may_skip))
        if reading is None:
            return _candidates(now, readings, index, len(skipped))
        if may_skip and reading.value.action == "skip":
            skipped[question.key] = reading.value.reason
            continue
        text, fired = adapted_question(reading.value.question, question.text, ask.private(now))
        key = ask.candidate_key(index, may_skip)
        return SearchResult(index, text, key, skipped, fired)
    return SearchResult(None, skipped=skipped)


def _candidates(now: Here, readings: CallResults, index: int, skips: int) -> tuple[TaskCall, ...]:
    """One at first; once one was skipped, all up to the one that must be asked."""
    last = index if skips == 0 else index + MOST_SKIPS - skips
    every = range(index, min(last + 1, len(questions_of(now))))
    wanted = (ask.candidate(now, i, skips + i - index < MOST_SKIPS) for i in every)
    return tuple(inquiry for inquiry in wanted if inquiry.key not in readings)


def _first_candidate(now: Here) -> tuple[TaskCall, ...]:
    """The next question's wording, asked for while the planner thinks."""
    found = search(now, {})
    return () if isinstance(found, SearchResult) else found


def _missing_bridge(now: Here, readings: CallResults, onward: MoveOn) -> tuple[TaskCall, ...]:
    """The call for a bridge, where one is due that the planner has not written."""
    if not onward.moving or onward.transition.strip() or ask.BRIDGE_KEY in readings:
        return ()
    return (ask.bridge(now, onward.cut_off),)


def _bridge(
    now: Here, readings: CallResults, onward: MoveOn
) -> tuple[tuple[Utterance, ...], tuple[GuardFiring, ...], tuple[str, ...]]:
    """The bridge as utterance (or none), guards fired, and the reading that worded it."""
    if onward.reason == "privacy":
        text = fixed(now.language, "respect", _said(now), now.turn)
        return (Utterance(EntryKind.TRANSITION, text),), (), ()
    if not onward.moving:
        return (), (), ()
    key = ask.PLAN_KEY if onward.transition.strip() else ask.BRIDGE_KEY
    words = onward.transition if key == ask.PLAN_KEY else readings[key].value.text
    text, fired = bridge_only(words, now.language, _said(now), now.turn, ask.private(now))
    return (Utterance(EntryKind.TRANSITION, text),), fired, (key,)


# -- 5. the end


def _end(
    now: Here,
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
        progress=_progress(now, state.current_question_index),
        notes=state.learned(),
    )


# -- what is shown before the turn is settled


def draft(now: Here, readings: CallResults, partials: PartialResults) -> str:
    """The utterance as far as it is certain: nothing until the planner's action is known."""
    onward = settled(now)
    if onward is None:
        written = _written(readings, partials, ask.PLAN_KEY)
        if written.get("action") == "FOLLOW_UP":
            return _certain_follow_up(now, written)
        if written.get("action") != "NEXT_QUESTION" or "emotional_content" not in written:
            return ""
        onward = MoveOn("planner", bool(written["emotional_content"]))
        if onward.moving:
            return _certain_bridge(now, readings, written)
    if onward.moving or onward.reason == "privacy":
        return ""
    return _certain_question(now, readings, partials)


def _certain_follow_up(now: Here, written: Mapping[str, Any]) -> str:
    text = single_spaced(str(written.get("next_utterance") or ""))
    too_late = _seconds_left(now) < LEAST_SECONDS
    return "" if too_late or ask.said_in_private(now, text) else text


def _certain_bridge(now: Here, readings: CallResults, written: Mapping[str, Any]) -> str:
    text = single_spaced(str(written.get("transition") or ""))
    return "" if asks(text) or ask.said_in_private(now, text) else text


def _certain_question(now: Here, readings: CallResults, partials: PartialResults) -> str:
    """The first candidate as it is being worded; later ones come whole."""
    found = search(now, readings)
    if isinstance(found, SearchResult):
        return found.text
    if len(found) > 1:
        return ""
    written = _written(readings, partials, found[0].key)
    text = single_spaced(str(written.get("question") or ""))
    return text if written.get("action") == "ask" and not ask.said_in_private(now, text) else ""


def _written(readings: CallResults, partials: PartialResults, key: str) -> Mapping[str, Any]:
    """A reading, whole or as far as it is written."""
    whole = readings.get(key)
    return whole.value.model_dump() if whole else partials.get(key, {})


# -- small things that several of these need


def _without_time_away(now: Here) -> Here:
    heard = now.received
    return replace(now, state=after_time_away(now.state, heard.at, heard.away_seconds))


def _seconds_left(now: Here) -> int:
    block = questions_of(now)[now.state.current_question_index].block_seconds
    return seconds_left(now.state, block, now.received.at)


def _with_notes(now: Here, readings: CallResults) -> LifeStoryState:
    reading = readings.get(ask.NOTES_KEY)
    if reading is None:
        return now.state
    pairs = [(pair.key, pair.value) for pair in reading.value.learned]
    notes = taken_in(now.state.notes, pairs, reading.value.denied, now.received.position)
    return now.state.model_copy(update={"notes": notes})


def _missing(readings: CallResults, inquiries: tuple[TaskCall, ...]) -> tuple[TaskCall, ...]:
    return tuple(inquiry for inquiry in inquiries if inquiry.key not in readings)


def _progress(now: Here, index: int) -> tuple[int, int, str]:
    return max(0, index) + 1, len(questions_of(now)), "questions"


def _said(now: Here) -> tuple[str, ...]:
    """What the interviewer said lately."""
    return tuple(line.text for line in now.transcript if line.role == "interviewer")


def _asked(now: Here) -> tuple[str, ...]:
    """The questions asked lately."""
    asking = (EntryKind.SCRIPTED_QUESTION, EntryKind.FOLLOW_UP)
    return tuple(line.text for line in now.transcript if line.kind in asking)


PROTOCOL = LifeStory()
