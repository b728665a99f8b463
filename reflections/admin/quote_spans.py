"""Quotes in the words that they come from: a text cut where one begins or ends. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class QuoteSpan:
    """Where a quote stands in a text."""

    id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A part of a text with the quotes that cover it, and those of them that begin here."""

    text: str
    quotes: tuple[str, ...] = ()
    begin: tuple[str, ...] = ()


def span_of(id: str, quote: str, text: str) -> QuoteSpan | None:
    """Where the quote first stands in the text; None where it doesn't."""
    start = text.find(quote) if quote else -1
    return None if start < 0 else QuoteSpan(id, start, start + len(quote))


def pieces(text: str, spans: Iterable[QuoteSpan]) -> list[TextPiece]:
    """The text, cut wherever a quote begins or ends. Together the pieces are the text again."""
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
