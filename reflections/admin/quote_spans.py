"""Cuts a text where quotes begin or end, so that they can be marked."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise


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
    start = text.find(quote) if quote else -1
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
