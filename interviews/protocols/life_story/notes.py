"""The interviewer's notes: how changes are taken in, and what plain rules find."""

import re
from collections.abc import Iterable, Mapping

from interviews.protocols.life_story.state import KeptNote

MOST = 40  # pairs; models are asked for five to fifteen
LONGEST = 240  # characters of a value
KEY = re.compile(r"[^\W_][\w]*")

BORN = re.compile(
    r"\b(?:i was born|sono nat[oa]|я родил(?:ся|ась))\b[^.!?\n]{0,40}?\b(1[89]\d\d|20\d\d)\b", re.I
)
NAMED = re.compile(
    r"\b(?:my name is|i am called|mi chiamo|меня зовут)\s+([^\W\d_][\w'’-]*)",
    re.I,
)
CHILDREN = re.compile(
    r"\b(?:i have|ho|у меня)\s+(\w+)\s+(?:children|kids|figli|детей|ребенка)\b", re.I
)
RULES = {"birth_year": BORN, "name": NAMED, "number_of_children": CHILDREN}


def found_by_rules(answer: str) -> dict[str, str]:
    """Key -> value for what is plainly said, in English, Italian and Russian."""
    found = {key: rule.search(answer) for key, rule in RULES.items()}
    return {key: match.group(1).strip() for key, match in found.items() if match}


def taken_in(
    known: Mapping[str, KeptNote],
    learned: Iterable[tuple[str, str]],
    denied: Iterable[str],
    position: int,
) -> dict[str, KeptNote]:
    """The notes after one answer.

    In: what is known, (key, value) pairs that are new or changed, keys denied, and the position
    of the answer's entry. A key goes only when denied; when all places are taken, nothing is added.
    """
    gone = {_key(key) for key in denied}
    notes = {key: note for key, note in known.items() if key not in gone}
    for raw, value in learned:
        key, text = _key(raw), " ".join(value.split())[:LONGEST]
        if key and text and (key in notes or len(notes) < MOST):
            notes[key] = _kept(notes.get(key), text, position)
    return notes


def _kept(before: KeptNote | None, text: str, position: int) -> KeptNote:
    """A note said again in the same words keeps its first place."""
    return before if before and before.text == text else KeptNote(text=text, position=position)


def _key(raw: str) -> str:
    """snake_case, at most 60 characters; empty when nothing usable is left."""
    return "_".join(KEY.findall(raw.casefold().replace("-", " ")))[:60]
