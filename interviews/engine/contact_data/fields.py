"""Rules that read contact data out of an answer. No model may see it."""

import re
import unicodedata
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from interviews.engine.contact_data.choices import FieldChoices
from interviews.engine.contact_data.detection import Detection, emails, phones
from interviews.engine.contact_data.masking import HIDDEN, LONGEST_TEXT, mask, scrub
from interviews.engine.language.lists import ListName, Wish, listed
from interviews.engine.language.wishes import SHORT, clauses, is_courtesy, only, plain, wishes

Reading = Literal["valid", "invalid", "refused", "refused_all", "unclear"]
Consent = Literal["yes", "no", "unclear"]
Consenting = Literal["consent_yes", "consent_no", "yes", "no"]
REFUSALS: tuple[Wish, ...] = ("refuse_field", "privacy", "skip", "no")
LEAD_INS: dict[str, ListName] = {
    "name": "lead_name",
    "company": "lead_company",
    "role": "lead_role",
}
LONGEST = {"name": 100, "company": 160, "role": 160}  # characters
LONGEST_FREE = 1000
MOST_WORDS = {"name": 6, "company": 12, "role": 16}
# several words without "my name is" or the like are a remark rather than a name
MOST_WORDS_ALONE = {"name": 4, "company": 8, "role": 10}
FEW_WORDS = 2  # of a name, however it is written
QUESTION = re.compile(r"[?？؟]")
# a full stop ends a value only after a word, not after an initial
VALUE_ENDS = re.compile(r"[!;\n]|(?<=\w{3})\.(?=\s|$)|\s[-–—]\s")
NAME_ENDS = re.compile(r",|\s(?:and|but|e|ed|ma|и|а|но)\s", re.IGNORECASE)
SIGNS_OF_NAMES = " '’.-‐·"
NO_CHOICES = FieldChoices()
EDGES = ' \t\n,.;:!?…"“”«»()[]—–-'


@dataclass(frozen=True, slots=True)
class FieldReading:
    """`reason` says why there is no value, in none of the participant's words."""

    outcome: Reading
    value: str = field(default="", repr=False)
    reason: str = ""


def read_field(kind: str, text: str, language: str) -> FieldReading:
    """Read a value of that kind (name, email, phone, company, role, free) from an answer."""
    if len(text) > LONGEST_TEXT:
        return FieldReading("unclear", reason="too_long")
    if _refuses_all(text):
        return FieldReading("refused_all", reason="wish")
    found = _parse(kind, text, language)
    if _refuses(text) and not (found.outcome == "valid" and kind in ("email", "phone")):
        return FieldReading("refused", reason="wish")
    return found


def read_consent(
    text: str, choices: FieldChoices = NO_CHOICES, gives_values: bool = False
) -> Consent:
    """Only a clear yes is a yes, be it to some fields: a question or condition makes it unclear."""
    if choices.agreed or choices.refused:
        if _refuses_all(text):
            return "no"
        clear = bool(choices.agreed) or read_consent(choices.rest) == "yes"
        return "yes" if clear and not QUESTION.search(text) else "unclear"
    if _refuses_all(text) or wishes(text, "privacy") or _says(plain(text), "consent_no", "no"):
        return "no"
    parts = clauses(text)
    agrees = [c for c in parts if _says(c, "consent_yes", "yes")]
    refuses = [c for c in parts if c not in agrees and _says(c, "consent_no", "no")]
    if refuses:
        return "unclear" if agrees else "no"
    neutral = all(c in agrees or is_courtesy(c) for c in parts)
    agreed = agrees and neutral and len(plain(text).split()) <= SHORT
    return "yes" if (agreed or gives_values) and not QUESTION.search(text) else "unclear"


def only_asks(text: str) -> bool:
    """Return whether it asks, and neither gives contact data nor agrees to it nor refuses it."""
    decides = _refuses(text) or read_consent(text) != "unclear"
    return bool(QUESTION.search(text)) and not decides and scrub(text) == text


def mask_answer(text: str, reading: FieldReading, kind: str) -> str:
    """Return what the transcript shows: the sentence around a value, or a bare refusal.

    If anything else may have been said, all of it is hidden.
    """
    if reading.outcome == "valid":
        return mask(text, reading.value, kind)
    if reading.outcome in ("refused", "refused_all"):
        return scrub(text) if only(text, *REFUSALS, "refuse_all", "withdraw") else HIDDEN
    asks_back = reading.outcome == "unclear" and QUESTION.search(text)
    return scrub(text) if asks_back and kind in ("email", "phone") else HIDDEN


def _refuses(text: str) -> bool:
    return any(wishes(text, wish) for wish in REFUSALS)


def _refuses_all(text: str) -> bool:
    leaves = any(only(clause, "stop") for clause in clauses(text))
    return leaves or wishes(text, "refuse_all") or wishes(text, "withdraw")


def _says(clause: str, *wanted: Consenting) -> bool:
    return any(listed(one, whole=True).fullmatch(clause) for one in wanted)


def _parse(kind: str, text: str, language: str) -> FieldReading:
    match kind:
        case "email":
            return _last_of(emails(text), "address", "@" in text)
        case "phone":
            return _read_phone(text, language)
        case "name" | "company" | "role":
            return _read_words(kind, text)
    return _read_free(text)


def _last_of(found: list[Detection], what: str, tried: bool) -> FieldReading:
    good = [one.value for one in found if one.value]
    if good:
        return FieldReading("valid", good[-1])  # people correct themselves
    if found or tried:
        return FieldReading("invalid", reason=f"not_a_valid_{what}")
    return FieldReading("unclear", reason=f"no_{what}")


def _read_phone(text: str, language: str) -> FieldReading:
    reading = _last_of(phones(text), "number", any(c.isdigit() for c in text))
    digits = reading.value
    if language.split("-")[0] == "ru" and re.fullmatch(r"8\d{10}", digits):
        return FieldReading("valid", "+7" + digits[1:])  # 8 is how it is dialled within the country
    return reading


def _read_free(text: str) -> FieldReading:
    value = " ".join(text.split())
    if not any(c.isalnum() for c in value):
        return FieldReading("unclear", reason="empty")
    if QUESTION.search(value[-2:]) or wishes(text, "clarify"):
        return FieldReading("unclear", reason="question")
    if len(value) > LONGEST_FREE:
        return FieldReading("invalid", reason="too_long")
    return FieldReading("valid", value)


def _read_words(kind: str, text: str) -> FieldReading:
    if QUESTION.search(text) or wishes(text, "clarify"):
        return FieldReading("unclear", reason="question")
    rest, led = _after_lead_in(kind, re.sub(r"[^\S\n]+", " ", text.strip()))
    value = _first_clause(kind, rest)
    words = len(value.split())
    if not any(c.isalnum() for c in value):
        return FieldReading("unclear", reason=f"no_{kind}")
    if words > (MOST_WORDS if led else MOST_WORDS_ALONE)[kind]:
        return FieldReading("unclear", reason="too_many_words")
    if len(value) > LONGEST[kind]:
        return FieldReading("invalid", reason="too_long")
    if kind == "name" and not (_is_name(value) and (led or _is_written_as_name(value))):
        return FieldReading("invalid", reason="not_a_name")
    return FieldReading("valid", value)


def _after_lead_in(kind: str, text: str) -> tuple[str, bool]:
    same_length = text.replace("’", "'").replace("ё", "е").replace("Ё", "Е")
    behind = [match.end() for match in _lead_in(kind).finditer(same_length)]
    return (text[behind[-1] :], True) if behind else (text, False)


def _first_clause(kind: str, text: str) -> str:
    rest = text.strip(EDGES)
    while (opening := _opening().match(rest)) and opening.end() < len(rest):
        rest = rest[opening.end() :].strip(EDGES)
    rest = VALUE_ENDS.split(rest, maxsplit=1)[0]
    if kind == "name":
        rest = NAME_ENDS.split(rest, maxsplit=1)[0]
    value = _closing().sub("", " ".join(rest.strip(EDGES).split())).strip(EDGES)
    return "" if is_courtesy(plain(value)) else value


def _is_name(value: str) -> bool:
    return all(unicodedata.category(c)[0] in "LM" or c in SIGNS_OF_NAMES for c in value)


def _is_written_as_name(value: str) -> bool:
    """Return whether most of several words begin as names do: "I just said it" is none."""
    words = [word for word in value.split() if word[0].upper() != word[0].lower()]
    return len(words) <= FEW_WORDS or 2 * sum(word[0].isupper() for word in words) >= len(words)


@cache
def _lead_in(kind: str) -> re.Pattern[str]:
    return re.compile(
        r"(?:^|(?<=[.,;:!?…\n(])|(?<=[.,;:!?…\n(] ))"
        rf"(?:(?:{listed('polite').pattern})[\s,.!—–-]{{1,3}}){{0,3}}"
        rf"(?:{listed(LEAD_INS[kind]).pattern})(?:\s?[:—–]\s?|\s(?:-\s)?|(?<='))(?=\S)",
        re.IGNORECASE,
    )


@cache
def _opening() -> re.Pattern[str]:
    return re.compile(rf"(?:{listed('polite').pattern})(?:[,.!:;—–-]+\s*|\s+)", re.IGNORECASE)


@cache
def _closing() -> re.Pattern[str]:
    return re.compile(rf"(?:[\s,]{{1,3}}(?:{listed('polite').pattern})){{1,3}}$", re.IGNORECASE)
