"""What a transcript shows of a confidential answer: the words without what was confided."""

import unicodedata
from collections.abc import Iterator

from interviews.engine.contact_data.detection import confidential

HIDDEN = "•••"  # the whole answer
LONGEST_TEXT = 2_000  # characters; a longer answer to such a question is hidden as a whole
MARKS = {
    "name": "[name]",
    "email": "[e-mail]",
    "phone": "[phone]",
    "company": "[company]",
    "role": "[role]",
}
OTHER = "[answer]"
WITHIN_WORDS = {"email", "phone"}  # found even where letters or digits stand right beside

Span = tuple[int, int]


def mask(text: str, value: str, kind: str) -> str:
    """The words with the value replaced by a mark, and every e-mail address and phone number too.

    However the value is written: capitals, accents, spaces and signs between its letters make no
    difference. Where nothing else helps, all of it is hidden.
    """
    shown = _replaced(scrub(text), value, kind)
    return HIDDEN if holds(shown, value, kind) else shown


def scrub(text: str) -> str:
    """The words without any e-mail address, phone number, or what looks like one."""
    if len(text) > LONGEST_TEXT:
        return HIDDEN
    places = sorted(((f.start, f.end, kind) for f, kind in confidential(text)), key=_widest)
    parts, end = [], 0
    for start, stop, kind in places:
        if start >= end:
            parts += [text[end:start], MARKS[kind]]
        end = max(end, stop)
    return "".join(parts) + text[end:]


def leaks(text: str, answer: str) -> bool:
    """Whether an e-mail address or phone number of the answer stands in the text."""
    told = (answer[found.start : found.end].strip() for found, _ in confidential(answer))
    return any(secret in text for secret in told)


def holds(text: str, value: str, kind: str) -> bool:
    """Whether the value stands in the text, however it is written."""
    return next(_places(text, value, kind), None) is not None


def _widest(place: tuple[int, int, str]) -> Span:
    return place[0], -place[1]


def _replaced(text: str, value: str, kind: str) -> str:
    parts, end = [], 0
    for start, stop in _places(text, value, kind):
        parts += [text[end:start], MARKS.get(kind, OTHER)]
        end = stop
    return "".join(parts) + text[end:]


def _places(text: str, value: str, kind: str) -> Iterator[Span]:
    """Where the value stands, from left to right."""
    wanted = "".join(letter for letter, _ in _letters(value))
    if not wanted:
        yield from _literal(text, value)
        return
    letters = _letters(text)
    folded = "".join(letter for letter, _ in letters)
    at = folded.find(wanted)
    while at >= 0:
        last = at + len(wanted) - 1
        start, stop = letters[at][1], _with_marks(text, letters[last][1] + 1)
        if kind in WITHIN_WORDS or _whole_words(text, start, stop):
            yield start, stop
            at = folded.find(wanted, last + 1)
        else:
            at = folded.find(wanted, at + 1)


def _literal(text: str, value: str) -> Iterator[Span]:
    at = text.find(value) if value else -1
    while at >= 0:
        yield at, at + len(value)
        at = text.find(value, at + len(value))


def _letters(text: str) -> list[tuple[str, int]]:
    """Letters and digits in one case and without accents, each with its place in the text."""
    return [
        (letter, place)
        for place, character in enumerate(text)
        for letter in unicodedata.normalize("NFKD", character.casefold()).casefold()
        if letter.isalnum()
    ]


def _with_marks(text: str, end: int) -> int:
    while end < len(text) and unicodedata.category(text[end]).startswith("M"):
        end += 1
    return end


def _whole_words(text: str, start: int, stop: int) -> bool:
    before, after = text[start - 1 : start], text[stop : stop + 1]
    return not before.isalnum() and not after.isalnum()
