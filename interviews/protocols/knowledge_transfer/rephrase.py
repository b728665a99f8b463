"""A question worded by a model to fit the conversation, guarded; else as it is written."""

from dataclasses import dataclass

from interviews.engine import guards
from interviews.engine.language.sentences import single_spaced
from interviews.engine.result import CallResults, GuardFiring, PartialResults, TaskCall
from interviews.engine.texts import addressed
from interviews.protocols.knowledge_transfer import memory
from interviews.protocols.knowledge_transfer.context import (
    TransferContext,
    has_fixed_texts,
    open_questions,
    project_name,
    rounds_left,
    say,
)
from interviews.protocols.knowledge_transfer.findings import CONFIDENCE_VALUES, AnswerFindings
from interviews.protocols.knowledge_transfer.guards import asks_question, private_texts, repeats
from interviews.protocols.knowledge_transfer.state import BacklogItem, KnowledgeTransferState
from interviews.protocols.knowledge_transfer.tasks import REPHRASE, Manner, RephraseInput
from llm.tasks.outcome import Outcome, Source


@dataclass(frozen=True)
class WordedQuestion:
    text: str
    used: tuple[str, ...] = ()  # key of the call whose words these are
    firings: tuple[GuardFiring, ...] = ()


def call_key(item: BacklogItem, manner: Manner) -> str:
    return f"{'clarify' if manner == 'clarify' else 'rephrase'}.{item.id}"


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
        asked="" if first else state.open.asked,
        answer=ctx.answer,
        remaining=_remaining_after(ctx, item, manner),
        manner=manner,
        question=item.text,
    )
    return TaskCall(call_key(item, manner), REPHRASE, data)


def worded_question(
    ctx: TransferContext, results: CallResults, item: BacklogItem, manner: Manner
) -> WordedQuestion | TaskCall:
    key = call_key(item, manner)
    if key not in results:
        return rephrase_call(ctx, item, manner)
    return _guarded(ctx, results[key], item, manner)


def _guarded(
    ctx: TransferContext, result: Outcome[str], item: BacklogItem, manner: Manner
) -> WordedQuestion:
    key = call_key(item, manner)
    if result.source is Source.FALLBACK:
        return WordedQuestion(_fixed_wording(ctx, item, manner), (key,))
    text, firings = guards.cut(result.value)
    refusal = guards.refused(text, ctx.language, private_texts(ctx))
    refusal = refusal or _astray(ctx, text, item, manner)
    if refusal is None:
        return WordedQuestion(text, (key,), firings)
    firings += (GuardFiring(refusal.guard, refusal.reason, result.value),)
    return WordedQuestion(_fixed_wording(ctx, item, manner), (), firings)


def preview(
    ctx: TransferContext,
    results: CallResults,
    partials: PartialResults,
    item: BacklogItem,
    manner: Manner,
) -> str:
    key = call_key(item, manner)
    if key in results:
        return _guarded(ctx, results[key], item, manner).text
    text = single_spaced(str(partials.get(key, {}).get("text") or ""))
    return guards.certain(text, ctx.language, private_texts(ctx))


def _fixed_wording(ctx: TransferContext, item: BacklogItem, manner: Manner) -> str:
    if not has_fixed_texts(ctx.language):
        return item.text
    has_read = manner == "first" and ctx.material.documents
    name = addressed(ctx.name, ctx.language)
    key = "first_read" if has_read else manner
    return say(ctx.language, key, ctx.state.round, name=name, question=item.text)


def follow_up(
    ctx: TransferContext, findings: AnswerFindings, key: str, state: KnowledgeTransferState
) -> WordedQuestion:
    if findings.by_rules:
        return WordedQuestion(findings.follow_up, (key,))
    text, firings = guards.cut(findings.follow_up)
    refusal = guards.refused(text, ctx.language, private_texts(ctx))
    if refusal is None and repeats(text, [item.asked for item in state.items if item.asked]):
        refusal = guards.GuardRefusal("repeat", "asked before")
    if refusal is None:
        return WordedQuestion(text, (key,), firings)
    firings += (GuardFiring(refusal.guard, refusal.reason, findings.follow_up),)
    other = "probe" if findings.confidence == CONFIDENCE_VALUES["medium"] else "angle"
    return WordedQuestion(say(ctx.language, other, state.round // 2), (), firings)


def preview_follow_up(ctx: TransferContext, written: str) -> str:
    return guards.certain(single_spaced(written), ctx.language, private_texts(ctx))


def _remaining_after(ctx: TransferContext, item: BacklogItem, manner: Manner) -> int:
    others = [one for one in open_questions(ctx.state) if one.id != item.id]
    rounds = rounds_left(ctx, ctx.state) - (manner != "clarify")
    return max(0, min(len(others), rounds))


def _astray(
    ctx: TransferContext, text: str, item: BacklogItem, manner: Manner
) -> guards.GuardRefusal | None:
    """Reject a wording that asks something else.

    Words tell only in the backlog's own language, and a clarification may well use others.
    """
    if manner == "clarify" or ctx.language != ctx.material.options.languages[0]:
        return None
    others = [one.text for one in open_questions(ctx.state) if one.id != item.id]
    astray = not asks_question(text, item.text, others, ctx.language)
    return guards.GuardRefusal("astray", "does not ask the question") if astray else None
