"""What is kept of an extraction: checked facts and discoveries.

Whatever is dropped is recorded with the reason.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, get_args

from interviews.choices import RULES
from interviews.engine.guards import question_of
from interviews.engine.language.lists import guarded
from interviews.engine.language.sentences import single_spaced
from interviews.engine.language.statements import one_line
from interviews.engine.language.terms import terms
from interviews.engine.language.wishes import plain
from interviews.engine.signal import word_count
from interviews.protocols.knowledge_transfer import rules
from interviews.protocols.knowledge_transfer.context import (
    ANSWERED,
    DISCOVERED,
    NOT_KNOWN,
    OPEN,
    TransferContext,
    figures,
    is_closed,
    root_of,
    shorten,
    with_item,
)
from interviews.protocols.knowledge_transfer.extraction import counted, is_judged
from interviews.protocols.knowledge_transfer.follow_ups import follow_up_comes, follow_up_text
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
    confidence: float | None  # None: not judged
    facts: tuple[FoundFact, ...]
    discovered: tuple[BacklogItem, ...]
    follow_up: str = ""  # as it was worded; empty for none
    by_rules: bool = False  # whether no model has read the answer
    details: dict[str, Any] = field(default_factory=dict)  # for the trace


def check_extraction(ctx: TransferContext, result: Outcome[TransferExtraction]) -> AnswerFindings:
    read, judged = counted(ctx, result), is_judged(result)
    facts, dropped_facts = _kept_facts(_told(ctx, result), [fact.text for fact in ctx.state.facts])
    source, confidence = str(result.source), read.confidence
    known = any(dropped["why"] == ALREADY_KNOWN for dropped in dropped_facts)
    if not facts and not known and _tells_more(ctx, result):
        facts, source, confidence = _own_words(ctx), RULES, "medium"
    as_read = read.model_dump()
    written = single_spaced(read.follow_up or "")
    follow_up = follow_up_text(ctx, as_read) if follow_up_comes(ctx, as_read) else ""
    discovered, dropped_questions = _discoveries(ctx, read, follow_up)
    value = CONFIDENCE_VALUES[confidence if judged else "medium"]
    return AnswerFindings(
        confidence=value if judged else None,
        facts=tuple(
            FoundFact(text, ctx.received.position, ctx.state.open_id, value, source)
            for text in facts
        ),
        discovered=discovered,
        follow_up=follow_up,
        by_rules=result.source is Source.FALLBACK,
        details={
            "read_by": str(result.source),
            "confidence": confidence if judged else "",
            "read_as": read.confidence if judged else "",
            "facts_by": source,
            "facts_dropped": list(dropped_facts),
            "discovered": [item.id for item in discovered],
            "discoveries_dropped": list(dropped_questions),
            "follow_up_dropped": "" if follow_up else written,
        },
    )


def state_after_answer(ctx: TransferContext, findings: AnswerFindings) -> KnowledgeTransferState:
    """Return the state with the answer; one that leaves the question open adds to the next one."""
    asked, unknown = ctx.state.open, ctx.reading.intent == "dont_know"
    judged = [sure for sure in (asked.confidence, findings.confidence) if sure is not None]
    answered = replace(
        asked,
        status=NOT_KNOWN if unknown and asked.status != ANSWERED else ANSWERED,
        answer=" ".join(filter(None, (asked.answer, ctx.answer))),
        position=ctx.received.position,
        confidence=asked.confidence if unknown else max(judged, default=None),
    )
    return with_findings(with_item(ctx.state, answered), findings)


def with_findings(
    state: KnowledgeTransferState, findings: AnswerFindings
) -> KnowledgeTransferState:
    items, facts = (*state.items, *findings.discovered), (*state.facts, *findings.facts)
    return state.model_copy(update={"items": items, "facts": facts})


# -- facts


def _kept_facts(read: Sequence[str], known: list[str]) -> tuple[tuple[str, ...], Dropped]:
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
    if not said or guarded("empty_fact").fullmatch(said):
        return "says nothing"
    if any(_same_fact(text, other) for other in kept):
        return "said twice"
    return ALREADY_KNOWN if normalise(text) in map(normalise, known) else ""


@lru_cache(maxsize=4_096)
def _same_fact(a: str, b: str) -> bool:
    """Similar facts with different figures are different. Cached: see selection._terms."""
    return normalise(a) == normalise(b) or (figures(a) == figures(b) and alike(a, b))


def _told(ctx: TransferContext, result: Outcome[TransferExtraction]) -> Sequence[str]:
    """Return the facts to check. Rules keep its own words, but grief only if asked about."""
    if result.source is not Source.FALLBACK:
        return result.value.facts
    if ctx.reading.intent != "answer" or (ctx.reading.care != "none" and not _keeps_to_it(ctx)):
        return ()
    return result.value.facts if is_judged(result) else _own_words(ctx)


def _tells_more(ctx: TransferContext, result: Outcome[TransferExtraction]) -> bool:
    """Return whether a model found a long answer good and wrote down nothing of it."""
    return (
        result.source is not Source.FALLBACK
        and result.value.confidence != "low"
        and (ctx.reading.intent, ctx.reading.care) == ("answer", "none")
        and word_count(ctx.answer, ctx.language) >= SUBSTANTIAL_LENGTH
    )


def _keeps_to_it(ctx: TransferContext) -> bool:
    """Return whether the answer shares a figure or a word with the question it goes back to."""
    asked, said = root_of(ctx.state, ctx.state.open).text, ctx.answer
    return bool(
        figures(asked) & figures(said) or terms(asked, ctx.language) & terms(said, ctx.language)
    )


def _own_words(ctx: TransferContext) -> tuple[str, ...]:
    root = root_of(ctx.state, ctx.state.open).text
    return rules.answer_as_facts(ctx.language, root, ctx.answer)


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
    if is_closed(ctx, ctx.state, text):
        return "about a closed subject"
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
