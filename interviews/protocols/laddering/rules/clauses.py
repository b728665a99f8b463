"""An answer -> its parts, and how each is tied to the one before."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from interviews.protocols.laddering.rules.lexicon import ListName, listed

SENTENCES = re.compile(r"[.!?…;\n]+")
Tie = Literal["", "forward", "because", "thanks"]
CUES: tuple[Literal["forward", "because", "thanks"], ...] = ("thanks", "forward", "because")


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence. Empty words: the sentence begins with the cue that follows."""

    words: str
    tie: Tie = ""  # to the part before


def sentences(answer: str, language: str) -> list[list[Clause]]:
    """The answer's sentences, each cut where a cue ties two parts of it."""
    plain = re.sub(r"[’‘`´]", "'", answer)
    cut = (list(_clauses(" ".join(one.split()), language)) for one in SENTENCES.split(plain))
    return [clauses for clauses in cut if any(clause.words for clause in clauses)]


def _clauses(sentence: str, language: str) -> Iterator[Clause]:
    tie: Tie = ""
    begin = 0
    while (found := _next_cue(sentence, begin, language)) is not None:
        next_tie, match = found
        yield Clause(_trimmed(sentence[begin : match.start()]), tie)
        tie, begin = next_tie, match.end()
    yield Clause(_trimmed(sentence[begin:]), tie)


def _next_cue(sentence: str, begin: int, language: str) -> tuple[Tie, re.Match[str]] | None:
    """The first cue from there on; of those that begin together, the longest."""
    found = [(name, _search(language, name, sentence, begin)) for name in CUES]
    cues = [(name, match) for name, match in found if match]
    return min(cues, key=lambda cue: (cue[1].start(), -cue[1].end()), default=None)


def _search(language: str, name: ListName, sentence: str, begin: int) -> re.Match[str] | None:
    return listed(language, name).search(sentence, begin)


def _trimmed(words: str) -> str:
    return words.strip(" ,:—–-\"'«»“”()")
