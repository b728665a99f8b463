"""E-mail addresses and phone numbers inside sentences, written or spelled out."""

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from email_validator import EmailNotValidError, validate_email

LONGEST_EMAIL = 254
FEWEST_DIGITS, MOST_DIGITS = 7, 15  # of a phone number
ANY_DIGITS = 5  # from so many on it may be part of one, so it is not shown

_AT_WORDS = "at|chiocciola|собак[аи]|собачка|эт"
_DOT_WORDS = "dot|punto|точка"
_AT = rf"(?:\s*[\[({{<]\s*(?:{_AT_WORDS}|@)\s*[\])}}>]\s*|\s+(?:{_AT_WORDS})\s+|\s*[@＠]\s*)"
_DOT = rf"(?:\s*[\[({{<]\s*(?:{_DOT_WORDS}|\.)\s*[\])}}>]\s*|\s+(?:{_DOT_WORDS})\s+|\s+\.\s+|[.．])"
_DASH = r"(?:\s+(?:dash|hyphen|minus|trattino|дефис|тире|минус)\s+)"
_UNDERSCORE = (
    r"(?:\s+(?:underscore|trattino basso|(?:нижнее )?подч[её]ркивание|нижнее тире|underline)\s+)"
)
_PLUS = r"(?:\s+(?:plus|più|плюс)\s+)"
_ATOM = r"[\w+'’-]{1,64}"
_JOIN = rf"(?:{_DOT}|{_UNDERSCORE}|{_DASH}|{_PLUS})"
SPELLED = re.compile(
    rf"(?<!\w){_ATOM}(?:{_JOIN}{_ATOM}){{0,6}}{_AT}[\w-]{{1,63}}(?:(?:{_DOT}|{_DASH})[\w-]{{1,63}}){{0,6}}",
    re.IGNORECASE,
)
_SIGNS = tuple(
    (re.compile(pattern, re.IGNORECASE), sign)
    for pattern, sign in (
        (_AT, "@"),
        (_UNDERSCORE, "_"),
        (_DASH, "-"),
        (_PLUS, "+"),
        (_DOT, "."),
    )
)
# "I work at example dot org" is no address
NO_LOCAL_PART = re.compile(
    r"(?:work|works|working|worked|am|is|was|be|based|located|reach|look|lavoro|sono|работаю)",
    re.IGNORECASE,
)
TOKEN = re.compile(r"[^\s<>()\[\]{},;:\"“”«»|]+")
AT = re.compile("[@＠]")
_EDGES = " .,!?…'’\"“”«»()[]<>"
DIGITS = re.compile(r"(?<!\w)[+＋]?[ (]{0,3}\d(?:[\s().\-‐–—/]{0,3}\d)*")


class Detection(NamedTuple):
    """A place in a text, and what stands there in its usual form; empty where it has none."""

    start: int
    end: int
    value: str


def emails(text: str) -> list[Detection]:
    """Every address, in order, and what only looks like one (without a value)."""
    written = [_written(match) for match in TOKEN.finditer(text) if AT.search(match.group(), 1)]
    spelled = [found for found in _spelled_ones(text) if not _part_of(found, written)]
    good = [found for found in written if found.value]
    others = [found for found in (*spelled, *written) if not _touches(found, good)]
    better = [found for found in others if found.value]
    rest = [found for found in others if not found.value and not _touches(found, better)]
    return sorted({*good, *better, *rest})


def phones(text: str) -> list[Detection]:
    """Every number of a phone's length, and shorter or longer ones (without a value)."""
    taken = emails(text)
    numbers = [_number(match) for match in DIGITS.finditer(text)]
    return [n for n in numbers if n is not None and not _touches(n, taken)]


def confidential(text: str) -> Iterator[tuple[Detection, str]]:
    """All of both with their kind, incomplete ones and every word with an @ too."""
    yield from ((found, "email") for found in emails(text))
    for match in re.finditer(r"\S+", text):
        if AT.search(match.group()):
            yield (
                Detection(match.start(), match.start() + len(match.group().rstrip(_EDGES)), ""),
                "email",
            )
    yield from ((found, "phone") for found in phones(text))


def _written(match: re.Match[str]) -> Detection:
    raw = match.group()
    kept = raw.strip(_EDGES)
    start = match.start() + raw.index(kept) if kept else match.start()
    return Detection(start, start + len(kept), address(kept))


def _spelled_ones(text: str) -> Iterator[Detection]:
    """Where "me at ann" is none, "ann at example dot org" may follow."""
    match = SPELLED.search(text)
    while match:
        found = _spelled(match)
        if found:
            yield found
        end = match.end() if found else _first_word(match)
        match = SPELLED.search(text, end)


def _first_word(match: re.Match[str]) -> int:
    word = re.compile(r"[\w+'’-]+").match(match.string, match.start())
    return word.end() if word else match.end()


def _spelled(match: re.Match[str]) -> Detection | None:
    text = match.group()
    for pattern, sign in _SIGNS:
        text = pattern.sub(sign, text)
    local, _, domain = text.partition("@")
    if not AT.search(match.group()) and ("." not in domain or NO_LOCAL_PART.fullmatch(local)):
        return None  # "at" is an ordinary word
    return Detection(*match.span(), address(text))


def address(text: str) -> str:
    """A valid address in its usual form; empty for anything else."""
    plain = unicodedata.normalize("NFKC", text).replace("’", "'")
    if len(plain) > LONGEST_EMAIL:
        return ""
    try:
        return validate_email(plain, check_deliverability=False).normalized
    except EmailNotValidError:
        return ""


def _number(match: re.Match[str]) -> Detection | None:
    raw = match.group()
    digits = "".join(str(unicodedata.digit(c)) for c in raw if c.isdigit())
    if len(digits) < ANY_DIGITS:
        return None
    international = raw.lstrip(" (")[0] in "+＋" or digits.startswith("00")
    whole = digits.removeprefix("00") if international else digits
    value = ("+" if international else "") + whole
    right = FEWEST_DIGITS <= len(whole) <= MOST_DIGITS
    return Detection(*match.span(), value if right else "")


def _part_of(one: Detection, others: list[Detection]) -> bool:
    return any(other.start <= one.start and one.end <= other.end for other in others)


def _touches(one: Detection, others: list[Detection]) -> bool:
    return any(one.start < other.end and other.start < one.end for other in others)
