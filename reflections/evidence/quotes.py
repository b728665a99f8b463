"""Find a quote in the answers."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from reflections.evidence.types import Quote

FEW = 3  # words from which a part of an answer counts as a quote
FEW_SIGNS = 6  # where words are not set apart by spaces
APOSTROPHES = "'’‘ʼ`´"
MARKS = set('"“”„‟«»‹›「」『』' + APOSTROPHES)
DASHES = set("-‐‑‒–—―−")  # some write spaces around them
LEFT_OUT = re.compile(r"\[\s*(?:…|\.{3,})\s*\]|\(\s*(?:…|\.{3,})\s*\)|…|\.{3,}")  # [...], …
LABEL = re.compile(r"^\W*\[?\d+\]\W*(?:participant\s*:)?|^\W*participant\s*:", re.I)
DIAERESIS = "\u0308"  # of the Russian ё


def find_quote(quote: str, answers: Mapping[int, str], near: int | None = None) -> Quote | None:
    return QuoteFinder(answers).find(quote, near)


class QuoteFinder:
    """Finds quotes in answers by position. Each answer is folded once, when first needed."""

    def __init__(self, answers: Mapping[int, str]) -> None:
        self._answers = answers
        self._comparable: dict[int, _FoldedText] = {}

    def find(self, quote: str, near: int | None = None) -> Quote | None:
        """Return the participant's own words and their position, or None if nobody said them.

        The answer at `near` is tried first. Differences in case, spaces, quotation marks and at the
        ends are ignored; half words don't match. A quote is a few words, or a whole shorter answer.
        """
        if place := self.locate(quote, near):
            position, start, end = place
            return Quote(position=position, text=self._answers[position][start:end])
        return None

    def locate(self, quote: str, near: int | None) -> tuple[int, int, int] | None:
        """Return the position of the answer that holds the quote, and where it starts and ends."""
        for variant in _variants(quote):
            sought = _strip_ends(_folded_text(variant).text)
            for position in _nearest_first(self._answers, near) if sought else ():
                if span := _find_within(sought, self._fold(position)):
                    return (position, *span)
        return None

    def find_parts(self, quote: str, near: int | None) -> tuple[Quote, ...]:
        """Return the quotes for a text that may leave something out in the middle.

        Every part must be found; otherwise the result is empty.
        """
        if whole := self.find(quote, near):
            return (whole,)
        parts = [part for part in LEFT_OUT.split(quote) if any(map(str.isalnum, part))]
        if len(parts) < 2:
            return ()
        pieces = [self.find(part, near) for part in parts]
        found = tuple(piece for piece in pieces if piece)
        return found if len(found) == len(pieces) else ()

    def _fold(self, position: int) -> "_FoldedText":
        if position not in self._comparable:
            self._comparable[position] = _folded_text(self._answers[position])
        return self._comparable[position]


def _variants(quote: str) -> tuple[str, ...]:
    """Return the quote as written, and as it was before a prompt numbered it."""
    return tuple(dict.fromkeys((quote, LABEL.sub("", quote))))


def _nearest_first(answers: Mapping[int, str], near: int | None) -> list[int]:
    return sorted(answers, key=lambda place: (0 if near is None else abs(place - near), place))


@dataclass(frozen=True, slots=True)
class _FoldedText:
    """A text as it is compared, and where in the original each character comes from."""

    text: str
    origins: tuple[int, ...]


def _find_within(sought: str, folded: _FoldedText) -> tuple[int, int] | None:
    if sought not in folded.text or not (
        _is_long_enough(sought) or sought == _strip_ends(folded.text)
    ):
        return None
    for start in _occurrences(sought, folded.text):
        end = start + len(sought)
        if _on_word_boundaries(folded.text, start, end):
            return folded.origins[start], folded.origins[end - 1] + 1
    return None


def _occurrences(sought: str, text: str) -> Iterator[int]:
    start = text.find(sought)
    while start >= 0:
        yield start
        start = text.find(sought, start + 1)


def start_of(words: str, answer: str) -> int:
    """Return where the words stand in the answer, if they can as whole words; -1 if nowhere.

    “he was ill” stands in “she was ill” as well.
    """
    starts = (
        start
        for start in _occurrences(words, answer)
        if words and _on_word_boundaries(answer, start, start + len(words))
    )
    return next(starts, answer.find(words))


def _on_word_boundaries(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (_same_word(before, text[start]) or _same_word(text[end - 1], after))


def _same_word(left: str, right: str) -> bool:
    if not left or not right:
        return False
    if unicodedata.category(right).startswith("M"):
        return True
    return all(one.isalnum() and not _is_caseless(one) for one in (left, right))


def _is_caseless(sign: str) -> bool:
    # a letter without case, as in scripts that write words without spaces
    return unicodedata.category(sign) == "Lo"


def _is_long_enough(sought: str) -> bool:
    words = [word for word in sought.split() if any(map(str.isalnum, word))]
    return len(words) >= FEW or sum(map(_is_caseless, sought)) >= FEW_SIGNS


def _strip_ends(text: str) -> str:
    inside = [i for i, sign in enumerate(text) if unicodedata.category(sign)[0] in "LNSM"]
    return text[inside[0] : inside[-1] + 1] if inside else ""


@lru_cache(maxsize=512)
def _folded_text(text: str) -> _FoldedText:
    """Fold to lower case, one form per letter, single spaces, no quotation marks."""
    signs, origins = list[str](), list[int]()
    for place, original in enumerate(text):
        for sign in _folded_sign(original, text, place):
            if not _is_redundant(sign, signs[-1:]):
                signs.append(sign)
                origins.append(place)
    return _FoldedText("".join(signs), tuple(origins))


def _is_redundant(sign: str, before: list[str]) -> bool:
    return (sign == " " and before == [" "]) or (sign == DIAERESIS and before == ["е"])


def _folded_sign(sign: str, text: str, place: int) -> str:
    if sign.isspace() or sign in DASHES:
        return " "
    if sign in MARKS:
        return "'" if sign in APOSTROPHES and _inside_a_word(text, place) else ""
    if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Cn"):
        return ""
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", sign).casefold())


def _inside_a_word(text: str, place: int) -> bool:
    return text[place - 1 : place].isalpha() and text[place + 1 : place + 2].isalpha()
