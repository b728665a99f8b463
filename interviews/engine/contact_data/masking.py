import re
import unicodedata
from collections.abc import Iterable, Iterator

from interviews.engine.contact_data.detection import confidential, emails, is_sure_phone, phones

HIDDEN = "•••"  # in place of a whole answer
LONGEST_TEXT = 2_000  # characters; a longer answer to such a question is hidden as a whole
STRUCK = "[struck at the participant's wish]"  # what they said isn't kept
MARKS = {
    "name": "[name]",
    "email": "[e-mail]",
    "phone": "[phone]",
    "company": "[company]",
    "role": "[role]",
    "struck": STRUCK,
}
OTHER = "[answer]"
ANY_MARK = re.compile("|".join(map(re.escape, [*MARKS.values(), OTHER])))
WITHIN_WORDS = {"email", "phone"}  # found even right beside other letters or digits

Span = tuple[int, int]


def mask(text: str, value: str, kind: str) -> str:
    """Replace the value, and every e-mail address and phone number, by a mark.

    The value is found whatever its capitals, accents, spaces and punctuation. The whole answer is
    hidden if the value can't be taken out.
    """
    masked = replaced(scrub(text), value, kind)
    return HIDDEN if holds(masked, value, kind) else masked


def scrub(text: str) -> str:
    """Replace every e-mail address and phone number, and what looks like one, by a mark."""
    if len(text) > LONGEST_TEXT:
        return HIDDEN
    found = ((f.start, f.end, MARKS[kind]) for f, kind in confidential(text))
    return _marked(text, sorted(found, key=lambda place: (place[0], -place[1])))  # the widest first


def hide_contact_data(text: str) -> tuple[str, list[tuple[str, str]]]:
    """Replace e-mail addresses and phone numbers; return the text, and each kind and value.

    Only what is surely one: other numbers tell of years, prices and amounts.
    """
    found = [(emails(text), "email"), (phones(text), "phone")]
    places = sorted(
        (one, kind)
        for places, kind in found
        for one in places
        if one.value and (kind == "email" or is_sure_phone(text[one.start : one.end]))
    )
    masked = _marked(text, ((one.start, one.end, MARKS[kind]) for one, kind in places))
    return masked, [(kind, one.value) for one, kind in places]


def without_marks(text: str) -> str:
    """Return what the participant said, without the marks that stand for other words."""
    return ANY_MARK.sub(" ", text)


def leaks(text: str, answer: str) -> bool:
    secrets = (answer[found.start : found.end].strip() for found, _ in confidential(answer))
    return any(secret in text for secret in secrets)


def holds(text: str, value: str, kind: str) -> bool:
    return next(_find_value(text, value, kind), None) is not None


def replaced(text: str, value: str, kind: str) -> str:
    mark = MARKS.get(kind, OTHER)
    return _marked(text, ((start, stop, mark) for start, stop in _find_value(text, value, kind)))


def _marked(text: str, places: Iterable[tuple[int, int, str]]) -> str:
    parts, end = [], 0
    for start, stop, mark in places:
        if start >= end:
            parts += [text[end:start], mark]
        end = max(end, stop)
    return "".join(parts) + text[end:]


def _find_value(text: str, value: str, kind: str) -> Iterator[Span]:
    wanted = "".join(letter for letter, _ in _letters(value))
    if not wanted:
        yield from (found.span() for found in re.finditer(re.escape(value), text) if value)
        return
    letters = _letters(text)
    folded = "".join(letter for letter, _ in letters)
    at = folded.find(wanted)
    while at >= 0:
        last = at + len(wanted) - 1
        start, stop = letters[at][1], _skip_marks(text, letters[last][1] + 1)
        if kind in WITHIN_WORDS or _is_whole_word(text, start, stop):
            yield start, stop
            at = folded.find(wanted, last + 1)
        else:
            at = folded.find(wanted, at + 1)


def _letters(text: str) -> list[tuple[str, int]]:
    return [
        (letter, place)
        for place, character in enumerate(text)
        for letter in unicodedata.normalize("NFKD", character.casefold()).casefold()
        if letter.isalnum()
    ]


def _skip_marks(text: str, end: int) -> int:
    while end < len(text) and unicodedata.category(text[end]).startswith("M"):
        end += 1
    return end


def _is_whole_word(text: str, start: int, stop: int) -> bool:
    before, after = text[start - 1 : start], text[stop : stop + 1]
    return not before.isalnum() and not after.isalnum()
