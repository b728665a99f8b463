"""What of an extraction the answer, the talk and the files bear out; a model may invent the rest.

A name, year, decimal or large figure that stands nowhere is unsupported. A small number may have
been said in words, so it only makes a fact unsure. Names are told by their capital letters, so not
in German, nor at the start of a sentence.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from interviews.engine.guards import Limits, prompts_of
from interviews.engine.language.terms import shared_terms, terms
from interviews.engine.signal import CAPITALISED, ONLY_DIGITS
from interviews.protocols.knowledge_transfer.context import (
    OPEN,
    TransferContext,
    in_backlog_language,
)
from interviews.protocols.knowledge_transfer.state import BacklogItem
from interviews.protocols.knowledge_transfer.tasks import PROMPTS, FactChange
from plans.text import NUMBERS, figures

MIN_SHARED = 0.2  # of a question's words, where no figure is shared
MIN_WORD_LENGTH = 4


def asks_question(text: str, question: str, others: Iterable[str], language: str) -> bool:
    """Return whether the text asks that question, as far as words and figures tell; lenient.

    `others` are questions that could be asked instead: a text nearer to one of them asks that one.
    """
    if figures(question) & figures(text) or not _words(question, language):
        return True
    said = _words(text, language)
    share = _share(said, question, language)
    return share >= MIN_SHARED and all(_share(said, other, language) <= share for other in others)


def _share(said: frozenset[str], question: str, language: str) -> float:
    wanted = _words(question, language)
    return len(wanted & said) / len(wanted) if wanted else 0.0


@lru_cache(maxsize=1_024)
def _words(text: str, language: str) -> frozenset[str]:
    return frozenset(word for word in terms(text, language) if len(word) >= MIN_WORD_LENGTH)


def private_texts(ctx: TransferContext) -> tuple[str, ...]:
    return (ctx.plan.persona, *prompts_of(PROMPTS))


def limits(ctx: TransferContext, asked: Iterable[str] = ()) -> Limits:
    return Limits(ctx.language, private_texts(ctx), ctx.state.closed, tuple(asked))


LONG_FIGURE = 3  # digits
NO_ANSWER = ("off_topic", "manipulate", "withdraw", "clarify")
cached_terms = lru_cache(maxsize=4_096)(terms)  # asked for each time that a reply has grown


def unsupported(ctx: TransferContext, text: str) -> tuple[str, ...]:
    """Return the names and figures of a text that stand neither in what was said nor in a file."""
    details = (*names(text, ctx.language), *NUMBERS.findall(text))
    return tuple(one for one in details if not any(_holds(t, one, ctx) for t in _texts(ctx)))


def invented(details: Sequence[str]) -> bool:
    return any(len(one) >= LONG_FIGURE or not one.isdigit() for one in details)


def names(text: str, language: str) -> tuple[str, ...]:
    if language.split("-")[0] in ONLY_DIGITS:
        return ()
    return tuple(word for word in CAPITALISED.findall(text) if word[0].isupper())


def names_person(ctx: TransferContext, name: str) -> bool:
    """Return whether the answer names that person."""
    said, wanted = cached_terms(ctx.answer, ctx.language), cached_terms(name, ctx.language)
    return bool(wanted) and shared_terms(wanted, said) == wanted


def stands_in_files(ctx: TransferContext, name: str) -> bool:
    people = (one for document in ctx.material.documents for one in document.dive.people)
    return any(_holds(text, name, ctx) for text in (ctx.material.options.handed_over_by, *people))


def answered_besides(ctx: TransferContext, read: Mapping[str, Any]) -> list[BacklogItem]:
    """Return the questions that the model says were answered by the way and the answer speaks of.

    Words tell only in the backlog's language.
    """
    if "confidence" not in read or ctx.reading.intent in NO_ANSWER:  # not all of them are written
        return []
    waiting = {item.id: item for item in ctx.state.items if item.status == OPEN and not item.round}
    named = read.get("answered")  # whatever a model has written so far
    keys = dict.fromkeys(map(str, named if isinstance(named, list) else ()))
    found = (waiting[key] for key in keys if key in waiting)
    return [item for item in found if _speaks_of(ctx, ctx.answer, item)]


def question_answered(ctx: TransferContext, fact: str, besides: Sequence[BacklogItem]) -> str:
    """Return the id of the question that the fact answers: the open one, or one by the way."""
    near = (item.id for item in besides if in_backlog_language(ctx) and _speaks_of(ctx, fact, item))
    return next(near, ctx.state.open_id)


def known_numbers(
    ctx: TransferContext, changes: Sequence[FactChange], place: int, fact: str, how: str
) -> tuple[int, ...]:
    """Return the numbers of standing facts of the same subject that the fact at `place` changes."""
    standing = set(range(1, len(ctx.state.facts) + 1)) - ctx.state.corrected
    named = {one.known for one in changes if one.fact == place and one.how.strip().lower() == how}
    said = cached_terms(fact, ctx.language)
    return tuple(
        number
        for number in sorted(named & standing)
        if said & cached_terms(ctx.state.facts[number - 1].text, ctx.language)
    )


def _speaks_of(ctx: TransferContext, text: str, item: BacklogItem) -> bool:
    return not in_backlog_language(ctx) or asks_question(text, item.text, (), ctx.language)


def _holds(text: str, detail: str, ctx: TransferContext) -> bool:
    if detail[0].isdigit():
        return _digits(detail) in map(_digits, NUMBERS.findall(text))
    wanted = cached_terms(detail, ctx.language)
    return shared_terms(wanted, cached_terms(text, ctx.language)) == wanted


def _digits(figure: str) -> str:
    return figure.replace(",", "").replace(".", "")


def _texts(ctx: TransferContext) -> Iterator[str]:
    """Yield what a detail may come from, the likeliest first."""
    material = ctx.material
    yield from (ctx.answer, ctx.state.open.asked, material.options.handed_over_by, ctx.name)
    yield from (text for item in ctx.state.items for text in (item.answer, item.text))
    yield from (fact.text for fact in ctx.state.facts)
    yield from (material.summary, material.options.project)
    yield from (source.text for question in material.questions for source in question.sources)
    for document in material.documents:
        dive = document.dive
        yield from (document.name, dive.purpose, *dive.decisions, *dive.formulas, *dive.thresholds)
        yield from (*dive.people, *dive.gaps, *dive.points)
