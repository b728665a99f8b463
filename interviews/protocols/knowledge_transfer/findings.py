"""What is kept of an extraction: checked facts and discoveries.

Whatever is dropped is recorded with the reason. A substantial answer always leaves a fact.
"""

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, get_args

from interviews.choices import RULES
from interviews.engine.guards import question_of
from interviews.engine.language.sentences import single_spaced
from interviews.engine.language.statements import one_line
from interviews.engine.language.wishes import plain
from interviews.engine.signal import word_count
from interviews.protocols.knowledge_transfer import rules
from interviews.protocols.knowledge_transfer.context import (
    ANSWERED,
    DISCOVERED,
    OPEN,
    TransferContext,
    figures,
    root_of,
    shorten,
    with_item,
)
from interviews.protocols.knowledge_transfer.follow_ups import follow_up_comes
from interviews.protocols.knowledge_transfer.lexicon import listed
from interviews.protocols.knowledge_transfer.state import (
    BacklogItem,
    FoundFact,
    KnowledgeTransferState,
)
from interviews.protocols.knowledge_transfer.tasks import Confidence, TransferExtraction
from llm.tasks.outcome import Outcome, Source
from plans.models.knowledge import MOST_QUESTIONS, Priority
from plans.similarity import alike, normalise

CONFIDENCE_VALUES: dict[Confidence, float] = {"high": 0.9, "medium": 0.6, "low": 0.3}
SUBSTANTIAL_LENGTH = 12  # words of an answer that must leave a fact
MAX_LENGTH = 500  # characters of a fact or a question
ALREADY_KNOWN = "known"  # why a fact is dropped although the answer holds it
Dropped = tuple[dict[str, str], ...]


@dataclass(frozen=True)
class AnswerFindings:
    confidence: float
    facts: tuple[FoundFact, ...]
    discovered: tuple[BacklogItem, ...]
    follow_up: str = ""  # as it was worded; empty for none
    by_rules: bool = False  # whether no model has read the answer
    details: dict[str, Any] = field(default_factory=dict)  # for the trace


def check_extraction(ctx: TransferContext, result: Outcome[TransferExtraction]) -> AnswerFindings:
    read = result.value
    facts, dropped_facts = _kept_facts(read.facts, [fact.text for fact in ctx.state.facts])
    source, confidence = str(result.source), read.confidence
    told_before = any(dropped["why"] == ALREADY_KNOWN for dropped in dropped_facts)
    if not facts and _is_substantial(ctx) and not told_before:
        root = root_of(ctx.state, ctx.state.open).text
        facts, source = rules.answer_as_facts(ctx.language, root, ctx.answer), RULES
        confidence = "medium" if confidence == "high" else confidence
    has_follow_up = bool(follow_up_comes(ctx, read.model_dump()))
    follow_up = single_spaced(read.follow_up or "")
    discovered, dropped_questions = _discoveries(ctx, read, follow_up if has_follow_up else "")
    value = CONFIDENCE_VALUES[confidence]
    return AnswerFindings(
        confidence=value,
        facts=tuple(
            FoundFact(text, ctx.received.position, ctx.state.open_id, value, source)
            for text in facts
        ),
        discovered=discovered,
        follow_up=follow_up if has_follow_up else "",
        by_rules=result.source is Source.FALLBACK,
        details={
            "read_by": str(result.source),
            "confidence": confidence,
            "read_as": read.confidence,
            "facts_by": source,
            "facts_dropped": list(dropped_facts),
            "discovered": [item.id for item in discovered],
            "discoveries_dropped": list(dropped_questions),
            "follow_up_dropped": "" if has_follow_up else follow_up,
        },
    )


def state_after_answer(ctx: TransferContext, findings: AnswerFindings) -> KnowledgeTransferState:
    answered = replace(
        ctx.state.open,
        status=ANSWERED,
        answer=ctx.answer,
        position=ctx.received.position,
        confidence=findings.confidence,
    )
    state = with_item(ctx.state, answered)
    items, facts = (*state.items, *findings.discovered), (*state.facts, *findings.facts)
    return state.model_copy(update={"items": items, "facts": facts})


# -- facts


def _kept_facts(read: list[str], known: list[str]) -> tuple[tuple[str, ...], Dropped]:
    kept: list[str] = []
    dropped: list[dict[str, str]] = []
    for text in (shorten(one_line(one), MAX_LENGTH) for one in read):
        if rejection := _why_dropped_fact(text, kept, known):
            dropped.append({"text": text, "why": rejection})
        else:
            kept.append(text)
    return tuple(kept), tuple(dropped)


def _why_dropped_fact(text: str, kept: list[str], known: list[str]) -> str:
    if len(kept) >= rules.MAX_FACTS:
        return "too many"
    said = plain(text)
    if not said or listed("empty_fact").fullmatch(said):
        return "says nothing"
    if any(_same_fact(text, other) for other in kept):
        return "said twice"
    return ALREADY_KNOWN if normalise(text) in map(normalise, known) else ""


@lru_cache(maxsize=4_096)
def _same_fact(a: str, b: str) -> bool:
    """Similar facts with different figures are different. Cached: see selection._terms."""
    return normalise(a) == normalise(b) or (figures(a) == figures(b) and alike(a, b))


def _is_substantial(ctx: TransferContext) -> bool:
    if word_count(ctx.answer, ctx.language) < SUBSTANTIAL_LENGTH:
        return False
    return not rules.says_nothing(ctx.answer, ctx.language, ctx.state.open.asked)


# -- discoveries


def _discoveries(
    ctx: TransferContext, read: TransferExtraction, follow_up: str
) -> tuple[tuple[BacklogItem, ...], Dropped]:
    kept: list[BacklogItem] = []
    dropped: list[dict[str, str]] = []
    discovered_before = sum(item.origin == DISCOVERED for item in ctx.state.items)
    for one in read.discovered_questions:
        text = one_line(one.text)
        if rejection := _why_dropped_question(ctx, text, kept, follow_up):
            dropped.append({"text": shorten(text, MAX_LENGTH), "why": rejection})
            continue
        number = discovered_before + len(kept) + 1
        kept.append(_discovered_item(ctx, f"discovered-{number}", text, one.priority))
    return tuple(kept), tuple(dropped)


def _why_dropped_question(
    ctx: TransferContext, text: str, kept: list[BacklogItem], follow_up: str
) -> str:
    if not plain(text):
        return "empty"
    if len(text) > MAX_LENGTH:
        return "too long"
    if len(kept) >= ctx.material.options.discoveries:
        return "too many from one answer"
    if len(ctx.state.items) + len(kept) >= MOST_QUESTIONS:
        return "the backlog is full"
    others = (*(item.text for item in (*ctx.state.items, *kept)), question_of(follow_up))
    known = any(_same_question(text, other) for other in others)
    return "in the backlog already" if known else ""


@lru_cache(maxsize=8_192)
def _same_question(a: str, b: str) -> bool:
    """Questions about different figures are different."""
    first, second = figures(a), figures(b)
    return (not first or not second or bool(first & second)) and alike(a, b)


def _discovered_item(ctx: TransferContext, key: str, text: str, priority: str) -> BacklogItem:
    wanted = priority.strip().upper()
    known = wanted if wanted in get_args(Priority) else "P1"
    return BacklogItem(
        id=key, text=text, priority=known, origin=DISCOVERED, parent=ctx.state.open_id, status=OPEN
    )
