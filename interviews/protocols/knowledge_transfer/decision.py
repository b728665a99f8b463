"""Where an answer leads: pure, and settled as soon as the deciding fields are read."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from interviews.engine.result import CallResults, PartialResults, TaskCall
from interviews.protocols.knowledge_transfer import extraction, reading, selection
from interviews.protocols.knowledge_transfer.context import (
    FOLLOW_UP,
    SKIPPED,
    TransferContext,
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


def course(ctx: TransferContext, results: CallResults) -> TransferDecision | None:
    """The way; None while something must still be read to know it."""
    if ctx.received.trigger == "opening":
        return _ask(ctx, ctx.state, ChosenQuestion(ctx.state.open), "first", "opening")
    if reading.passed_over(ctx):
        state = with_item(ctx.state, replace(ctx.state.open, status=SKIPPED))
        return _ask(ctx, state, selection.oldest(state), "skipped", "skipped")
    match reading.hear(ctx, results):
        case "stop":
            return TransferDecision("stop", ctx.state, "stop_to_confirm")
        case "question":
            return TransferDecision("aside", ctx.state, "question_back")
        case "clarification":
            return TransferDecision(
                "clarify", ctx.state, "clarification", ctx.state.open, "clarify"
            )
        case "answer" if extraction.KEY in results:
            return _answered(ctx, results)
    return None


def missing(ctx: TransferContext, results: CallResults) -> tuple[TaskCall, ...]:
    """What must be read to know the way: the answer and the next question side by side."""
    if reading.hear(ctx, results) is None:
        return (reading.inquiry(ctx),)
    select = (selection.inquiry(ctx),) if selection.undecided(ctx, results) else ()
    return select if extraction.KEY in results else (extraction.inquiry(ctx), *select)


def foreseen(
    ctx: TransferContext, results: CallResults, partials: PartialResults
) -> TransferDecision | None:
    """The way, as far as half-written replies are certain to lead there.

    What the answer came to is not in it, but for a follow-up as far as that is written.
    """
    found = course(ctx, results)
    if found is not None or reading.hear(ctx, results) is None:
        return found
    read = _read(results, partials)
    match comes(ctx, read):
        case True:
            item = _follow_up(ctx.state, str(read["follow_up"]))
            return TransferDecision("follow_up", ctx.state, "follow_up", item)
        case False if not selection.undecided(ctx, results):
            return _next_of_all(ctx, results)
    return None


def guessed(
    ctx: TransferContext, results: CallResults, partials: PartialResults
) -> BacklogItem | None:
    """The question that will probably be asked next, while that is being settled."""
    if course(ctx, results) is not None or reading.hear(ctx, results) is None:
        return None
    if comes(ctx, _read(results, partials)):
        return None
    if selection.undecided(ctx, results):
        return selection.guess(ctx)
    chosen = selection.chosen(ctx, results)
    return chosen.item if chosen else None


def _read(results: CallResults, partials: PartialResults) -> Mapping[str, Any]:
    """The extraction, whole or as far as it is written."""
    reading = results.get(extraction.KEY)
    return reading.value.model_dump() if reading else partials.get(extraction.KEY, {})


def _next_of_all(ctx: TransferContext, results: CallResults) -> TransferDecision | None:
    """The next question; the end only where no discovery could put it off."""
    chosen = selection.chosen(ctx, results)
    if chosen is None and rounds_left(ctx, ctx.state):
        return None
    return _ask(ctx, ctx.state, chosen, "onward", "answered")


def _answered(ctx: TransferContext, results: CallResults) -> TransferDecision | None:
    """A follow-up needs no choice of the next question."""
    found = learnt(ctx, results[extraction.KEY])
    state = taken_in(ctx, found)
    if found.follow_up:
        item = _follow_up(state, found.follow_up)
        return TransferDecision(
            "follow_up", state, "follow_up", item, found=found, details=found.details
        )
    if selection.undecided(ctx, results):
        return None
    chosen = selection.chosen(ctx, results) or selection.oldest(state)
    way = _ask(ctx, state, chosen, "onward", "answered")
    return replace(way, found=found, details={**found.details, **way.details})


def _ask(
    ctx: TransferContext,
    state: KnowledgeTransferState,
    chosen: ChosenQuestion | None,
    manner: Manner,
    reason: str,
) -> TransferDecision:
    """The question that was chosen; the end where none is left, or no round."""
    if chosen is None or not rounds_left(ctx, state):
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
