"""A question put into the conversation by a model, guarded, and else as it is written."""

from dataclasses import dataclass

from interviews.engine import guards
from interviews.engine.language.sentences import single_spaced
from interviews.engine.result import CallResults, GuardFiring, PartialResults, TaskCall
from interviews.engine.texts import addressed
from interviews.protocols.knowledge_transfer import memory
from interviews.protocols.knowledge_transfer.context import (
    TransferContext,
    has_words,
    options_of,
    project_of,
    rounds_left,
    say,
    still_open,
)
from interviews.protocols.knowledge_transfer.findings import SURE, AnswerFindings
from interviews.protocols.knowledge_transfer.guards import asks_for, private, repeats
from interviews.protocols.knowledge_transfer.state import BacklogItem, KnowledgeTransferState
from interviews.protocols.knowledge_transfer.tasks import REPHRASE, Manner, RephraseInput
from llm.tasks.outcome import Outcome, Source


@dataclass(frozen=True)
class WordedQuestion:
    """What is said, whose words they are, and what guards have done."""

    text: str
    used: tuple[str, ...] = ()
    firings: tuple[GuardFiring, ...] = ()


def key_of(item: BacklogItem, manner: Manner) -> str:
    """The reading of that question in the conversation."""
    return f"{'clarify' if manner == 'clarify' else 'rephrase'}.{item.id}"


def inquiry(ctx: TransferContext, item: BacklogItem, manner: Manner) -> TaskCall:
    """The question, with all that it is to fit into."""
    state, first = ctx.state, manner == "first"
    data = RephraseInput(
        persona=ctx.plan.persona,
        language=ctx.language,
        name=ctx.name if first else "",
        project=project_of(ctx),
        handed_over_by=options_of(ctx).handed_over_by,
        files=memory.files(ctx),
        summary=memory.summary(ctx),
        sources=memory.sources(ctx, item),
        why=memory.why(ctx, item),
        history=[] if first else memory.history(ctx),
        asked="" if first else state.open.asked,
        answer=ctx.answer,
        remaining=_left_after(ctx, item, manner),
        manner=manner,
        question=item.text,
    )
    return TaskCall(key_of(item, manner), REPHRASE, data)


def worded(
    ctx: TransferContext, results: CallResults, item: BacklogItem, manner: Manner
) -> WordedQuestion | TaskCall:
    """The question as it is put, or the inquiry that this takes."""
    key = key_of(item, manner)
    if key not in results:
        return inquiry(ctx, item, manner)
    return _said(ctx, results[key], item, manner)


def _said(
    ctx: TransferContext, reading: Outcome[str], item: BacklogItem, manner: Manner
) -> WordedQuestion:
    """The reading after its guards."""
    key = key_of(item, manner)
    if reading.source is Source.FALLBACK:
        return WordedQuestion(as_written(ctx, item, manner), (key,))
    text, fired = guards.cut(reading.value)
    why = guards.refused(text, ctx.language, private(ctx)) or _astray(ctx, text, item, manner)
    if why is None:
        return WordedQuestion(text, (key,), fired)
    fired += (GuardFiring(why.guard, why.reason, reading.value),)
    return WordedQuestion(as_written(ctx, item, manner), (), fired)


def certain(
    ctx: TransferContext,
    results: CallResults,
    partials: PartialResults,
    item: BacklogItem,
    manner: Manner,
) -> str:
    """As much of it as can be shown while it is being written."""
    key = key_of(item, manner)
    if key in results:
        return _said(ctx, results[key], item, manner).text
    text = single_spaced(str(partials.get(key, {}).get("text") or ""))
    return guards.certain(text, ctx.language, private(ctx))


def as_written(ctx: TransferContext, item: BacklogItem, manner: Manner) -> str:
    """The question itself after a neutral sentence; alone in a language without such."""
    if not has_words(ctx.language):
        return item.text
    read = manner == "first" and ctx.material.documents
    name = addressed(ctx.name, ctx.language)
    key = "first_read" if read else manner
    return say(ctx.language, key, ctx.state.round, name=name, question=item.text)


def follow_up(
    ctx: TransferContext, found: AnswerFindings, key: str, state: KnowledgeTransferState
) -> WordedQuestion:
    """The follow-up as the extraction words it; a fixed one where a guard refuses."""
    if found.by_rules:
        return WordedQuestion(found.follow_up, (key,))
    text, fired = guards.cut(found.follow_up)
    why = guards.refused(text, ctx.language, private(ctx))
    if why is None and repeats(text, [item.asked for item in state.items if item.asked]):
        why = guards.GuardRefusal("repeat", "asked before")
    if why is None:
        return WordedQuestion(text, (key,), fired)
    fired += (GuardFiring(why.guard, why.reason, found.follow_up),)
    other = "probe" if found.confidence == SURE["medium"] else "angle"
    return WordedQuestion(say(ctx.language, other, state.round // 2), (), fired)


def certain_follow_up(ctx: TransferContext, written: str) -> str:
    """As much of a follow-up as can be shown while it is being written."""
    return guards.certain(single_spaced(written), ctx.language, private(ctx))


def _left_after(ctx: TransferContext, item: BacklogItem, manner: Manner) -> int:
    """How many questions are still to come once this one is put."""
    others = [one for one in still_open(ctx.state) if one.id != item.id]
    rounds = rounds_left(ctx, ctx.state) - (manner != "clarify")
    return max(0, min(len(others), rounds))


def _astray(
    ctx: TransferContext, text: str, item: BacklogItem, manner: Manner
) -> guards.GuardRefusal | None:
    """Whether it asks something else; words tell only in the language of the backlog.

    Plainer words for an open question may well be others.
    """
    if manner == "clarify" or ctx.language != options_of(ctx).languages[0]:
        return None
    others = [one.text for one in still_open(ctx.state) if one.id != item.id]
    astray = not asks_for(text, item.text, others, ctx.language)
    return guards.GuardRefusal("astray", "does not ask the question") if astray else None
