"""What is kept of an extraction: checked facts, checked discoveries, and how sure they are.

What is dropped is recorded with the reason, and an answer of some length is never lost.
"""

from collections.abc import Iterable
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
    options_of,
    root_of,
    shortened,
    with_item,
)
from interviews.protocols.knowledge_transfer.follow_ups import comes
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

SURE: dict[Confidence, float] = {"high": 0.9, "medium": 0.6, "low": 0.3}
SUBSTANTIAL = 12  # words of an answer that can't be without a fact
LONGEST = 500  # characters of a fact or a question
KNOWN = "known"  # why a fact is dropped although it was told
Dropped = tuple[dict[str, str], ...]


@dataclass(frozen=True)
class AnswerFindings:
    """What one answer came to."""

    confidence: float
    facts: tuple[FoundFact, ...]
    discovered: tuple[BacklogItem, ...]
    follow_up: str = ""  # as it was worded; empty for none
    by_rules: bool = False  # whether no model has read the answer
    details: dict[str, Any] = field(default_factory=dict)  # for the trace


def learnt(ctx: TransferContext, reading: Outcome[TransferExtraction]) -> AnswerFindings:
    """The reading after its checks."""
    read = reading.value
    told, dropped_facts = _facts(read.facts, [fact.text for fact in ctx.state.facts])
    source, confidence = str(reading.source), read.confidence
    if not told and _substantial(ctx) and not any(one["why"] == KNOWN for one in dropped_facts):
        told = rules.as_told(ctx.language, root_of(ctx.state, ctx.state.open).text, ctx.answer)
        source = RULES
        confidence = "medium" if confidence == "high" else confidence
    follows = bool(comes(ctx, read.model_dump()))
    follow_up = single_spaced(read.follow_up or "")
    discovered, dropped_questions = _discovered(ctx, read, follow_up if follows else "")
    return AnswerFindings(
        confidence=SURE[confidence],
        facts=tuple(_fact(ctx, text, SURE[confidence], source) for text in told),
        discovered=discovered,
        follow_up=follow_up if follows else "",
        by_rules=reading.source is Source.FALLBACK,
        details={
            "read_by": str(reading.source),
            "confidence": confidence,
            "read_as": read.confidence,
            "facts_by": source,
            "facts_dropped": list(dropped_facts),
            "discovered": [item.id for item in discovered],
            "discoveries_dropped": list(dropped_questions),
            "follow_up_dropped": "" if follows else follow_up,
        },
    )


def taken_in(ctx: TransferContext, found: AnswerFindings) -> KnowledgeTransferState:
    """The state once the open question is answered."""
    answered = replace(
        ctx.state.open,
        status=ANSWERED,
        answer=ctx.answer,
        position=ctx.received.position,
        confidence=found.confidence,
    )
    state = with_item(ctx.state, answered)
    return state.model_copy(
        update={
            "items": (*state.items, *found.discovered),
            "facts": (*state.facts, *found.facts),
        }
    )


# -- facts


def _facts(read: list[str], known: list[str]) -> tuple[tuple[str, ...], Dropped]:
    """Those that are kept, and those that are not, with the reason."""
    kept: list[str] = []
    dropped: list[dict[str, str]] = []
    for text in (shortened(_line(one), LONGEST) for one in read):
        if why := _no_fact(text, kept, known):
            dropped.append({"text": text, "why": why})
        else:
            kept.append(text)
    return tuple(kept), tuple(dropped)


def _no_fact(text: str, kept: list[str], known: list[str]) -> str:
    """Why it is none; empty if it is one."""
    if len(kept) >= rules.MOST_FACTS:
        return "too many"
    said = plain(text)
    if not said or listed("empty_fact").fullmatch(said):
        return "says nothing"
    if any(_same_fact(text, other) for other in kept):
        return "said twice"
    return KNOWN if normalise(text) in map(normalise, known) else ""


@lru_cache(maxsize=4_096)
def _same_fact(a: str, b: str) -> bool:
    """Alike, and with the same figures: those are what such facts differ in.

    Kept, as below, since a turn looks at the same texts each time that a reply has grown.
    """
    return normalise(a) == normalise(b) or (figures(a) == figures(b) and alike(a, b))


def _substantial(ctx: TransferContext) -> bool:
    """Long enough to hold something, and not only the word that nobody knows."""
    if word_count(ctx.answer, ctx.language) < SUBSTANTIAL:
        return False
    return not rules.says_nothing(ctx.answer, ctx.language, ctx.state.open.asked)


def _fact(ctx: TransferContext, text: str, confidence: float, source: str) -> FoundFact:
    return FoundFact(text, ctx.received.position, ctx.state.open_id, confidence, source)


# -- discoveries


def _discovered(
    ctx: TransferContext, read: TransferExtraction, follow_up: str
) -> tuple[tuple[BacklogItem, ...], Dropped]:
    """New questions of the backlog, and what was not taken in, with the reason."""
    kept: list[BacklogItem] = []
    dropped: list[dict[str, str]] = []
    before = sum(item.origin == DISCOVERED for item in ctx.state.items)
    for one in read.discovered_questions:
        text = _line(one.text)
        if why := _no_discovery(ctx, text, kept, follow_up):
            dropped.append({"text": shortened(text, LONGEST), "why": why})
            continue
        number = before + len(kept) + 1
        kept.append(_item(ctx, f"discovered-{number}", text, one.priority))
    return tuple(kept), tuple(dropped)


def _no_discovery(ctx: TransferContext, text: str, kept: list[BacklogItem], follow_up: str) -> str:
    """Why it is no new question; empty if it is one."""
    if not plain(text):
        return "empty"
    if len(text) > LONGEST:
        return "too long"
    if len(kept) >= options_of(ctx).discoveries:
        return "too many from one answer"
    if len(ctx.state.items) + len(kept) >= MOST_QUESTIONS:
        return "the backlog is full"
    others = (*(item.text for item in (*ctx.state.items, *kept)), question_of(follow_up))
    return "in the backlog already" if _asked_for(text, others) else ""


def _asked_for(text: str, others: Iterable[str]) -> bool:
    """Whether one asks the same; about other figures it asks something else."""
    return any(_same_question(text, other) for other in others)


@lru_cache(maxsize=8_192)
def _same_question(a: str, b: str) -> bool:
    first, second = figures(a), figures(b)
    return (not first or not second or bool(first & second)) and alike(a, b)


def _item(ctx: TransferContext, key: str, text: str, priority: str) -> BacklogItem:
    wanted = priority.strip().upper()
    known = wanted if wanted in get_args(Priority) else "P1"
    return BacklogItem(
        id=key, text=text, priority=known, origin=DISCOVERED, parent=ctx.state.open_id, status=OPEN
    )


def _line(text: str) -> str:
    return one_line(text)
