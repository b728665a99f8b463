from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count, pairwise
from typing import Protocol

from reflections.evidence.quotes import start_of
from reflections.evidence.statements import (
    CurrentStatement,
    CurrentStatements,
    original_of,
    support_of,
)
from reflections.evidence.types import Quote
from reflections.products import MADE_BY


class Quotable(Protocol):
    """An answer, or whatever else a quote can stand in."""

    @property
    def position(self) -> int: ...
    @property
    def text(self) -> str: ...


@dataclass(frozen=True, slots=True)
class QuoteSpan:
    id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A part of a text, the quotes that cover it, and those of them that begin here."""

    text: str
    quotes: tuple[str, ...] = ()
    begin: tuple[str, ...] = ()


def span_of(id: str, quote: str, text: str) -> QuoteSpan | None:
    start = start_of(quote, text) if quote else -1
    return None if start < 0 else QuoteSpan(id, start, start + len(quote))


def pieces(text: str, spans: Iterable[QuoteSpan]) -> list[TextPiece]:
    """Return the text cut wherever a quote begins or ends; joined they are the text."""
    known = list(spans)
    cuts = sorted({0, len(text), *(place for one in known for place in (one.start, one.end))})
    return [_piece(text, start, end, known) for start, end in pairwise(cuts)]


def _piece(text: str, start: int, end: int, spans: list[QuoteSpan]) -> TextPiece:
    covering = [one for one in spans if one.start <= start and end <= one.end]
    return TextPiece(
        text[start:end],
        tuple(one.id for one in covering),
        tuple(one.id for one in covering if one.start == start),
    )


FIRST = 5  # quotes of a statement, for it and against it each
Words = Mapping[int, str]  # text of answers by position


@dataclass(frozen=True)
class QuoteView:
    """A quote; `target` is the id that it links to: its words, its answer, or nothing."""

    id: str
    position: int
    text: str
    target: str
    span: QuoteSpan | None  # in its answer
    against: bool = False  # it contradicts the statement


@dataclass(frozen=True)
class StatementView:
    number: int
    text: str
    quotes: list[QuoteView]
    before: str  # the original text, if it was amended
    new: bool  # written by the reviewer
    unchecked: bool  # whether the check against its quotes failed
    people: str = ""  # how many are behind it and against it

    @property
    def first_quotes(self) -> list[QuoteView]:
        sides = ([one for one in self.quotes if one.against is side] for side in (False, True))
        return [one for side in sides for one in side[:FIRST]]

    @property
    def more_quotes(self) -> list[QuoteView]:
        return [one for one in self.quotes if one not in self.first_quotes]


@dataclass(frozen=True)
class SectionView:
    title: str
    statements: list[StatementView]


@dataclass(frozen=True)
class StatementsView:
    told: CurrentStatements
    sections: list[SectionView]

    @property
    def made_by(self) -> str:
        maker, reason = MADE_BY[self.told.made_by], self.told.reason.rstrip(".")
        return f"{maker} ({reason})" if reason else maker

    @property
    def statements(self) -> list[StatementView]:
        return [one for section in self.sections for one in section.statements]

    def pieces(self, entry: Quotable) -> list[TextPiece]:
        return pieces(entry.text, (one.span for one in self._quotes(entry) if one.span))

    def quoted_in(self, entry: Quotable) -> list[int]:
        return [
            statement.number
            for statement in self.statements
            if any(one.position == entry.position for one in statement.quotes)
        ]

    def _quotes(self, entry: Quotable) -> Iterator[QuoteView]:
        for statement in self.statements:
            yield from (one for one in statement.quotes if one.position == entry.position)


def statements_view(
    current: CurrentStatements, original: CurrentStatements, entries: Iterable[Quotable]
) -> StatementsView:
    words = {entry.position: entry.text for entry in entries}
    numbers = count(1)
    sections = [
        SectionView(
            section.title,
            [_statement_view(next(numbers), one, original, words) for one in section.statements],
        )
        for section in current.sections
    ]
    return StatementsView(current, sections)


def _statement_view(
    number: int, one: CurrentStatement, original: CurrentStatements, words: Words
) -> StatementView:
    before = original_of(one, original)
    return StatementView(
        number,
        one.text,
        [_quote_view(f"q{number}-{n}", quote, words) for n, quote in enumerate(one.quotes, 1)],
        before=before.text if before and before.text != one.text else "",
        new=one.was is None,
        unchecked=support_of(one, original) == "not_checked",
    )


def _quote_view(id: str, quote: Quote, words: Words) -> QuoteView:
    answer = words.get(quote.position)
    if answer is None:
        return QuoteView(id, quote.position, quote.text, "", None)
    span = span_of(id, quote.text, answer)
    return QuoteView(id, quote.position, quote.text, id if span else f"e{quote.position}", span)
