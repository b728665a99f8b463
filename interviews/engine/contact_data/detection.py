import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from email_validator import EmailNotValidError, validate_email

LONGEST_EMAIL = 254
FEWEST_DIGITS, MOST_DIGITS = 7, 15  # of a phone number
SURE_DIGITS = 9  # of a number that nobody has asked for
ANY_DIGITS = 5  # this many may be part of a phone number, so they are masked

_AT_WORDS = "at|chiocciola|собак[аи]|собачка|эт"
_DOT_WORDS = "dot|punto|точка"
# spaces are read from the first on, so that many of them are read once
_GAP, _ANY = r"(?<!\s)\s++", r"(?:(?<!\s)\s++)?"
_AT = (
    rf"(?:{_ANY}[\[({{<]\s*(?:{_AT_WORDS}|@)\s*[\])}}>]\s*"
    rf"|{_GAP}(?:{_AT_WORDS})\s+|{_ANY}[@＠]\s*)"
)
_DOT = (
    rf"(?:{_ANY}[\[({{<]\s*(?:{_DOT_WORDS}|\.)\s*[\])}}>]\s*"
    rf"|{_GAP}(?:(?:{_DOT_WORDS})|\.)\s+|[.．])"
)
_DASH = rf"(?:{_GAP}(?:dash|hyphen|minus|trattino|дефис|тире|минус)\s+)"
_UNDERSCORE = (
    rf"(?:{_GAP}(?:underscore|trattino basso|(?:нижнее )?подч[её]ркивание|нижнее тире|underline)"
    r"\s+)"
)
_PLUS = rf"(?:{_GAP}(?:plus|più|плюс)\s+)"
_ATOM = r"[\w+'’-]{1,64}+"  # a shorter one would never do, so none is tried
_JOIN = rf"(?:{_DOT}|{_UNDERSCORE}|{_DASH}|{_PLUS})"
SPELLED = re.compile(
    rf"(?<!\w){_ATOM}(?:{_JOIN}{_ATOM}){{0,6}}{_AT}[\w-]{{1,63}}(?:(?:{_DOT}|{_DASH})[\w-]{{1,63}}){{0,6}}",
    re.IGNORECASE,
)
_SIGNS = [
    (re.compile(pattern, re.IGNORECASE), sign)
    for pattern, sign in ((_AT, "@"), (_UNDERSCORE, "_"), (_DASH, "-"), (_PLUS, "+"), (_DOT, "."))
]
# "I work at example dot org" is no address
NO_LOCAL_PART = re.compile(
    r"(?:work|works|working|worked|am|is|was|be|based|located|reach|look|lavoro|sono|работаю)",
    re.IGNORECASE,
)
TOKEN = re.compile(r"[^\s<>()\[\]{},;:\"“”«»|]+")
AT = re.compile("[@＠]")
_EDGES = " .,!?…'’\"“”«»()[]<>"
DIGITS = re.compile(r"(?<!\w)[+＋]?[ (]{0,3}\d(?:[\s().\-‐–—/]{0,3}\d)*")


DECIMAL = re.compile(r"(?<!\d)\d++[.,]\d+")


class Detection(NamedTuple):
    """A place in a text and its normalised value; empty if it is no valid one."""

    start: int
    end: int
    value: str


def emails(text: str) -> list[Detection]:
    """Return e-mail addresses in order, and what only looks like one (without a value)."""
    written = [_email(match) for match in TOKEN.finditer(text) if AT.search(match.group(), 1)]
    spelled = [found for found in _spelled_emails(text) if not _is_within(found, written)]
    good = [found for found in written if found.value]
    others = [found for found in (*spelled, *written) if not _overlaps(found, good)]
    better = [found for found in others if found.value]
    rest = [found for found in others if not found.value and not _overlaps(found, better)]
    return sorted({*good, *better, *rest})


def phones(text: str) -> list[Detection]:
    taken = emails(text)
    numbers = [_phone(match) for match in DIGITS.finditer(text)]
    return [n for n in numbers if n is not None and not _overlaps(n, taken)]


def is_sure_phone(written: str) -> bool:
    """Return whether it is written as phone numbers are: with a leading + or 0, and long enough."""
    digits = sum(c.isdigit() for c in written)
    begins = written.lstrip(" (")[:1]
    return begins in ("+", "＋", "0") and digits >= SURE_DIGITS and not DECIMAL.fullmatch(written)


def confidential(text: str) -> Iterator[tuple[Detection, str]]:
    """Yield e-mails and phones with their kind, and every other word with an @."""
    yield from ((found, "email") for found in emails(text))
    for match in re.finditer(r"\S+", text):
        if AT.search(match.group()):
            end = match.start() + len(match.group().rstrip(_EDGES))
            yield Detection(match.start(), end, ""), "email"
    yield from ((found, "phone") for found in phones(text))


def _email(match: re.Match[str]) -> Detection:
    raw = match.group()
    kept = raw.strip(_EDGES)
    start = match.start() + raw.index(kept) if kept else match.start()
    return Detection(start, start + len(kept), address(kept))


def _spelled_emails(text: str) -> Iterator[Detection]:
    match = SPELLED.search(text)
    while match:
        found = _spelled_email(match)
        if found:
            yield found
        # "me at ann" is none, but "ann at example dot org" may follow
        match = SPELLED.search(text, match.end() if found else _first_word_end(match))


def _first_word_end(match: re.Match[str]) -> int:
    word = re.compile(r"[\w+'’-]+").match(match.string, match.start())
    return word.end() if word else match.end()


def _spelled_email(match: re.Match[str]) -> Detection | None:
    text = match.group()
    for pattern, sign in _SIGNS:
        text = pattern.sub(sign, text)
    local, _, domain = text.partition("@")
    if not AT.search(match.group()) and ("." not in domain or NO_LOCAL_PART.fullmatch(local)):
        return None  # "at" is an ordinary word
    return Detection(*match.span(), address(text))


def address(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).replace("’", "'")
    if len(plain) > LONGEST_EMAIL:
        return ""
    try:
        return validate_email(plain, check_deliverability=False).normalized
    except EmailNotValidError:
        return ""


def _phone(match: re.Match[str]) -> Detection | None:
    raw = match.group()
    digits = "".join(str(unicodedata.digit(c)) for c in raw if c.isdigit())
    if len(digits) < ANY_DIGITS:
        return None
    international = raw.lstrip(" (")[0] in "+＋" or digits.startswith("00")
    whole = digits.removeprefix("00") if international else digits
    value = ("+" if international else "") + whole
    is_valid = FEWEST_DIGITS <= len(whole) <= MOST_DIGITS
    return Detection(*match.span(), value if is_valid else "")


def _is_within(one: Detection, others: list[Detection]) -> bool:
    return any(other.start <= one.start and one.end <= other.end for other in others)


def _overlaps(one: Detection, others: list[Detection]) -> bool:
    return any(one.start < other.end and other.start < one.end for other in others)
