"""A part of a sentence -> what it speaks of, in few words."""

import re
from typing import NamedTuple

from interviews.protocols.laddering.rules.cue_words import listed

MOST_WORDS = 12  # of one phrase
LISTED = 3  # words of each thing in a list with “and”; longer ones are one thing


class Phrase(NamedTuple):
    """A thing that is spoken of, and the words before it, which belong to no thing."""

    text: str
    before: str = ""


def phrases(clause: str, language: str, cue: str = "") -> list[Phrase]:
    """The things that a part of a sentence names, in order, without repetition.

    The cue that ties the part to another stands before all of them; what stands before the first
    thing of a list stands before the others too.
    """
    found: dict[str, Phrase] = {}
    for part in clause.split(","):
        before = cue
        for piece in _enumerated(part, language):
            text = _bare(piece, language)
            before = _before(cue, piece, text) or before
            if text:
                found.setdefault(text, Phrase(text, before))
    return list(found.values())


def _before(cue: str, piece: str, text: str) -> str:
    """The words before a thing, if there are any."""
    start = " ".join(piece.split()).partition(text)[0].strip() if text else ""
    return f"{cue} {start}".strip() if start else ""


def says_nothing(clause: str, language: str) -> bool:
    """Whether a whole answer or part speaks of nothing (“I don't know”)."""
    return listed(language, "empty").fullmatch(clause.strip(" ,.!?…")) is not None


def _enumerated(part: str, language: str) -> list[str]:
    """The part cut at its “and” if that joins short things, or if it is too long for one."""
    pieces = listed(language, "listing").split(part)
    short = all(len(_bare(piece, language).split()) <= LISTED for piece in pieces)
    return pieces if short or len(part.split()) > MOST_WORDS else [part]


def _bare(piece: str, language: str) -> str:
    """Without the words around it that say nothing of its subject."""
    words = " ".join(piece.split()).strip(" :—–-\"'«»“”()")
    if says_nothing(words, language):
        return ""
    words = _without_start(words, language)
    words = " ".join(words.split()[:MOST_WORDS])
    words = _without_end(words, language)
    return words if re.search(r"\w{2}", words) and not says_nothing(words, language) else ""


def _without_start(words: str, language: str) -> str:
    pattern = listed(language, "leading")
    while match := pattern.match(words):
        words = words[match.end() :].lstrip(" ,'")
    return words


def _without_end(words: str, language: str) -> str:
    pattern = re.compile(rf"\s+{listed(language, 'trailing').pattern}$", re.IGNORECASE)
    while (shorter := pattern.sub("", words)) != words:
        words = shorter
    return words
