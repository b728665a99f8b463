import re
from collections.abc import Iterable, Mapping

from interviews.protocols.life_story.state import KeptNote

LEAST = 40  # notes that are kept at any length of script …
PER_QUESTION = 1.5  # … and by its length
LONGEST = 240  # characters of a value
JOINT = "; "  # between merged notes
EARLIER = "earlier"  # key of merged notes that are of no one kind
KEY = re.compile(r"[^\W_][\w]*")

# Only what is certain: a whole clause that says it and nothing else.
BEGINS = r"(?:^|[.!?,;:\n]) ?(?:(?i:and|e|и)\s+)?"
ENDS = r"(?=\s*(?:[.!?,;:\n]|$))"
WORD = r"[^\W\d_a-zа-яёàèéìòù][\w'’-]*"  # with a capital
PLACE = rf"(?:\s+(?:in|at|a|ad|в|во)\s+{WORD}(?:\s+{WORD})*,?)?"
DAY = r"(?:on|il|l['’])?\s*(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?(?:\s+of)?\s+\w+,?"
DATE = rf"(?:\s+{DAY}|\s+in\s+[A-Z]\w+)?"
YEAR = r"(1[89]\d\d|20\d\d)"
RULES = {
    "birth_year": re.compile(
        rf"{BEGINS}(?i:i was born|(?:io\s+)?sono nat[oa]|(?:я\s+)?родил(?:ся|ась))"
        rf"{PLACE}{DATE}\s+(?:in\s+|nel\s+|в\s+)?{YEAR}(?:\s+(?:году|года|г))?{ENDS}"
    ),
    "name": re.compile(
        rf"{BEGINS}(?i:my name is|i am called|(?:io\s+)?mi chiamo|меня зовут)"
        rf"\s+({WORD}(?:\s+{WORD})*){ENDS}"
    ),
    "number_of_children": re.compile(
        rf"{BEGINS}(?i:i have|(?:io\s+)?ho|у меня)\s+"
        r"(?i:(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten"
        r"|un|una|due|tre|quattro|cinque|sei|sette|otto|nove|dieci"
        r"|один|одна|два|две|три|четыре|двое|трое|четверо|пятеро|шестеро|семеро))"
        rf"\s+(?i:child|children|kids?|figli[oa]?|figlie|реб[её]нок|дет[еи]й?|реб[её]нка){ENDS}"
    ),
}


def found_by_rules(answer: str) -> dict[str, str]:
    lines = "\n".join(" ".join(line.split()) for line in answer.splitlines() if line.strip())
    found = {key: rule.search(lines) for key, rule in RULES.items()}
    return {key: match.group(1).strip() for key, match in found.items() if match}


def most_notes(questions: int) -> int:
    return max(LEAST, int(PER_QUESTION * questions))


def update_notes(
    known: Mapping[str, KeptNote],
    learned: Iterable[tuple[str, str]],
    denied: Iterable[str],
    position: int,
    most: int,
) -> dict[str, KeptNote]:
    """Return the notes after an answer whose transcript entry is at `position`.

    `learned` are (key, value) pairs, new or changed. A note goes only when its key is denied; where
    there are more than `most`, the oldest of a kind are merged.
    """
    gone = {_key(key) for key in denied}
    notes = {key: note for key, note in known.items() if key not in gone}
    for raw, value in learned:
        key, text = _key(raw), " ".join(value.split())[:LONGEST]
        known_note = notes.get(key)
        unchanged = known_note is not None and known_note.text == text  # keeps its position
        if key and text and not unchanged:
            notes[key] = KeptNote(text=text, position=position)
    while len(notes) > most:
        notes = _with_oldest_merged(notes)
    return notes


def _with_oldest_merged(notes: dict[str, KeptNote]) -> dict[str, KeptNote]:
    """Merge the two oldest notes of the largest kind, or of all where each kind has one.

    A kind is the first word of a key: mother_name and mother_work become mother.
    """
    kinds: dict[str, list[str]] = {}
    for key in notes:
        kinds.setdefault(key.partition("_")[0], []).append(key)
    kind, keys = max(kinds.items(), key=lambda item: len(item[1]))
    if len(keys) == 1:
        kind, keys = EARLIER, list(notes)
    older, newer = (notes[key] for key in keys[:2])
    merged = KeptNote(text=_joined(older.text, newer.text), position=newer.position)
    return {kind: merged, **{key: notes[key] for key in notes if key not in keys[:2]}}


def _joined(older: str, newer: str) -> str:
    parts = [*older.split(JOINT), *newer.split(JOINT)]
    while len(parts) > 1 and len(JOINT.join(parts)) > LONGEST:
        del parts[0]
    return JOINT.join(parts)


def _key(raw: str) -> str:
    return "_".join(KEY.findall(raw.casefold().replace("-", " ")))[:60]
