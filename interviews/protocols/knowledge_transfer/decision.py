"""What comes next: a follow-up, the next question, or the end.

A model chooses the next question while the answer is still being read: of the highest priority the
nearest. Rules guess its choice, so that the guess can be worded meanwhile. If the model fails or
names a closed question, the oldest one is asked.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from interviews.choices import RULES
from interviews.engine.language.sentences import single_spaced
from interviews.engine.result import CallResults, PartialResults, TaskCall, after_last
from interviews.protocols.knowledge_transfer import extraction, memory
from interviews.protocols.knowledge_transfer.context import (
    FOLLOW_UP,
    OPEN,
    SKIPPED,
    TransferContext,
    ask_last,
    open_questions,
    rounds_left,
    with_item,
)
from interviews.protocols.knowledge_transfer.evidence import answered_besides, cached_terms
from interviews.protocols.knowledge_transfer.extraction import follow_up_comes, follow_up_text
from interviews.protocols.knowledge_transfer.findings import (
    AnswerFindings,
    check_extraction,
    state_after_answer,
    with_answered,
    with_findings,
)
from interviews.protocols.knowledge_transfer.state import BacklogItem, KnowledgeTransferState
from interviews.protocols.knowledge_transfer.tasks import (
    SELECT,
    Manner,
    QuestionCandidate,
    SelectInput,
)

SELECT_KEY = "select"
MAX_CANDIDATES = 40  # that a model is shown


@dataclass(frozen=True)
class ChosenQuestion:
    item: BacklogItem
    by: str = RULES
    guess: str = ""  # id of the rules' guess, where a model chose
    refused: str = ""  # an id that can't be asked

    def details(self) -> dict[str, str]:
        selected = {"selected": self.item.id, "selected_by": self.by}
        more = {"guess": self.guess, "selection_refused": self.refused}
        return selected | {name: value for name, value in more.items() if value}


def candidates(ctx: TransferContext, state: KnowledgeTransferState) -> list[BacklogItem]:
    left = open_questions(ctx, state)
    return [item for item in left if item.priority == left[0].priority]


def oldest_question(ctx: TransferContext, state: KnowledgeTransferState) -> ChosenQuestion | None:
    left = candidates(ctx, state)
    return ChosenQuestion(left[0]) if left else None


def likely_question(ctx: TransferContext) -> BacklogItem | None:
    left = candidates(ctx, ctx.state)
    if not left or not rounds_left(ctx, ctx.state):
        return None
    said = cached_terms(ctx.answer, ctx.language)
    return max(left, key=lambda item: len(said & cached_terms(item.text, ctx.language)))


def is_undecided(ctx: TransferContext, results: CallResults) -> bool:
    several = len(candidates(ctx, ctx.state)) > 1
    return SELECT_KEY not in results and several and rounds_left(ctx, ctx.state) > 0


def chosen_question(ctx: TransferContext, results: CallResults) -> ChosenQuestion | None:
    """Return the next of the questions that were open before the answer, or None.

    The model must have been asked if `is_undecided` says so; those that were answered by the way
    may have left other candidates than it saw.
    """
    left = candidates(ctx, ctx.state)
    if not left or not rounds_left(ctx, ctx.state):
        return None
    if len(left) == 1 or SELECT_KEY not in results:
        return ChosenQuestion(left[0], "only one open" if len(left) == 1 else RULES)
    result, nearest = results[SELECT_KEY], likely_question(ctx)
    selected_id, guessed_id = single_spaced(result.value.id), nearest.id if nearest else ""
    item = next((item for item in left if item.id == selected_id), None)
    if item is None:
        return ChosenQuestion(left[0], guess=guessed_id, refused=selected_id)
    return ChosenQuestion(item, str(result.source), guess=guessed_id)


def select_call(ctx: TransferContext) -> TaskCall:
    nearest = likely_question(ctx)
    left = sorted(candidates(ctx, ctx.state), key=lambda item: item != nearest)[:MAX_CANDIDATES]
    data = SelectInput(
        history=memory.latest_exchanges(ctx),
        question=ctx.state.reworded or ctx.state.open.asked,
        answer=ctx.answer,
        closed=list(ctx.state.closed),
        candidates=[QuestionCandidate(id=item.id, question=item.text) for item in left],
    )
    return TaskCall(SELECT_KEY, SELECT, data)


Step = Literal["ask", "follow_up", "last", "end"]
LEAVES = ("skip", "refuse", "off_topic", "stop")  # intents that leave the question


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
    select = (select_call(ctx),) if is_undecided(ctx, results) else ()
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
        case False if not is_undecided(ctx, results):
            return _next_known_question(_without_answered(ctx, read), results)
    return None


def likely_next_item(
    ctx: TransferContext, results: CallResults, partials: PartialResults
) -> BacklogItem | None:
    if decide(ctx, results) is not None:
        return None
    read = _extraction_so_far(ctx, results, partials)
    if follow_up_comes(ctx, read):
        return None
    left = _without_answered(ctx, read)
    if is_undecided(ctx, results):
        return likely_question(left)
    chosen = chosen_question(left, results)
    return chosen.item if chosen else None


def manner_of(ctx: TransferContext) -> Manner:
    """Return how the next question is led over to."""
    if ctx.received.trigger == "opening":
        return "first"
    if ctx.reading.care != "none":
        return "gently"
    return "skipped" if _leaves(ctx) or ctx.reading.intent == "dont_know" else "onward"


def _without_answered(ctx: TransferContext, read: Mapping[str, Any]) -> TransferContext:
    """Return the context in which what was answered by the way is no longer open."""
    answered = answered_besides(ctx, read)
    return replace(ctx, state=with_answered(ctx.state, answered)) if answered else ctx


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
    chosen = chosen_question(ctx, results)
    if chosen is None and rounds_left(ctx, ctx.state):
        return None
    return _ask(ctx, ctx.state, chosen, "answered")


def _leave(ctx: TransferContext, results: CallResults) -> TransferDecision:
    """Leave the question; what a model found in a refusal or beside a skip is kept."""
    state, findings = ctx.state, None
    result = results.get(extraction.KEY)
    if result and result.by_model and ctx.reading.intent != "off_topic":
        findings = check_extraction(ctx, result)
        state = with_findings(state, findings)
    if state.open.status == OPEN:
        state = with_item(state, replace(state.open, status=SKIPPED))
    decision = _ask(ctx, state, oldest_question(ctx, state), "skipped")
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
    if is_undecided(ctx, results):
        return None
    left = replace(ctx, state=with_answered(ctx.state, findings.answered))
    chosen = chosen_question(left, results) or oldest_question(ctx, state)
    decision = _ask(ctx, state, chosen, "answered")
    return replace(decision, findings=findings, details={**findings.details, **decision.details})


def _ask(
    ctx: TransferContext, state: KnowledgeTransferState, chosen: ChosenQuestion | None, reason: str
) -> TransferDecision:
    if chosen is None or not rounds_left(ctx, state):
        return _close(ctx, state, reason)
    manner = manner_of(ctx)
    return TransferDecision("ask", state, reason, chosen.item, manner, details=chosen.details())


def _close(ctx: TransferContext, state: KnowledgeTransferState, reason: str) -> TransferDecision:
    """End it, after the closing question unless that was asked or they want to stop."""
    if state.last_asked:
        return TransferDecision("end", state, after_last(ctx))
    left = bool(open_questions(ctx, state))
    early = left and state.ends_early
    state = state.but(ends_early=early)
    ends = ("last_one" if early else "rounds_used") if left else "backlog_answered"
    reason = "skipped_last" if reason == "skipped" else ends
    if not ctx.asks_last:
        return TransferDecision("end", state, reason)
    return TransferDecision("last", ask_last(ctx, state), reason)


def _follow_up_item(state: KnowledgeTransferState, text: str) -> BacklogItem:
    number = 1 + sum(item.origin == FOLLOW_UP for item in state.items)
    return BacklogItem(
        id=f"followup-{number}", text=text, priority="P0", origin=FOLLOW_UP, parent=state.open_id
    )
