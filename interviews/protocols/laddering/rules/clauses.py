import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from interviews.engine.language.lists import ListName, listed

SENTENCE_END = re.compile(r"[.!?…;\n]+")
Tie = Literal["", "forward", "because", "thanks"]
TIES: tuple[Literal["forward", "because", "thanks"], ...] = ("thanks", "forward", "because")


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence. Empty words: the sentence begins with the cue that follows."""

    words: str
    tie: Tie = ""  # to the part before
    cue: str = ""  # the words of the tie


def sentences(answer: str, language: str) -> list[list[Clause]]:
    """Return the answer's sentences, each cut where a cue ties two parts of it."""
    plain = re.sub(r"[’‘`´]", "'", answer)
    cut = (list(_clauses(" ".join(one.split()), language)) for one in SENTENCE_END.split(plain))
    return [clauses for clauses in cut if any(clause.words for clause in clauses)]


def _clauses(sentence: str, language: str) -> Iterator[Clause]:
    tie: Tie = ""
    cue, begin = "", 0
    for next_tie, start, end in _cues(sentence, language):
        if start >= begin:
            yield Clause(_strip(sentence[begin:start]), tie, cue)
            tie, cue, begin = next_tie, sentence[start:end], end
    yield Clause(_strip(sentence[begin:]), tie, cue)


def _cues(sentence: str, language: str) -> list[tuple[Tie, int, int]]:
    """Return all cues with their start and end, in order, the longest first at the same start.

    They may overlap: then the first one counts.
    """
    found: list[tuple[Tie, int, int]] = [
        (tie, match.start(), match.end())
        for tie in TIES
        for match in cue_pattern(language, tie).finditer(sentence)
    ]
    return sorted(found, key=lambda cue: (cue[1], -cue[2]))


def _strip(words: str) -> str:
    return words.strip(" ,:—–-\"'«»“”()")


@cache
def cue_pattern(language: str, name: ListName) -> re.Pattern[str]:
    """Return a list as one pattern of whole words, in any case.

    In a language without the list nothing is recognised: whole clauses become concepts, and nothing
    is tied.
    """
    return re.compile(rf"(?<![\w'])(?:{listed(name, language).pattern})(?![\w'])", re.IGNORECASE)
