"""Where an answer leads: pure, and settled as soon as the deciding fields are read."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from interviews.engine.types import CallResults, PartialResults, TaskCall
from interviews.protocols.knowledge_transfer import extraction, reading, selection
from interviews.protocols.knowledge_transfer.context import (
    FOLLOW_UP,
    SKIPPED,
    Here,
    rounds_left,
    still_open,
    with_item,
)
from interviews.protocols.knowledge_transfer.findings import AnswerFindings, learnt, taken_in
from interviews.protocols.knowledge_transfer.follow_ups import comes
from interviews.protocols.knowledge_transfer.selection import ChosenQuestion
from interviews.protocols.knowledge_transfer.state import BacklogItem, KnowledgeTransferState
from interviews.protocols.knowledge_transfer.tasks import Manner

Way = Literal["ask", "follow_up", "clarify", "aside", "stop", "end"]


@dataclass(frozen=True)
class TransferDecision:
    """Which way it goes, and the state on that way before anything is said."""

    way: Way
    state: KnowledgeTransferState
    reason: str
    item: BacklogItem | None = None  # what is asked
    manner: Manner = "onward"
    found: AnswerFindings | None = None  # what the answer came to
    details: dict[str, Any] = field(default_factory=dict)


def course(now: Here, readings: CallResults) -> TransferDecision | None:
    """The way; None while something must still be read to know it."""
    if now.received.trigger == "opening":
        return _ask(now, now.state, ChosenQuestion(now.state.open), "first", "opening")
    if reading.passed_over(now):
        state = with_item(now.state, replace(now.state.open, status=SKIPPED))
        return _ask(now, state, selection.oldest(state), "skipped", "skipped")
    match reading.hear(now, readings):
        case "stop":
            return TransferDecision("stop", now.state, "stop_to_confirm")
        case "question":
            return TransferDecision("aside", now.state, "question_back")
        case "clarification":
            return TransferDecision(
                "clarify", now.state, "clarification", now.state.open, "clarify"
            )
        case "answer" if extraction.KEY in readings:
            return _answered(now, readings)
    return None


def missing(now: Here, readings: CallResults) -> tuple[TaskCall, ...]:
    """What must be read to know the way: the answer and the next question side by side."""
    if reading.hear(now, readings) is None:
        return (reading.inquiry(now),)
    select = (selection.inquiry(now),) if selection.undecided(now, readings) else ()
    return select if extraction.KEY in readings else (extraction.inquiry(now), *select)


def foreseen(now: Here, readings: CallResults, partials: PartialResults) -> TransferDecision | None:
    """The way, as far as half-written replies are certain to lead there.

    What the answer came to is not in it, but for a follow-up as far as that is written.
    """
    found = course(now, readings)
    if found is not None or reading.hear(now, readings) is None:
        return found
    read = _read(readings, partials)
    match comes(now, read):
        case True:
            item = _follow_up(now.state, str(read["follow_up"]))
            return TransferDecision("follow_up", now.state, "follow_up", item)
        case False if not selection.undecided(now, readings):
            return _next_of_all(now, readings)
    return None


def guessed(now: Here, readings: CallResults, partials: PartialResults) -> BacklogItem | None:
    """The question that will probably be asked next, while that is being settled."""
    if course(now, readings) is not None or reading.hear(now, readings) is None:
        return None
    if comes(now, _read(readings, partials)):
        return None
    if selection.undecided(now, readings):
        return selection.guess(now)
    chosen = selection.chosen(now, readings)
    return chosen.item if chosen else None


def _read(readings: CallResults, partials: PartialResults) -> Mapping[str, Any]:
    """The extraction, whole or as far as it is written."""
    reading = readings.get(extraction.KEY)
    return reading.value.model_dump() if reading else partials.get(extraction.KEY, {})


def _next_of_all(now: Here, readings: CallResults) -> TransferDecision | None:
    """The next question; the end only where no discovery could put it off."""
    chosen = selection.chosen(now, readings)
    if chosen is None and rounds_left(now, now.state):
        return None
    return _ask(now, now.state, chosen, "onward", "answered")


def _answered(now: Here, readings: CallResults) -> TransferDecision | None:
    """A follow-up needs no choice of the next question."""
    found = learnt(now, readings[extraction.KEY])
    state = taken_in(now, found)
    if found.follow_up:
        item = _follow_up(state, found.follow_up)
        return TransferDecision(
            "follow_up", state, "follow_up", item, found=found, details=found.details
        )
    if selection.undecided(now, readings):
        return None
    chosen = selection.chosen(now, readings) or selection.oldest(state)
    way = _ask(now, state, chosen, "onward", "answered")
    return replace(way, found=found, details={**found.details, **way.details})


def _ask(
    now: Here,
    state: KnowledgeTransferState,
    chosen: ChosenQuestion | None,
    manner: Manner,
    reason: str,
) -> TransferDecision:
    """The question that was chosen; the end where none is left, or no round."""
    if chosen is None or not rounds_left(now, state):
        ends = "rounds_used" if still_open(state) else "backlog_answered"
        return TransferDecision("end", state, "skipped_last" if reason == "skipped" else ends)
    return TransferDecision("ask", state, reason, chosen.item, manner, details=chosen.details())


def _follow_up(state: KnowledgeTransferState, text: str) -> BacklogItem:
    number = 1 + sum(item.origin == FOLLOW_UP for item in state.items)
    return BacklogItem(
        id=f"followup-{number}",
        text=text,
        priority="P0",
        origin=FOLLOW_UP,
        parent=state.open_id,
    )
