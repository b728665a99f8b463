from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from interviews.engine.result import CallResults, PartialResults, TaskCall
from interviews.protocols.knowledge_transfer import extraction, selection
from interviews.protocols.knowledge_transfer.context import (
    FOLLOW_UP,
    OPEN,
    SKIPPED,
    TransferContext,
    open_questions,
    rounds_left,
    with_item,
)
from interviews.protocols.knowledge_transfer.findings import (
    AnswerFindings,
    check_extraction,
    state_after_answer,
    with_findings,
)
from interviews.protocols.knowledge_transfer.follow_ups import follow_up_comes, follow_up_text
from interviews.protocols.knowledge_transfer.selection import ChosenQuestion
from interviews.protocols.knowledge_transfer.state import BacklogItem, KnowledgeTransferState
from interviews.protocols.knowledge_transfer.tasks import Manner
from llm.tasks.outcome import Source

Step = Literal["ask", "follow_up", "end"]
LEAVES = ("skip", "refuse", "off_topic")  # intents that leave the question


@dataclass(frozen=True)
class TransferDecision:
    step: Step
    state: KnowledgeTransferState  # before anything is said
    reason: str
    item: BacklogItem | None = None  # what is asked
    manner: Manner = "onward"
    findings: AnswerFindings | None = None
    details: dict[str, Any] = field(default_factory=dict)


def decide(ctx: TransferContext, results: CallResults) -> TransferDecision | None:
    """Return the decision, or None while a model call is still needed for it."""
    if ctx.received.trigger == "opening":
        return _ask(ctx, ctx.state, ChosenQuestion(ctx.state.open), "opening")
    if _leaves(ctx):
        return _leave(ctx, results)
    return _after_answer(ctx, results) if extraction.KEY in results else None


def missing_calls(ctx: TransferContext, results: CallResults) -> tuple[TaskCall, ...]:
    """Return the calls that the decision needs: extraction and selection run side by side."""
    select = (selection.select_call(ctx),) if selection.undecided(ctx, results) else ()
    return select if extraction.KEY in results else (extraction.extract_call(ctx), *select)


def certain_decision(
    ctx: TransferContext, results: CallResults, partials: PartialResults
) -> TransferDecision | None:
    """Return the decision that unfinished replies are certain to lead to, or None.

    It lacks the answer's findings, except the follow-up as far as that is written.
    """
    decision = decide(ctx, results)
    if decision is not None:
        return decision
    read = _extraction_so_far(ctx, results, partials)
    match follow_up_comes(ctx, read):
        case True:
            item = _follow_up_item(ctx.state, follow_up_text(ctx, read))
            return TransferDecision("follow_up", ctx.state, "follow_up", item)
        case False if not selection.undecided(ctx, results):
            return _next_known_question(ctx, results)
    return None


def likely_next_item(
    ctx: TransferContext, results: CallResults, partials: PartialResults
) -> BacklogItem | None:
    if decide(ctx, results) is not None:
        return None
    if follow_up_comes(ctx, _extraction_so_far(ctx, results, partials)):
        return None
    if selection.undecided(ctx, results):
        return selection.guess(ctx)
    chosen = selection.chosen(ctx, results)
    return chosen.item if chosen else None


def manner_of(ctx: TransferContext) -> Manner:
    """Return how the next question is led over to."""
    if ctx.received.trigger == "opening":
        return "first"
    if ctx.reading.care != "none":
        return "gently"
    return "skipped" if _leaves(ctx) or ctx.reading.intent == "dont_know" else "onward"


def _leaves(ctx: TransferContext) -> bool:
    return ctx.received.trigger == "skip" or ctx.reading.intent in LEAVES


def _extraction_so_far(
    ctx: TransferContext, results: CallResults, partials: PartialResults
) -> Mapping[str, Any]:
    result = results.get(extraction.KEY)
    if result is None:
        return partials.get(extraction.KEY, {})
    return extraction.counted(ctx, result).model_dump()


def _next_known_question(ctx: TransferContext, results: CallResults) -> TransferDecision | None:
    """Return the next question; the end only where no discovery could put it off."""
    chosen = selection.chosen(ctx, results)
    if chosen is None and rounds_left(ctx, ctx.state):
        return None
    return _ask(ctx, ctx.state, chosen, "answered")


def _leave(ctx: TransferContext, results: CallResults) -> TransferDecision:
    """Leave the question; what a model found in a refusal or beside a skip is kept."""
    state, findings = ctx.state, None
    result = results.get(extraction.KEY)
    if result and result.source is not Source.FALLBACK and ctx.reading.intent != "off_topic":
        findings = check_extraction(ctx, result)
        state = with_findings(state, findings)
    if state.open.status == OPEN:
        state = with_item(state, replace(state.open, status=SKIPPED))
    decision = _ask(ctx, state, selection.oldest(ctx, state), "skipped")
    details = findings.details if findings else {}
    return replace(decision, findings=findings, details={**details, **decision.details})


def _after_answer(ctx: TransferContext, results: CallResults) -> TransferDecision | None:
    findings = check_extraction(ctx, results[extraction.KEY])
    state = state_after_answer(ctx, findings)
    if findings.follow_up:
        item = _follow_up_item(state, findings.follow_up)
        return TransferDecision(
            "follow_up", state, "follow_up", item, findings=findings, details=findings.details
        )
    if selection.undecided(ctx, results):
        return None
    chosen = selection.chosen(ctx, results) or selection.oldest(ctx, state)
    decision = _ask(ctx, state, chosen, "answered")
    return replace(decision, findings=findings, details={**findings.details, **decision.details})


def _ask(
    ctx: TransferContext, state: KnowledgeTransferState, chosen: ChosenQuestion | None, reason: str
) -> TransferDecision:
    if chosen is None or not rounds_left(ctx, state):
        ends = "rounds_used" if open_questions(ctx, state) else "backlog_answered"
        return TransferDecision("end", state, "skipped_last" if reason == "skipped" else ends)
    manner = manner_of(ctx)
    return TransferDecision("ask", state, reason, chosen.item, manner, details=chosen.details())


def _follow_up_item(state: KnowledgeTransferState, text: str) -> BacklogItem:
    number = 1 + sum(item.origin == FOLLOW_UP for item in state.items)
    return BacklogItem(
        id=f"followup-{number}", text=text, priority="P0", origin=FOLLOW_UP, parent=state.open_id
    )
