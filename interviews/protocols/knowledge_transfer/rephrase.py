"""A question worded by a model to fit the conversation, guarded; else as it is written."""

from interviews.engine import guards
from interviews.engine.result import CallResults, GuardFiring, PartialResults, TaskCall, WordedText
from interviews.engine.texts import addressed, has_texts
from interviews.protocols.knowledge_transfer import memory
from interviews.protocols.knowledge_transfer.context import (
    FOLDER,
    TransferContext,
    in_backlog_language,
    open_questions,
    project_name,
    rounds_left,
    say,
)
from interviews.protocols.knowledge_transfer.evidence import asks_question, limits
from interviews.protocols.knowledge_transfer.extraction import who_knows
from interviews.protocols.knowledge_transfer.findings import CONFIDENCE_VALUES, AnswerFindings
from interviews.protocols.knowledge_transfer.state import BacklogItem, KnowledgeTransferState
from interviews.protocols.knowledge_transfer.tasks import REPHRASE, Manner, RephraseInput
from llm.tasks.outcome import Outcome


def call_key(item: BacklogItem) -> str:
    return f"rephrase.{item.id}"


def rephrase_call(ctx: TransferContext, item: BacklogItem, manner: Manner) -> TaskCall:
    state, first = ctx.state, manner == "first"
    data = RephraseInput(
        persona=ctx.plan.persona,
        language=ctx.language,
        name=ctx.name if first else "",
        project=project_name(ctx),
        handed_over_by=ctx.material.options.handed_over_by,
        files=memory.files(ctx),
        summary=memory.summary(ctx),
        sources=memory.sources(ctx, item),
        why=memory.why(ctx, item),
        history=[] if first else memory.history(ctx),
        asked="" if first else state.reworded or state.open.asked,
        answer=ctx.answer,
        closed=list(state.closed),
        remaining=_remaining_after(ctx, item),
        manner=manner,
        question=item.text,
    )
    return TaskCall(call_key(item), REPHRASE, data)


def worded_question(
    ctx: TransferContext, results: CallResults, item: BacklogItem, manner: Manner
) -> WordedText | TaskCall:
    key = call_key(item)
    if key not in results:
        return rephrase_call(ctx, item, manner)
    return _guarded(ctx, results[key], item, manner)


def _guarded(
    ctx: TransferContext, result: Outcome[str], item: BacklogItem, manner: Manner
) -> WordedText:
    key = call_key(item)
    if not result.by_model:
        return WordedText(_fixed_wording(ctx, item, manner), (key,))
    text, firings = guards.check(result.value, limits(ctx))
    if text and not _is_astray(ctx, text, item):
        return WordedText(text, (key,), firings)
    if text:
        firings += (GuardFiring("astray", "does not ask the question", result.value),)
    return WordedText(_fixed_wording(ctx, item, manner), (), firings)


def preview(
    ctx: TransferContext,
    results: CallResults,
    partials: PartialResults,
    item: BacklogItem,
    manner: Manner,
) -> str:
    key = call_key(item)
    if key in results:
        return _guarded(ctx, results[key], item, manner).text
    return guards.safe_prefix(str(partials.get(key, {}).get("text") or ""), limits(ctx))


def _fixed_wording(ctx: TransferContext, item: BacklogItem, manner: Manner) -> str:
    if manner == "gently" or not has_texts(ctx.language, FOLDER):  # the lead has led over already
        return item.text
    has_read = manner == "first" and ctx.material.documents
    name = addressed(ctx.name, ctx.language)
    key = "first_read" if has_read else manner
    return say(ctx.language, key, ctx.state.round, name=name, question=item.text)


def follow_up(
    ctx: TransferContext, findings: AnswerFindings, key: str, state: KnowledgeTransferState
) -> WordedText:
    if findings.by_rules:
        return WordedText(findings.follow_up, (key,))
    if findings.follow_up == who_knows(ctx):
        return WordedText(findings.follow_up)
    text, firings = guards.check(findings.follow_up, _follow_up_limits(ctx))
    if text:
        return WordedText(text, (key,), firings)
    return WordedText(_fixed_follow_up(ctx, findings, state), (), firings)


def _fixed_follow_up(
    ctx: TransferContext, findings: AnswerFindings, state: KnowledgeTransferState
) -> str:
    if ctx.reading.intent == "dont_know":
        return who_knows(ctx)
    other = "probe" if findings.confidence == CONFIDENCE_VALUES["medium"] else "angle"
    return say(ctx.language, other, state.round // 2)


def preview_follow_up(ctx: TransferContext, written: str) -> str:
    if written == who_knows(ctx):
        return written
    return guards.safe_prefix(written, _follow_up_limits(ctx))


def _follow_up_limits(ctx: TransferContext) -> guards.Limits:
    return limits(ctx, [item.asked for item in ctx.state.items if item.asked])


def _remaining_after(ctx: TransferContext, item: BacklogItem) -> int:
    others = [one for one in open_questions(ctx, ctx.state) if one.id != item.id]
    return max(0, min(len(others), rounds_left(ctx, ctx.state) - 1))


def _is_astray(ctx: TransferContext, text: str, item: BacklogItem) -> bool:
    """Return whether a wording asks something else; words tell only in the backlog's language."""
    if not in_backlog_language(ctx):
        return False
    others = [one.text for one in open_questions(ctx, ctx.state) if one.id != item.id]
    return not asks_question(text, item.text, others, ctx.language)
