"""Knowledge transfer: a backlog of questions to somebody who hands over, and what comes up.

The order of a turn:

1. the opening asks the oldest question of the highest priority, with a greeting
2. a skip, a refusal or words off topic lead to the next question
3. an answer is extracted (extraction.py), what the answer bears out of it is kept (evidence.py,
   findings.py), and meanwhile the next question is chosen and worded (rephrase.py)
4. that decides the next step (decision.py): a follow-up where something is missing, else the next
   question, or the end where no question or no round is left
5. what is said is guarded; a question that a follow-up replaces is never shown
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from interviews.choices import EntryKind, SessionStatus
from interviews.engine.guards import question_of
from interviews.engine.protocol import InterviewProtocol
from interviews.engine.result import (
    CallResults,
    NeedsCalls,
    PartialResults,
    TaskCall,
    TurnResult,
    Utterance,
    WordedText,
    ending,
)
from interviews.engine.strikes import Strike
from interviews.engine.texts import addressed
from interviews.protocols.knowledge_transfer import extraction, memory, rephrase
from interviews.protocols.knowledge_transfer.context import (
    OPEN,
    SKIPPED,
    NextMove,
    TransferContext,
    as_utterance,
    ask_item,
    project_name,
    question_alone,
    remaining_questions,
    root_of,
    rounds_left,
    say,
    with_item,
)
from interviews.protocols.knowledge_transfer.decision import (
    TransferDecision,
    certain_decision,
    decide,
    likely_next_item,
    manner_of,
    missing_calls,
)
from interviews.protocols.knowledge_transfer.evidence import private_texts
from interviews.protocols.knowledge_transfer.findings import check_extraction, state_after_answer
from interviews.protocols.knowledge_transfer.state import BacklogItem, KnowledgeTransferState
from plans.protocols import PlanContent
from plans.protocols.knowledge_transfer.content import KnowledgeTransferMaterial

LAST_PURPOSE = "what nobody thought of asking, and what would surprise whoever takes over"
MAX_CALLS = 5  # model calls in one turn: extraction, selection, two wordings, one repair
REPLY_RULES = (
    "What is told here is put together for whoever takes over the work, and the people behind this "
    "interview can read it. You don't know what was agreed about it beyond what stands under About."
)


class KnowledgeTransfer(InterviewProtocol[KnowledgeTransferState, KnowledgeTransferMaterial]):
    name = "knowledge_transfer"
    state = KnowledgeTransferState
    reading_key = extraction.KEY
    most_calls: int | None = MAX_CALLS
    reply_rules = REPLY_RULES

    def begin(self, plan: PlanContent[Any], language: str) -> KnowledgeTransferState:
        items = tuple(
            BacklogItem(id=q.key, text=q.text, priority=q.priority, origin=q.origin)
            for q in plan.material.questions
        )
        first = min(items, key=lambda item: item.priority)  # the oldest of that priority
        return KnowledgeTransferState(items=items, open_id=first.id)

    def intro(self, ctx: TransferContext) -> Utterance:
        rounds = str(ctx.material.options.rounds)
        text = say(ctx.language, "intro", rounds=rounds, project=project_name(ctx))
        return Utterance(EntryKind.INTRO, text)

    def reading_call(self, ctx: TransferContext) -> TaskCall:
        return extraction.extract_call(ctx)

    def step(self, ctx: TransferContext, results: CallResults) -> NeedsCalls | NextMove:
        decision = decide(ctx, results)
        if decision is None:
            return NeedsCalls(missing_calls(ctx, results))
        return _carry_out(ctx, results, decision)

    def prefetch(
        self, ctx: TransferContext, results: CallResults, partials: PartialResults
    ) -> tuple[TaskCall, ...]:
        """Request the next question's wording while the answer is still being read."""
        item = likely_next_item(ctx, results, partials)
        if item is None or rephrase.call_key(item) in results:
            return ()
        return (rephrase.rephrase_call(ctx, item, manner_of(ctx)),)

    def preview(self, ctx: TransferContext, results: CallResults, partials: PartialResults) -> str:
        decision = certain_decision(ctx, results, partials)
        if decision is None:
            return ""
        if decision.step in ("last", "end"):
            return _last_words(ctx, decision)
        if decision.item is None:
            return ""
        if decision.step == "follow_up":
            return rephrase.preview_follow_up(ctx, decision.item.text)
        return rephrase.preview(ctx, results, partials, decision.item, decision.manner)

    def exit(self, ctx: TransferContext, results: CallResults) -> NextMove:
        state = self.keep_unanswered(ctx, results)
        reason = "skipped_last" if state.last_asked else "stopped_by_participant"
        move = _end(ctx, state, reason, stopped=not state.last_asked)
        return replace(move, records=self.new_records(ctx.state, state))

    def repeat_question(self, ctx: TransferContext) -> Utterance:
        return question_alone(ctx.state.open)

    def question_purpose(self, ctx: TransferContext) -> str:
        return LAST_PURPOSE if ctx.state.last_asked else memory.why(ctx, ctx.state.open)

    def private_texts(self, ctx: TransferContext) -> tuple[str, ...]:
        return private_texts(ctx)

    def progress(
        self, ctx: TransferContext, state: KnowledgeTransferState
    ) -> tuple[int, int | None, str]:
        return state.round, ctx.material.options.rounds, "rounds"

    def count_turn(self, ctx: TransferContext) -> KnowledgeTransferState:
        moved = replace(ctx.state.open, round=ctx.state.round + 1)
        return with_item(ctx.state, moved).but(round=moved.round)

    def has_time(self, ctx: TransferContext) -> bool:
        return not ctx.state.strayed or rounds_left(ctx, ctx.state) > 0

    def keep_unanswered(self, ctx: TransferContext, results: CallResults) -> KnowledgeTransferState:
        result = results.get(extraction.KEY)
        if result is None or not (result.by_model and ctx.reading.may_tell):
            return ctx.state
        findings = check_extraction(ctx, result)
        return state_after_answer(ctx, findings) if findings.facts else ctx.state

    def forget(self, state: KnowledgeTransferState, strike: Strike) -> KnowledgeTransferState:
        """Drop facts, keeping their numbers, people, and questions that came up and still wait."""
        return state.but(
            facts=tuple(
                replace(one, text="") if strike.tells(one.text, one.position) else one
                for one in state.facts
            ),
            people=tuple(
                one
                for one in state.people
                if not strike.tells(f"{one.name} {one.about}", one.position)
            ),
            items=tuple(
                replace(one, status=SKIPPED)
                if one.parent and one.status == OPEN and strike.tells(one.text)
                else one
                for one in state.items
            ),
        )

    def new_records(
        self, before: KnowledgeTransferState, after: KnowledgeTransferState
    ) -> tuple[Any, ...]:
        return after.facts[len(before.facts) :]

    def trace_details(self, ctx: TransferContext) -> Mapping[str, Any]:
        return {"question": ctx.state.open_id, "round": ctx.state.round}


def _carry_out(
    ctx: TransferContext, results: CallResults, decision: TransferDecision
) -> NeedsCalls | NextMove:
    match decision.step:
        case "end":
            move = _end(ctx, decision.state, decision.reason)
        case "last":
            move = _put(ctx, decision, decision.state)
        case "follow_up":
            move = _follow_up(ctx, decision)
        case "ask":
            item = decision.item or ctx.state.open
            words = rephrase.worded_question(ctx, results, item, decision.manner)
            if isinstance(words, TaskCall):
                return NeedsCalls((words,))
            move = _asked_result(ctx, decision, item, words)
    facts = PROTOCOL.new_records(ctx.state, decision.state)
    return replace(move, records=facts, details={**decision.details, **move.details})


def _follow_up(ctx: TransferContext, decision: TransferDecision) -> NextMove:
    if decision.item is None or decision.findings is None:
        raise ValueError(f"nothing to follow up: {decision}")
    words = rephrase.follow_up(ctx, decision.findings, extraction.KEY, decision.state)
    own = ctx.reading.intent == "dont_know" or (words.used and not decision.findings.by_rules)
    asks = question_of(words.text) if own else root_of(ctx.state, ctx.state.open).text
    item = replace(decision.item, text=asks)
    state = decision.state.but(items=(*decision.state.items, item))
    return _asked_result(ctx, replace(decision, state=state), item, words)


def _asked_result(
    ctx: TransferContext, decision: TransferDecision, item: BacklogItem, words: WordedText
) -> NextMove:
    asked = _put(ctx, decision, ask_item(decision.state, item, words.text))
    return replace(asked, spoken_by=words.used, firings=words.firings)


def _put(
    ctx: TransferContext, decision: TransferDecision, state: KnowledgeTransferState
) -> NextMove:
    """Return the result that asks the open question of the state."""
    return TurnResult(
        state=state,
        utterances=(as_utterance(state.open),),
        reason=decision.reason,
        remaining=remaining_questions(ctx, state),
        details={"question": state.open_id, "round": state.round},
    )


def _end(
    ctx: TransferContext, state: KnowledgeTransferState, reason: str, stopped: bool = False
) -> NextMove:
    early = stopped or state.ends_early
    status = SessionStatus.STOPPED if early else SessionStatus.COMPLETED
    return ending(state, _goodbye(ctx, early), reason, status, remaining=0)


def _last_words(ctx: TransferContext, decision: TransferDecision) -> str:
    state = decision.state
    return state.open.asked if decision.step == "last" else _goodbye(ctx, state.ends_early)


def _goodbye(ctx: TransferContext, early: bool) -> str:
    name = addressed(ctx.name, ctx.language)
    first = say(ctx.language, "stopped" if early else "ended")
    return f"{first} {say(ctx.language, 'goodbye', name=name)}"


PROTOCOL = KnowledgeTransfer()
