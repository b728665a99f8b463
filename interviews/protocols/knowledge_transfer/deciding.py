"""Where an answer leads: pure, and settled as soon as the deciding fields are read."""

from dataclasses import dataclass, field, replace
from typing import Any, Literal

from interviews.engine.types import BacklogItem, Inquiry, Partials, Readings
from interviews.protocols.knowledge_transfer import extracting, selecting
from interviews.protocols.knowledge_transfer.following import comes
from interviews.protocols.knowledge_transfer.hearing import hear, passed_over
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


def course(now: Here, readings: Readings) -> Course | tuple[Inquiry, ...]:
    """The way, or what must be read to know it."""
    if now.received.trigger == "opening":
        return _ask(now, now.state, Chosen(now.state.open), "first", "opening")
    if passed_over(now):
        state = with_item(now.state, replace(now.state.open, status=SKIPPED))
        return _ask(now, state, selecting.oldest(state), "skipped", "skipped")
    heard = hear(now, readings)
    if isinstance(heard, Inquiry):
        return (heard,)
    match heard:
        case "stop":
            return Course("stop", now.state, "stop_to_confirm")
        case "question":
            return Course("aside", now.state, "question_back")
        case "clarification":
            return Course("clarify", now.state, "clarification", now.state.open, "clarify")
    return _answered(now, readings)


def foreseen(now: Here, readings: Readings, partials: Partials) -> Course | None:
    """The way, as far as half-written replies are certain to lead there.

    Only where no follow-up comes; what the answer came to is not in it yet.
    """
    found = course(now, readings)
    if isinstance(found, Course):
        return found
    if hear(now, readings) != "answer" or _follows(now, readings, partials) is not False:
        return None
    chosen = selecting.chosen(now, readings)
    if isinstance(chosen, Chosen):
        return _ask(now, now.state, chosen, "onward", "answered")
    no_more = not rounds_left(now, now.state)
    return Course("end", now.state, "rounds_used") if no_more else None


def guessed(now: Here, readings: Readings, partials: Partials) -> BacklogItem | None:
    """The question that will probably be asked next, while that is being settled."""
    if isinstance(course(now, readings), Course) or hear(now, readings) != "answer":
        return None
    if _follows(now, readings, partials):
        return None
    chosen = selecting.chosen(now, readings)
    return chosen.item if isinstance(chosen, Chosen) else selecting.guess(now)


def written_follow_up(now: Here, readings: Readings, partials: Partials) -> str:
    """The follow-up as far as it is written; empty unless it is certain to come."""
    if isinstance(course(now, readings), Course) or hear(now, readings) != "answer":
        return ""
    follows = _follows(now, readings, partials)
    return str(partials[extracting.KEY]["follow_up"]) if follows else ""


def _follows(now: Here, readings: Readings, partials: Partials) -> bool | None:
    reading = readings.get(extracting.KEY)
    read = reading.value.model_dump() if reading else partials.get(extracting.KEY, {})
    return comes(now, read)


def _answered(now: Here, readings: Readings) -> Course | tuple[Inquiry, ...]:
    """Extraction and selection are wanted side by side; a follow-up needs no selection."""
    chosen = selecting.chosen(now, readings)
    also = (chosen,) if isinstance(chosen, Inquiry) else ()
    reading = readings.get(extracting.KEY)
    if reading is None:
        return (extracting.inquiry(now), *also)
    found = learnt(now, reading)
    state = taken_in(now, found)
    if found.follow_up:
        item = _follow_up(state, found.follow_up)
        return Course("follow_up", state, "follow_up", item, found=found, details=found.details)
    if isinstance(chosen, Inquiry):
        return (chosen,)
    way = _ask(now, state, chosen or selecting.oldest(state), "onward", "answered")
    return replace(way, found=found, details={**found.details, **way.details})


def _ask(
    now: Here, state: KnowledgeTransferState, chosen: Chosen | None, manner: Manner, reason: str
) -> Course:
    """The question that was chosen; the end where none is left, or no round."""
    if chosen is None or not rounds_left(now, state):
        reason = "rounds_used" if still_open(state) else "backlog_answered"
        return Course("end", state, reason)
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
