import re
from collections.abc import Iterable, Mapping

from interviews.protocols.life_story.state import KeptNote

MOST = 40  # notes; models are asked for five to fifteen
LONGEST = 240  # characters of a value
KEY = re.compile(r"[^\W_][\w]*")

BORN = re.compile(
    r"\b(?:i was born|sono nat[oa]|я родил(?:ся|ась))\b[^.!?\n]{0,40}?\b(1[89]\d\d|20\d\d)\b", re.I
)
NAMED = re.compile(r"\b(?:my name is|i am called|mi chiamo|меня зовут)\s+([^\W\d_][\w'’-]*)", re.I)
CHILDREN = re.compile(
    r"\b(?:i have|ho|у меня)\s+(\w+)\s+(?:children|kids|figli|детей|ребенка)\b", re.I
)
RULES = {"birth_year": BORN, "name": NAMED, "number_of_children": CHILDREN}


def found_by_rules(answer: str) -> dict[str, str]:
    found = {key: rule.search(answer) for key, rule in RULES.items()}
    return {key: match.group(1).strip() for key, match in found.items() if match}


def update_notes(
    known: Mapping[str, KeptNote],
    learned: Iterable[tuple[str, str]],
    denied: Iterable[str],
    position: int,
) -> dict[str, KeptNote]:
    """Return the notes after an answer whose transcript entry is at `position`.

    `learned` are (key, value) pairs, new or changed. A note goes only when its key is denied;
    nothing is added beyond MOST.
    """
    gone = {_key(key) for key in denied}
    notes = {key: note for key, note in known.items() if key not in gone}
    for raw, value in learned:
        key, text = _key(raw), " ".join(value.split())[:LONGEST]
        known_note = notes.get(key)
        unchanged = known_note is not None and known_note.text == text  # keeps its position
        if key and text and not unchanged and (known_note or len(notes) < MOST):
            notes[key] = KeptNote(text=text, position=position)
    return notes


def _key(raw: str) -> str:
    return "_".join(KEY.findall(raw.casefold().replace("-", " ")))[:60]
