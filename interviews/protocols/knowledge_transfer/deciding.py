"""Where an answer leads: pure, and settled as soon as the deciding fields are read."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from interviews.engine.types import BacklogItem, Inquiry, Partials, Readings
from interviews.protocols.knowledge_transfer import extracting, hearing, selecting
from interviews.protocols.knowledge_transfer.following import comes
from interviews.protocols.knowledge_transfer.here import (
    FOLLOW_UP,
    SKIPPED,
    Here,
    rounds_left,
    still_open,
    with_item,
)
from interviews.protocols.knowledge_transfer.learning import Learnt, learnt, taken_in
from interviews.protocols.knowledge_transfer.selecting import Chosen
from interviews.protocols.knowledge_transfer.state import KnowledgeTransferState
from interviews.protocols.knowledge_transfer.tasks import Manner

Way = Literal["ask", "follow_up", "clarify", "aside", "stop", "end"]


@dataclass(frozen=True)
class Course:
    """Which way it goes, and the state on that way before anything is said."""

    way: Way
    state: KnowledgeTransferState
    reason: str
    item: BacklogItem | None = None  # what is asked
    manner: Manner = "onward"
    found: Learnt | None = None  # what the answer came to
    details: dict[str, Any] = field(default_factory=dict)


def course(now: Here, readings: Readings) -> Course | None:
    """The way; None while something must still be read to know it."""
    if now.received.trigger == "opening":
        return _ask(now, now.state, Chosen(now.state.open), "first", "opening")
    if hearing.passed_over(now):
        state = with_item(now.state, replace(now.state.open, status=SKIPPED))
        return _ask(now, state, selecting.oldest(state), "skipped", "skipped")
    match hearing.hear(now, readings):
        case "stop":
            return Course("stop", now.state, "stop_to_confirm")
        case "question":
            return Course("aside", now.state, "question_back")
        case "clarification":
            return Course("clarify", now.state, "clarification", now.state.open, "clarify")
        case "answer" if extracting.KEY in readings:
            return _answered(now, readings)
    return None


def missing(now: Here, readings: Readings) -> tuple[Inquiry, ...]:
    """What must be read to know the way: the answer and the next question side by side."""
    if hearing.hear(now, readings) is None:
        return (hearing.inquiry(now),)
    select = (selecting.inquiry(now),) if selecting.undecided(now, readings) else ()
    return select if extracting.KEY in readings else (extracting.inquiry(now), *select)


def foreseen(now: Here, readings: Readings, partials: Partials) -> Course | None:
    """The way, as far as half-written replies are certain to lead there.

    What the answer came to is not in it, but for a follow-up as far as that is written.
    """
    found = course(now, readings)
    if found is not None or hearing.hear(now, readings) is None:
        return found
    read = _read(readings, partials)
    match comes(now, read):
        case True:
            item = _follow_up(now.state, str(read["follow_up"]))
            return Course("follow_up", now.state, "follow_up", item)
        case False if not selecting.undecided(now, readings):
            return _next_of_all(now, readings)
    return None


def guessed(now: Here, readings: Readings, partials: Partials) -> BacklogItem | None:
    """The question that will probably be asked next, while that is being settled."""
    if course(now, readings) is not None or hearing.hear(now, readings) is None:
        return None
    if comes(now, _read(readings, partials)):
        return None
    if selecting.undecided(now, readings):
        return selecting.guess(now)
    chosen = selecting.chosen(now, readings)
    return chosen.item if chosen else None


def _read(readings: Readings, partials: Partials) -> Mapping[str, Any]:
    """The extraction, whole or as far as it is written."""
    reading = readings.get(extracting.KEY)
    return reading.value.model_dump() if reading else partials.get(extracting.KEY, {})


def _next_of_all(now: Here, readings: Readings) -> Course | None:
    """The next question; the end only where no discovery could put it off."""
    chosen = selecting.chosen(now, readings)
    if chosen is None and rounds_left(now, now.state):
        return None
    return _ask(now, now.state, chosen, "onward", "answered")


def _answered(now: Here, readings: Readings) -> Course | None:
    """A follow-up needs no choice of the next question."""
    found = learnt(now, readings[extracting.KEY])
    state = taken_in(now, found)
    if found.follow_up:
        item = _follow_up(state, found.follow_up)
        return Course("follow_up", state, "follow_up", item, found=found, details=found.details)
    if selecting.undecided(now, readings):
        return None
    chosen = selecting.chosen(now, readings) or selecting.oldest(state)
    way = _ask(now, state, chosen, "onward", "answered")
    return replace(way, found=found, details={**found.details, **way.details})


def _ask(
    now: Here, state: KnowledgeTransferState, chosen: Chosen | None, manner: Manner, reason: str
) -> Course:
    """The question that was chosen; the end where none is left, or no round."""
    if chosen is None or not rounds_left(now, state):
        ends = "rounds_used" if still_open(state) else "backlog_answered"
        return Course("end", state, "skipped_last" if reason == "skipped" else ends)
    return Course("ask", state, reason, chosen.item, manner, details=chosen.details())


def _follow_up(state: KnowledgeTransferState, text: str) -> BacklogItem:
    number = 1 + sum(item.origin == FOLLOW_UP for item in state.items)
    return BacklogItem(
        id=f"followup-{number}",
        text=text,
        priority="P0",
        origin=FOLLOW_UP,
        parent=state.open_id,
    )
