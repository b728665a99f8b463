"""Knowledge transfer: a backlog of questions to somebody who hands over, and what comes up.

The order of a turn, as this file reads:

1. the opening puts the oldest question of the highest priority, with a greeting
2. what is left out, asked back or not understood takes no reading of the answer (hearing.py)
3. an answer is read (extracting.py, learning.py) while the next question is chosen (selecting.py)
   and put into words (rephrasing.py)
4. that decides the way (deciding.py): a follow-up where something is missing, else the next
   question, and the end where none is left or no round
5. what is said is guarded (guards.py); a question that a follow-up overtakes is never seen
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from interviews.choices import EntryKind, SessionStatus
from interviews.engine.common_rules import confirm_stop
from interviews.engine.protocol import InterviewProtocol
from interviews.engine.result import (
    CallResults,
    NeedsCalls,
    PartialResults,
    TaskCall,
    TurnResult,
    Utterance,
)
from interviews.protocols.knowledge_transfer import counter_questions, extraction, rephrase
from interviews.protocols.knowledge_transfer.context import (
    NextMove,
    TransferContext,
    asking,
    options_of,
    project_of,
    put,
    put_again,
    remaining,
    say,
    with_item,
)
from interviews.protocols.knowledge_transfer.decision import (
    TransferDecision,
    course,
    foreseen,
    guessed,
    missing,
)
from interviews.protocols.knowledge_transfer.rephrase import WordedQuestion
from interviews.protocols.knowledge_transfer.state import BacklogItem, KnowledgeTransferState
from plans.protocols import PlanContent
from plans.protocols.knowledge_transfer.content import KnowledgeTransferMaterial

CALLS = 5  # of models in one turn: two readings, two wordings at most, one repair


class KnowledgeTransfer(InterviewProtocol[KnowledgeTransferState, KnowledgeTransferMaterial]):
    """The protocol of the module's docstring."""

    name = "knowledge_transfer"
    state = KnowledgeTransferState
    most_calls: int | None = CALLS

    def begin(self, plan: PlanContent[Any], language: str) -> KnowledgeTransferState:
        """Before the first question: the plan's backlog, all of it open."""
        items = tuple(
            BacklogItem(id=q.key, text=q.text, priority=q.priority, origin=q.origin)
            for q in plan.material.questions
        )
        first = min(items, key=lambda item: item.priority)  # the oldest of those
        return KnowledgeTransferState(items=items, open_id=first.id)

    def intro(self, ctx: TransferContext) -> Utterance:
        """Who speaks, what is handed over, how many questions. The first question greets."""
        rounds = str(options_of(ctx).rounds)
        text = say(ctx.language, "intro", rounds=rounds, project=project_of(ctx))
        return Utterance(EntryKind.INTRO, text)

    def step(self, ctx: TransferContext, results: CallResults) -> NeedsCalls | NextMove:
        """See the module's docstring."""
        way = course(ctx, results)
        return _go(ctx, results, way) if way else NeedsCalls(missing(ctx, results))

    def prefetch(
        self, ctx: TransferContext, results: CallResults, partials: PartialResults
    ) -> tuple[TaskCall, ...]:
        """The next question's wording, while the answer is still being read."""
        item = guessed(ctx, results, partials)
        if item is None or rephrase.key_of(item, "onward") in results:
            return ()
        return (rephrase.inquiry(ctx, item, "onward"),)

    def preview(self, ctx: TransferContext, results: CallResults, partials: PartialResults) -> str:
        """What is certain to be said, out of half-written replies."""
        way = foreseen(ctx, results, partials)
        if way is None:
            return ""
        if way.way == "end":
            return _goodbye(ctx, SessionStatus.COMPLETED)
        if way.item is None:
            return ""
        if way.way == "follow_up":
            return rephrase.certain_follow_up(ctx, way.item.text)
        return rephrase.certain(ctx, results, partials, way.item, way.manner)

    def exit(self, ctx: TransferContext, results: CallResults) -> NextMove:
        return _end(ctx, ctx.state, "stopped_by_participant", SessionStatus.STOPPED)

    def repeat_question(self, ctx: TransferContext) -> Utterance:
        """The open question, without what led over to it."""
        return put_again(ctx.state.open)

    def trace_details(self, ctx: TransferContext) -> Mapping[str, Any]:
        """The open question and its round."""
        return {"question": ctx.state.open_id, "round": ctx.state.round}


# -- which way it goes


def _go(ctx: TransferContext, results: CallResults, way: TransferDecision) -> NeedsCalls | NextMove:
    """What happens on that way, with what the answer came to."""
    move = _moved(ctx, results, way)
    if isinstance(move, NeedsCalls):
        return move
    facts = way.found.facts if way.found else ()
    return replace(move, records=facts, details={**way.details, **move.details})


def _moved(
    ctx: TransferContext, results: CallResults, way: TransferDecision
) -> NeedsCalls | NextMove:
    match way.way:
        case "stop":
            return confirm_stop(ctx)
        case "aside":
            return counter_questions.reply(ctx, results)
        case "end":
            return _end(ctx, way.state, way.reason, SessionStatus.COMPLETED)
        case "follow_up":
            return _follow_up(ctx, way)
    return _put(ctx, results, way)


# -- what is said


def _put(
    ctx: TransferContext, results: CallResults, way: TransferDecision
) -> NeedsCalls | NextMove:
    """A question of the backlog; the open one in other words takes no round."""
    item = way.item or ctx.state.open
    words = rephrase.worded(ctx, results, item, way.manner)
    if isinstance(words, TaskCall):
        return NeedsCalls((words,))
    if way.way == "clarify":
        return _clarified(ctx, item, words)
    return _asked(ctx, way, item, words)


def _follow_up(ctx: TransferContext, way: TransferDecision) -> NextMove:
    """The gap is probed in the extraction's own words, as the next round."""
    if way.item is None or way.found is None:
        raise ValueError(f"nothing to follow up: {way}")
    words = rephrase.follow_up(ctx, way.found, extraction.KEY, way.state)
    item = replace(way.item, text=words.text)
    state = way.state.model_copy(update={"items": (*way.state.items, item)})
    return _asked(ctx, replace(way, state=state), item, words)


def _asked(
    ctx: TransferContext, way: TransferDecision, item: BacklogItem, words: WordedQuestion
) -> NextMove:
    state = asking(way.state, item, words.text)
    return TurnResult(
        state=state,
        utterances=(put(state.open),),
        reason=way.reason,
        progress=_progress(ctx, state),
        remaining=remaining(ctx, state),
        spoken_by=words.used,
        firings=words.firings,
        details={"question": item.id, "round": state.round},
    )


def _clarified(ctx: TransferContext, item: BacklogItem, words: WordedQuestion) -> NextMove:
    again = replace(item, asked=words.text)
    state = with_item(ctx.state, again).model_copy(update={"asides": ctx.state.asides + 1})
    return TurnResult(
        state=state,
        utterances=(put(again),),
        reason="clarification",
        spoken_by=words.used,
        firings=words.firings,
        heard_as=EntryKind.CANDIDATE_QUESTION,
    )


# -- the end


def _end(
    ctx: TransferContext, state: KnowledgeTransferState, reason: str, status: SessionStatus
) -> NextMove:
    return TurnResult(
        state=state,
        utterances=(Utterance(EntryKind.OUTRO, _goodbye(ctx, status)),),
        reason=reason,
        status=status,
        progress=_progress(ctx, state),
        remaining=0,
    )


def _goodbye(ctx: TransferContext, status: SessionStatus) -> str:
    begins = "ended" if status == SessionStatus.COMPLETED else "stopped"
    return f"{say(ctx.language, begins)} {say(ctx.language, 'goodbye')}"


def _progress(ctx: TransferContext, state: KnowledgeTransferState) -> tuple[int, int, str]:
    return state.round, options_of(ctx).rounds, "rounds"


PROTOCOL = KnowledgeTransfer()
