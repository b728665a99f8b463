"""What a part of a sentence speaks of, in few words."""

import re
from functools import lru_cache
from typing import NamedTuple

from interviews.engine.language.intents import tells_nothing
from interviews.engine.language.lists import Wish
from interviews.engine.language.wishes import bare, plain, wishes
from interviews.engine.reading import read_by_rules
from interviews.protocols.laddering.rules.clauses import cue_pattern

ALONE: tuple[Wish, ...] = ("yes", "no", "skip")
MOST_WORDS = 12  # of one phrase
LISTED = 3  # words of each thing in a list with “and”; longer ones are one thing


class Phrase(NamedTuple):
    text: str
    before: str = ""  # the words before the thing, which belong to no thing


def phrases(clause: str, language: str, cue: str = "") -> list[Phrase]:
    """Return the things that a part of a sentence names, in order, without repetition.

    The cue that ties the part to another stands before all of them; what stands before the first
    thing of a list stands before the others too.
    """
    found: dict[str, Phrase] = {}
    for part in clause.split(","):
        before = cue
        for piece in _list_items(part, language):
            text = _core(piece, language)
            if not text:
                continue
            if start := " ".join(piece.split()).partition(text)[0].strip():
                before = f"{cue} {start}".strip()
            found.setdefault(text, Phrase(text, before))
    return list(found.values())


@lru_cache(maxsize=1_024)
def says_nothing(clause: str, language: str) -> bool:
    """Return whether it is a filler, a yes, a no, "next", or said to the interviewer."""
    if not bare(f"{plain(clause)} ") or tells_nothing(clause, language):
        return True
    if any(wishes(clause, one) for one in ALONE):
        return True
    read = read_by_rules(clause, language, "").floor.intent
    return " " in clause and read not in ("answer", "ask_back")


def _list_items(part: str, language: str) -> list[str]:
    """Cut the part at its “and” if that joins short things, or if it is too long for one."""
    pieces = cue_pattern(language, "listing").split(part)
    short = all(len(_core(piece, language).split()) <= LISTED for piece in pieces)
    return pieces if short or len(part.split()) > MOST_WORDS else [part]


def _core(piece: str, language: str) -> str:
    words = " ".join(piece.split()).strip(" :—–-\"'«»“”()")
    if says_nothing(words, language):
        return ""
    edges = cue_pattern(language, "edges")
    while match := edges.match(words):
        words = words[match.end() :].lstrip(" ,'")
    words = " ".join(words.split()[:MOST_WORDS])
    trailing = re.compile(rf"\s+{edges.pattern}$", re.IGNORECASE)
    while (shorter := trailing.sub("", words)) != words:
        words = shorter
    return words if re.search(r"[^\W\d_]{2}", words) and not says_nothing(words, language) else ""
