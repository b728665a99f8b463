"""Which of several fields somebody gives, and which they leave out: "E-mail yes, name no"."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, takewhile
from typing import NamedTuple, Protocol, get_args

from interviews.engine.contact_data.detection import emails, phones
from interviews.engine.contact_data.masking import LONGEST_TEXT
from interviews.engine.language.lists import FieldKind, ListName, listed
from interviews.engine.language.negation import PATTERNS
from interviews.engine.language.terms import shared_terms, terms
from interviews.engine.language.wishes import plain

PARTS = re.compile(
    r"(?<![.,;!?…])[.,;!?…]++(?=\s|$)|[،؛؟—–\n()]|\s-\s"
    r"|(?<=\s)(?<!all\s)(?<!\wthing\s)(?:but|aber|doch|mais|pero|ma|però|но|а|لكن|ولكن)(?=\s)",
    re.IGNORECASE,
)
LABELLED = re.compile(r"(?<![^,;:!?\n])([^,;:!?\n]++):[ \t]*+([^,;:\n]+)")
NEAR = 6  # words up to a field that a negation before it denies
FOUND = {"email": emails, "phone": phones}  # kinds whose values are told from all other words


class NamedField(Protocol):
    @property
    def key(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def label(self) -> str: ...


@dataclass(frozen=True, slots=True)
class FieldChoices:
    """Keys of fields; `rest` is what is said besides, and of the field that is due."""

    agreed: frozenset[str] = frozenset()
    refused: frozenset[str] = frozenset()
    rest: str = ""


class _Sign(NamedTuple):
    start: int
    end: int
    kind: str  # F: a field, N: a negation, Y: a yes
    key: str = ""


def read_choices(
    text: str, fields: Sequence[NamedField], language: str, due: str = ""
) -> FieldChoices:
    """Read what is said of fields by their labels and kinds; nothing in an unknown language."""
    if language.split("-")[0] not in PATTERNS or len(text) > LONGEST_TEXT:
        return FieldChoices(rest=text)
    said, beside = dict[str, bool](), list[str]()
    parts = [part for part in PARTS.split(text) if plain(part)]
    for part in parts:
        found = _said_of_fields(plain(part), fields, language)
        said |= found
        if found in ({}, {due: True}):
            beside.append(part.strip())
    every, words = {field.key for field in fields}, plain(text)
    agreed = {key for key, yes in said.items() if yes}
    refused = said.keys() - agreed
    if _within("except").search(words) or (_within("only").search(words) and not agreed):
        agreed |= every - refused if refused else set()
    elif _within("only").search(words):
        refused = every - agreed
    rest = text if len(beside) == len(parts) else ", ".join(beside)
    return FieldChoices(frozenset(agreed), frozenset(refused), rest)


def values_in(text: str, fields: Sequence[NamedField]) -> Mapping[str, str]:
    """Return addresses and numbers in it, by the key of the only field of that kind."""
    values = dict[str, str]()
    for kind, find in FOUND.items():
        keys = [field.key for field in fields if field.kind == kind]
        found = [one.value for one in find(text) if one.value]
        if len(keys) == 1 and found:
            values[keys[0]] = found[-1]  # people correct themselves
    return values


def labelled(text: str, fields: Sequence[NamedField], language: str) -> Mapping[str, str]:
    """Return what follows a field's name and a colon ("Name: Ann"), by the field's key."""
    found = dict[str, str]()
    for match in LABELLED.finditer(text[:LONGEST_TEXT]):
        named = [one.key for one in fields if _field_sign(plain(match[1]), one, language)]
        if len(named) == 1:
            found[named[0]] = match[2].strip()
    return found


def _said_of_fields(words: str, fields: Sequence[NamedField], language: str) -> dict[str, bool]:
    """Return for each field in a part of an answer whether it may be asked for."""
    signs = _signs(words, fields, language)
    kinds = "".join(sign.kind for sign in signs)
    if re.fullmatch("(F[NY])+", kinds):
        pairs = zip(signs[::2], signs[1::2], strict=True)
        return {field.key: sign.kind == "Y" for field, sign in pairs}
    said = {sign.key: True for sign in signs if sign.kind == "F"}
    for place, sign in enumerate(signs):
        if sign.kind == "N":
            said |= dict.fromkeys(_denied(words, signs, place), False)
    return said


def _denied(words: str, signs: Sequence[_Sign], place: int) -> list[str]:
    """Return the fields right after a negation, or else those before it."""
    after = [*takewhile(lambda sign: sign.kind == "F", signs[place + 1 :])]
    before = takewhile(lambda sign: sign.kind == "F", reversed(signs[:place]))
    near = after and len(words[signs[place].end : after[0].start].split()) < NEAR
    return [sign.key for sign in (after if near else before)]


def _signs(words: str, fields: Sequence[NamedField], language: str) -> list[_Sign]:
    named = [sign for field in fields if (sign := _field_sign(words, field, language))]
    agreed = (*_within("yes").finditer(words), *_within("consent_yes").finditer(words))
    yes = [_Sign(*one.span(), "Y") for one in agreed]
    no, but = PATTERNS[language.split("-")[0]], _within("except")
    denied = [_Sign(*one.span(), "N") for one in (*no.finditer(words), *but.finditer(words))]
    signs = sorted({*named, *yes, *denied}, key=lambda one: (one.start, -one.end))
    widest = [
        one for one in signs if not any(_is_within(one, other) for other in signs if other != one)
    ]
    return [
        one
        for one, following in pairwise([*widest, None])
        if one and not (one.kind == "N" and following and following.kind == "N")  # "ne … pas"
    ]


def _field_sign(words: str, field: NamedField, language: str) -> _Sign | None:
    """Return where a field is named: by its label, its kind, or all terms of a free one's label."""
    whole = re.search(rf"\b{re.escape(plain(field.label))}\b", words)
    if whole is None and field.kind in get_args(FieldKind):
        whole = _within(field.kind).search(words)
    if whole:
        return _Sign(*whole.span(), "F", field.key)
    label = terms(field.label, language)
    if field.kind != "free" or not label or label != shared_terms(label, terms(words, language)):
        return None
    start = min((at for one in label if (at := words.find(one)) >= 0), default=0)
    return _Sign(start, start + 1, "F", field.key)


def _is_within(one: _Sign, other: _Sign) -> bool:
    inside = other.start <= one.start and one.end <= other.end
    return inside and (one.end - one.start) < (other.end - other.start)


@cache
def _within(name: ListName) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{listed(name, whole=True).pattern})\b")
