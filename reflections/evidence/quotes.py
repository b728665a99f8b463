"""A quote is found in the words, or dropped."""

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


def found(quote: str, answers: Mapping[int, str], near: int | None = None) -> Quote | None:
    """What `QuoteFinder` finds in these."""
    return QuoteFinder(answers).found(quote, near)


class QuoteFinder:
    """Answers by their positions, to find quotes in. Each is made comparable once, when it is
    first looked at."""

    def __init__(self, answers: Mapping[int, str]) -> None:
        self._answers = answers
        self._comparable: dict[int, _Folded] = {}

    def found(self, quote: str, near: int | None = None) -> Quote | None:
        """The participant's own words as they stand in an answer, and where; None where nobody
        said it.

        The answer at `near` is looked at first. Case, spaces, quotation marks and what stands at
        the ends are forgiven, half words are not. It takes a few words, or a whole answer that is
        shorter.
        """
        for reading in _readings(quote):
            sought = _core(_folded(reading).text)
            for position in _places(self._answers, near) if sought else ():
                words = _within(sought, self._answers[position], self._folded(position))
                if words:
                    return Quote(position=position, text=words)
        return None

    def found_whole(self, quote: str, near: int | None = None) -> tuple[Quote, ...]:
        """The same, also where something was left out in the middle: then each part of it must be
        found. Empty where any of it is not."""
        whole = self.found(quote, near)
        if whole:
            return (whole,)
        parts = [part for part in LEFT_OUT.split(quote) if any(map(str.isalnum, part))]
        if len(parts) < 2:
            return ()
        pieces = [self.found(part, near) for part in parts]
        there = tuple(piece for piece in pieces if piece)
        return there if len(there) == len(pieces) else ()

    def _folded(self, position: int) -> "_Folded":
        if position not in self._comparable:
            self._comparable[position] = _folded(self._answers[position])
        return self._comparable[position]


def _readings(quote: str) -> tuple[str, ...]:
    """As it stands, and as it was before a prompt escaped it and put a number before it."""
    plain = quote.replace("&lt;", "<").replace("&gt;", ">")
    return tuple(dict.fromkeys((quote, plain, LABEL.sub("", plain))))


def _places(answers: Mapping[int, str], near: int | None) -> list[int]:
    """The answers' positions, the nearest first."""
    return sorted(answers, key=lambda place: (0 if near is None else abs(place - near), place))


@dataclass(frozen=True, slots=True)
class _Folded:
    """A text as it is compared, and from where in the original each of its signs comes."""

    text: str
    origins: tuple[int, ...]


def _within(sought: str, answer: str, said: _Folded) -> str:
    """The part of the answer that is sought; empty where there is none."""
    if sought not in said.text or not (_few(sought) or sought == _core(said.text)):
        return ""
    for start in _starts(sought, said.text):
        end = start + len(sought)
        if _stands_alone(said.text, start, end):
            return answer[said.origins[start] : said.origins[end - 1] + 1]
    return ""


def _starts(sought: str, text: str) -> Iterator[int]:
    start = text.find(sought)
    while start >= 0:
        yield start
        start = text.find(sought, start + 1)


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether it neither begins nor ends within a word."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (_joined(before, text[start]) or _joined(text[end - 1], after))


def _joined(left: str, right: str) -> bool:
    """Whether two signs belong to one word, in scripts that set words apart."""
    if not left or not right:
        return False
    if unicodedata.category(right).startswith("M"):
        return True
    return _spaced(left) and _spaced(right)


def _spaced(sign: str) -> bool:
    return sign.isalnum() and not _unspaced(sign)


def _unspaced(sign: str) -> bool:
    """A letter without case, as in scripts that write words in one."""
    return unicodedata.category(sign) == "Lo"


def _few(sought: str) -> bool:
    """Whether it is long enough to be nobody's chance."""
    words = [word for word in sought.split() if any(map(str.isalnum, word))]
    return len(words) >= FEW or sum(map(_unspaced, sought)) >= FEW_SIGNS


def _core(text: str) -> str:
    """Without what stands at the ends and says nothing."""
    inside = [place for place, sign in enumerate(text) if _says(sign)]
    return text[inside[0] : inside[-1] + 1] if inside else ""


def _says(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "LNSM"


@lru_cache(maxsize=512)
def _folded(text: str) -> _Folded:
    """Lower case, one form for each letter, one space at a time, no quotation marks."""
    signs, origins = list[str](), list[int]()
    for place, original in enumerate(text):
        for sign in _forms(original, text, place):
            if not _superfluous(sign, signs[-1:]):
                signs.append(sign)
                origins.append(place)
    return _Folded("".join(signs), tuple(origins))


def _superfluous(sign: str, before: list[str]) -> bool:
    """A second space, and what makes ё of е."""
    return (sign == " " and before == [" "]) or (sign == DIAERESIS and before == ["е"])


def _forms(sign: str, text: str, place: int) -> str:
    """What it is compared as; empty for what is passed over."""
    if sign.isspace() or sign in DASHES:
        return " "
    if sign in MARKS:
        return "'" if sign in APOSTROPHES and _inside_a_word(text, place) else ""
    if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Cn"):
        return ""
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", sign).casefold())


def _inside_a_word(text: str, place: int) -> bool:
    return text[place - 1 : place].isalpha() and text[place + 1 : place + 2].isalpha()
