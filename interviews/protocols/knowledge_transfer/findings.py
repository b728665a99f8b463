"""What is kept of an extraction: checked facts and discoveries.

Whatever is dropped is recorded with the reason.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, get_args

from interviews.engine.guards import question_of
from interviews.engine.language.lists import guarded
from interviews.engine.language.sentences import single_spaced
from interviews.engine.language.statements import one_line
from interviews.engine.language.wishes import plain
from interviews.protocols.knowledge_transfer import evidence
from interviews.protocols.knowledge_transfer.context import (
    ANSWERED,
    DISCOVERED,
    NOT_KNOWN,
    OPEN,
    TransferContext,
    is_closed,
    say,
    with_item,
)
from interviews.protocols.knowledge_transfer.extraction import (
    counted,
    follow_up_comes,
    follow_up_text,
)
from interviews.protocols.knowledge_transfer.state import (
    BacklogItem,
    FoundFact,
    KnowledgeTransferState,
    NamedPerson,
)
from interviews.protocols.knowledge_transfer.tasks import Confidence, Discovered, TransferExtraction
from llm.tasks.outcome import Outcome
from plans.models.knowledge import MOST_QUESTIONS, Priority
from plans.similarity import alike, asks_otherwise, normalise
from plans.text import NUMBERS, figures, shorten

CONFIDENCE_VALUES: dict[Confidence, float] = {"high": 0.9, "medium": 0.6, "low": 0.3}
MAX_LENGTH = 500  # characters of a fact or a question
MAX_QUOTED = 160  # characters of a fact within a question
MAX_FACTS = 12
MAX_NAME = 80  # characters
Dropped = tuple[dict[str, str], ...]


@dataclass(frozen=True)
class AnswerFindings:
    confidence: float | None  # None: not judged
    facts: tuple[FoundFact, ...]
    discovered: tuple[BacklogItem, ...]
    answered: tuple[BacklogItem, ...] = ()  # by the way
    people: tuple[NamedPerson, ...] = ()
    follow_up: str = ""  # as it was worded; empty for none
    by_rules: bool = False  # whether no model has read the answer
    details: dict[str, Any] = field(default_factory=dict)  # for the trace


def check_extraction(ctx: TransferContext, result: Outcome[TransferExtraction]) -> AnswerFindings:
    read, judged = counted(ctx, result), result.is_judged
    value, as_read = CONFIDENCE_VALUES[read.confidence], read.model_dump()
    answered = evidence.answered_besides(ctx, as_read)
    facts, dropped_facts = _kept_facts(ctx, read, answered, str(result.source))
    people = _people(ctx, read)
    written = single_spaced(read.follow_up or "")
    follow_up = follow_up_text(ctx, as_read) if follow_up_comes(ctx, as_read) else ""
    open_now = {item.id for item in answered}
    asks = [*_which_holds(ctx, facts, follow_up), *read.discovered_questions, *_who_is(ctx, people)]
    discovered, dropped_questions = _discoveries(ctx, asks, follow_up)
    return AnswerFindings(
        confidence=value if judged else None,
        facts=facts,
        discovered=discovered,
        answered=tuple(_answered_item(ctx, item) for item in answered),
        people=people,
        follow_up=follow_up,
        by_rules=not result.by_model,
        details={
            "read_by": str(result.source),
            "confidence": read.confidence if judged else "",
            "facts_dropped": list(dropped_facts),
            "answered_besides": [item.id for item in answered],
            "answered_dropped": [one for one in read.answered if one not in open_now],
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
    named = {person.name: person for person in (*state.people, *findings.people)}
    found = state.but(
        items=(*state.items, *findings.discovered),
        facts=(*state.facts, *findings.facts),
        people=tuple(named.values()),
    )
    return with_answered(found, findings.answered)


def with_answered(
    state: KnowledgeTransferState, answered: Iterable[BacklogItem]
) -> KnowledgeTransferState:
    for item in answered:
        state = with_item(state, replace(item, status=ANSWERED))
    return state


def _answered_item(ctx: TransferContext, item: BacklogItem) -> BacklogItem:
    value, position = CONFIDENCE_VALUES["medium"], ctx.received.position
    return replace(item, answer=ctx.answer, position=position, confidence=value)


# -- facts


def _kept_facts(
    ctx: TransferContext, read: TransferExtraction, answered: Sequence[BacklogItem], source: str
) -> tuple[tuple[FoundFact, ...], Dropped]:
    kept: list[FoundFact] = []
    dropped: list[dict[str, str]] = []
    for place, text in enumerate(read.facts, start=1):
        fact = _fact(ctx, read, place, shorten(one_line(text), MAX_LENGTH), source)
        if rejection := _why_dropped_fact(ctx, fact, kept):
            dropped.append({"text": fact.text, "why": rejection})
        else:
            question = evidence.question_answered(ctx, fact.text, answered)
            kept.append(replace(fact, question=question))
    return tuple(kept), tuple(dropped)


def _fact(
    ctx: TransferContext, read: TransferExtraction, place: int, text: str, source: str
) -> FoundFact:
    corrects, contradicts = (
        evidence.known_numbers(ctx, read.changes, place, text, how)
        for how in ("corrects", "contradicts")
    )
    if corrects:  # said again to say that it holds, it stands for what it repeats
        corrects = tuple(sorted({*corrects, *_same_as(ctx, text)}))
    sure = read.confidence if not evidence.unsupported(ctx, text) else "low"
    value, position = CONFIDENCE_VALUES[sure], ctx.received.position
    return FoundFact(text, position, ctx.state.open_id, value, source, corrects, contradicts)


def _why_dropped_fact(ctx: TransferContext, fact: FoundFact, kept: list[FoundFact]) -> str:
    if len(kept) >= MAX_FACTS:
        return "too many"
    said = plain(fact.text)
    if not said or guarded("empty_fact", ctx.language).fullmatch(said):
        return "says nothing"
    if any(_same_fact(fact.text, other.text) for other in kept):
        return "said twice"
    if not fact.corrects and _same_as(ctx, fact.text):
        return "known"
    invented = evidence.unsupported(ctx, fact.text)
    return f"nobody said {', '.join(invented)}" if evidence.invented(invented) else ""


def _same_as(ctx: TransferContext, text: str) -> list[int]:
    same = normalise(text)
    facts = enumerate(ctx.state.facts, start=1)
    return [number for number, fact in facts if normalise(fact.text) == same]


@lru_cache(maxsize=4_096)
def _same_fact(a: str, b: str) -> bool:
    """Similar facts with different figures are different. Cached: see cached_terms."""
    return normalise(a) == normalise(b) or (figures(a) == figures(b) and alike(a, b))


# -- people


def _people(ctx: TransferContext, read: TransferExtraction) -> tuple[NamedPerson, ...]:
    """Return whom the answer names: those of whom nothing is known, or more than before."""
    known = {person.name: person.about for person in ctx.state.people}
    found: dict[str, NamedPerson] = {}
    for one in read.people:
        name, about = one_line(one.name)[:MAX_NAME], shorten(one_line(one.about), MAX_LENGTH)
        if not evidence.names_person(ctx, name) or is_closed(ctx, ctx.state, f"{name} {about}"):
            continue
        if evidence.unsupported(ctx, about):
            about = ""
        if name not in known or (about and about not in known[name]):
            more = "; ".join(filter(None, (known.get(name, ""), about)))
            found[name] = NamedPerson(name, more, ctx.received.position)
    return tuple(found.values())


def _who_is(ctx: TransferContext, people: Sequence[NamedPerson]) -> list[Discovered]:
    """Return the question who somebody is of whom nobody has said it; one for each answer."""
    unknown = (
        person.name
        for person in people
        if not person.about and not evidence.stands_in_files(ctx, person.name)
    )
    name = next(unknown, "")
    return [Discovered(text=say(ctx.language, "who_is", name=name))] if name else []


# -- discoveries


def _which_holds(
    ctx: TransferContext, facts: Sequence[FoundFact], follow_up: str
) -> list[Discovered]:
    """Return the question which of two facts holds, unless the follow-up asks about them."""
    return [
        Discovered(text=_asks_which(ctx, fact.text, old), priority="P0")
        for fact in facts
        for old in (ctx.state.facts[number - 1].text for number in fact.contradicts[:1])
        if not (figures(follow_up) & (figures(old) | figures(fact.text)))
    ]


def _asks_which(ctx: TransferContext, new: str, old: str) -> str:
    first, second = (shorten(text.rstrip("."), MAX_QUOTED) for text in (old, new))
    return say(ctx.language, "which_holds", first=first, second=second)


def _discoveries(
    ctx: TransferContext, found: Sequence[Discovered], follow_up: str
) -> tuple[tuple[BacklogItem, ...], Dropped]:
    kept: list[BacklogItem] = []
    dropped: list[dict[str, str]] = []
    discovered_before = sum(item.origin == DISCOVERED for item in ctx.state.items)
    for one in found:
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
    known = any(_same_question(text, other, ctx.language) for other in others)
    return "in the backlog already" if known else ""


@lru_cache(maxsize=8_192)
def _same_question(a: str, b: str, language: str) -> bool:
    """Questions about different figures or people, or with different asking words, are different.

    Figures in common don't make them alike.
    """
    for first, second in (
        (figures(a), figures(b)),
        (set(evidence.names(a, language)), set(evidence.names(b, language))),
    ):
        if first and second and not first & second:
            return False
    same = normalise(a) == normalise(b)
    return same or (not asks_otherwise(a, b) and alike(NUMBERS.sub("", a), NUMBERS.sub("", b)))


def _discovered_item(ctx: TransferContext, key: str, text: str, priority: str) -> BacklogItem:
    wanted = priority.strip().upper()
    known = wanted if wanted in get_args(Priority) else "P1"
    return BacklogItem(
        id=key, text=text, priority=known, origin=DISCOVERED, parent=ctx.state.open_id, status=OPEN
    )
