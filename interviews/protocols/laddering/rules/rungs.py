"""On which rung of the ladder each phrase of an answer stands.

What it says counts before where it stands: the first of the methodology's cues in its own words,
else in the words before it that tie it to the rest (“which lets me …”). A phrase without any cue is
placed one rung above what was asked about or stands below it, or beside that where a rung may lead
to itself, so that a long answer doesn't climb with every word. The top is reached by its cues, or
one step at a time when the question asks what lies above the rung below it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from interviews.protocols.laddering.rules.phrases import Phrase
from interviews.protocols.laddering.rules.threads import FOCUS, TOWARD, PhraseThreads
from plans.protocols.laddering.schema.methodology import Methodology

LEADS_TO = "leads_to"
STEPS = 2  # at most so many rungs above the question, without a cue
NEARBY = ("elaborate", "contrast")  # techniques that stay with what was asked about
Marks = list[list["int | None"]]  # the rung that cues name, by group and phrase


def turn_reasons(said: PhraseThreads, marks: Marks, methodology: Methodology) -> PhraseThreads:
    """Turn reasons around where the ladder allows only that, if cues mark both ends."""
    known = [[rung for rung in group if rung is not None] for group in marks]

    def fits(pair: tuple[int, int]) -> bool:
        return may_lead(known[pair[0]], known[pair[1]], methodology)

    pairs = [
        pair[::-1] if pair in said.reasons and fits(pair[::-1]) and not fits(pair) else pair
        for pair in said.pairs
    ]
    return replace(said, pairs=pairs)


def phrase_rungs(
    said: PhraseThreads, marks: Marks, asked: int | None, technique: str, methodology: Methodology
) -> list[list[int]]:
    """Return the rung of each phrase, counted from 0, by group. `asked` is the question's rung."""
    rungs: dict[int, list[int]] = {FOCUS: [] if asked is None else [asked]}
    placement = _Placement(said, marks, rungs, asked or 0, technique, methodology)
    for group in _in_order(said):
        default = placement.default_rung(group)
        rungs[group] = [default if mark is None else mark for mark in marks[group]]
    return [rungs[group] for group in range(len(said.groups))]


def cue_rung(phrase: Phrase, methodology: Methodology, language: str) -> int | None:
    """Return the rung of the first cue in the phrase, else in the words before it, or None.

    Of cues that begin together the longest one counts.
    """
    before = _fold(phrase.before)
    every = list(_cues(f"{before} {_fold(phrase.text)}", methodology, language))
    own = [cue for cue in every if cue[1] > len(before)]
    first = min(own or every, key=lambda cue: (cue[0], -cue[1]), default=None)
    return None if first is None else first[2]


def may_lead(lower: Sequence[int], upper: Sequence[int], methodology: Methodology) -> bool:
    types = methodology.types
    return any(methodology.allows(LEADS_TO, types[a], types[b]) for a in lower for b in upper)


def _cues(text: str, methodology: Methodology, language: str) -> Iterator[tuple[int, int, int]]:
    for rung, kind in enumerate(methodology.ladder):
        pattern = _pattern(_in_language(kind.cues, language), _in_language(kind.words, language))
        yield from ((found.start(), found.end(), rung) for found in pattern.finditer(text))


def _in_language(lists: Mapping[str, tuple[str, ...]], language: str) -> tuple[str, ...]:
    return lists.get(language, lists.get(language.split("-")[0], ()))


@cache
def _pattern(cues: tuple[str, ...], words: tuple[str, ...]) -> re.Pattern[str]:
    """Match what begins a word, and whole words, the longest first; without any, nothing."""
    ends = {_fold(cue): "" for cue in cues} | {_fold(word): r"(?!\w)" for word in words}
    longest = sorted(ends, key=len, reverse=True)
    every = "|".join(re.escape(one) + ends[one] for one in longest) or "(?!)"
    return re.compile(rf"(?<!\w)(?:{every})")


def _fold(words: str) -> str:
    return words.casefold().replace("ё", "е")


def _in_order(said: PhraseThreads) -> list[int]:
    """Sort the groups so that each comes after those that lead to it."""
    done: list[int] = []
    ahead = list(range(len(said.groups)))
    while ahead:
        ready = [g for g in ahead if all(b in done or b == FOCUS for b in said.before(g))]
        done += ready
        ahead = [g for g in ahead if g not in ready]
    return done


@dataclass(frozen=True)
class _Placement:
    """Where phrases without a cue stand: above what leads to them, not above what they lead to."""

    said: PhraseThreads
    marks: Marks
    rungs: Mapping[int, list[int]]  # of the groups placed so far
    asked: int
    technique: str
    methodology: Methodology

    @property
    def top(self) -> int:
        return len(self.methodology.ladder) - 1

    def default_rung(self, group: int) -> int:
        # nothing stands above a focus at the top, so that doesn't count as leading to anything
        at_top = self.asked == self.top
        sources = [one for one in self.said.before(group) if one != FOCUS or not at_top]
        below = [rung for source in sources for rung in self.rungs[source]]
        if not below:
            rung = self._first_rung((group, FOCUS) in self.said.pairs)
        elif sources == [FOCUS]:
            up = TOWARD.get(self.technique) == "up"
            rung = self.asked + 1 if self.asked + 1 < self.top or up else self.asked
        else:
            rung = self._next_rung(max(below))
        targets = [end for start, end in self.said.pairs if start == group and end != FOCUS]
        above = [mark for target in targets for mark in self.marks[target] if mark is not None]
        return min([rung, *above])

    def _first_rung(self, leads_to_focus: bool) -> int:
        """Nothing leads to it: the lowest rung, unless the question says where it belongs."""
        if leads_to_focus:
            return max(0, self.asked - 1)
        return self.asked if self.technique in NEARBY and self.asked < self.top else 0

    def _next_rung(self, below: int) -> int:
        """Another part of the answer leads to it."""
        kind = self.methodology.types[below]
        stays = self.methodology.allows(LEADS_TO, kind, kind)
        return below if stays or below >= min(self.asked + STEPS, self.top - 1) else below + 1
