"""On which rung of the ladder each phrase of an answer stands.

What it says counts before where it stands: the first of the methodology's cues in its own words,
else in the words before it that tie it to the rest (“which lets me …”). A phrase without any cue is
placed: one rung above what was asked about or stands below it, or beside that where a rung may lead
to itself, so that a long answer doesn't climb with every word. The top is reached by its cues, or
one step at a time by whoever is asked what lies above the rung below it.
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
Marks = list[list["int | None"]]  # by group and phrase


@dataclass(frozen=True, slots=True)
class Asking:
    """What was asked about, by its rung (None: it has none), and whether for what is above."""

    rung: int | None
    technique: str

    @property
    def up(self) -> bool:
        """Whether the question asks for the rung above."""
        return TOWARD.get(self.technique) == "up"

    @property
    def base(self) -> int:
        """The rung from which steps are counted."""
        return self.rung or 0


def turned(found: PhraseThreads, ways: Methodology, language: str) -> PhraseThreads:
    """With reasons the way round that the ladder allows, where cues mark both ends."""
    marks = [_known(group, ways, language) for group in found.groups]

    def fits(pair: tuple[int, int]) -> bool:
        return allowed(marks[pair[0]], marks[pair[1]], ways)

    pairs = [
        pair[::-1] if pair in found.reasons and fits(pair[::-1]) and not fits(pair) else pair
        for pair in found.pairs
    ]
    return replace(found, pairs=pairs)


def rungs(
    found: PhraseThreads, asking: Asking, ways: Methodology, language: str
) -> list[list[int]]:
    """The rung of each phrase, counted from 0, by group."""
    marks: Marks = [[marked(one, ways, language) for one in group] for group in found.groups]
    put: dict[int, list[int]] = {FOCUS: [] if asking.rung is None else [asking.rung]}
    for place in _in_order(found):
        otherwise = _placed(found, place, marks, put, asking, ways)
        put[place] = [otherwise if mark is None else mark for mark in marks[place]]
    return [put[place] for place in range(len(found.groups))]


def _known(group: Sequence[Phrase], ways: Methodology, language: str) -> list[int]:
    """The rungs that cues mark in a group."""
    every = (marked(phrase, ways, language) for phrase in group)
    return [rung for rung in every if rung is not None]


def marked(phrase: Phrase, ways: Methodology, language: str) -> int | None:
    """The rung of the first cue in the phrase, else in the words before it; None without any.

    Of cues that begin together the longest one counts.
    """
    before = plain(phrase.before)
    text = f"{before} {plain(phrase.text)}"
    every = list(_cues(text, ways, language))
    own = [cue for cue in every if cue[1] > len(before)]
    first = min(own or every, key=lambda cue: (cue[0], -cue[1]), default=None)
    return None if first is None else first[2]


def _cues(text: str, ways: Methodology, language: str) -> Iterator[tuple[int, int, int]]:
    """All cues in it: where they begin and end, and of which rung."""
    for rung, kind in enumerate(ways.ladder):
        pattern = _pattern(_listed(kind.cues, language), _listed(kind.words, language))
        yield from ((found.start(), found.end(), rung) for found in pattern.finditer(text))


def _listed(lists: Mapping[str, tuple[str, ...]], language: str) -> tuple[str, ...]:
    return lists.get(language, lists.get(language.split("-")[0], ()))


@cache
def _pattern(cues: tuple[str, ...], words: tuple[str, ...]) -> re.Pattern[str]:
    """What begins a word, and whole words, the longest first; without any it matches nothing."""
    ends = {plain(cue): "" for cue in cues} | {plain(word): r"(?!\w)" for word in words}
    longest = sorted(ends, key=len, reverse=True)
    every = "|".join(re.escape(one) + ends[one] for one in longest) or "(?!)"
    return re.compile(rf"(?<!\w)(?:{every})")


def plain(words: str) -> str:
    """As cues are compared: whatever its case, and ё as е."""
    return words.casefold().replace("ё", "е")


def _in_order(found: PhraseThreads) -> list[int]:
    """The groups so that each comes after those that lead to it; pairs run to a neighbour only."""
    done: list[int] = []
    ahead = list(range(len(found.groups)))
    while ahead:
        ready = [g for g in ahead if all(b in done or b == FOCUS for b in found.before(g))]
        done += ready
        ahead = [g for g in ahead if g not in ready]
    return done


def _placed(
    found: PhraseThreads,
    place: int,
    marks: Marks,
    put: dict[int, list[int]],
    asking: Asking,
    ways: Methodology,
) -> int:
    """Where a phrase without a cue stands: above what leads to it, not above what it leads to."""
    sources = _leading(found.before(place), asking, ways)
    below = [rung for source in sources for rung in put[source]]
    if not below:
        rung = _begun((place, FOCUS) in found.pairs, asking, ways)
    elif sources == [FOCUS]:
        rung = _answered(asking, ways)
    else:
        rung = _followed(max(below), asking, ways)
    return min([rung, *_marked_above(found, place, marks)])


def _leading(sources: list[int], asking: Asking, ways: Methodology) -> list[int]:
    """What leads to a phrase; a focus at the top doesn't, since nothing stands above it."""
    at_top = asking.base == len(ways.ladder) - 1
    return [source for source in sources if source != FOCUS or not at_top]


def _marked_above(found: PhraseThreads, place: int, marks: Marks) -> list[int]:
    targets = [target for source, target in found.pairs if source == place and target != FOCUS]
    return [mark for target in targets for mark in marks[target] if mark is not None]


def _begun(leads_to_focus: bool, asking: Asking, ways: Methodology) -> int:
    """Nothing leads to it: the lowest rung, unless the question says where it belongs."""
    top = len(ways.ladder) - 1
    if leads_to_focus:
        return max(0, asking.base - 1)
    if asking.technique in NEARBY and asking.base < top:
        return asking.base
    return 0


def _answered(asking: Asking, ways: Methodology) -> int:
    """What was asked about leads to it: a rung above."""
    top = len(ways.ladder) - 1
    above = asking.base + 1
    return above if above < top or asking.up else asking.base


def _followed(below: int, asking: Asking, ways: Methodology) -> int:
    """Another part of the answer leads to it."""
    last = min(asking.base + STEPS, len(ways.ladder) - 2)
    stays = ways.allows(LEADS_TO, ways.types[below], ways.types[below])
    return below if stays or below >= last else below + 1


def allowed(lower: Sequence[int], upper: Sequence[int], ways: Methodology) -> bool:
    """Whether anything on the one rungs may lead to anything on the others."""
    return any(ways.allows(LEADS_TO, ways.types[a], ways.types[b]) for a in lower for b in upper)
