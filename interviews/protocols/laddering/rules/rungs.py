"""On which rung of the ladder a phrase stands, by the methodology's cues.

What it says counts before where it stands: the first cue in its own words, else in the words before
it that tie it to the rest (“which lets me …”).
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from interviews.protocols.laddering.rules.phrases import Phrase
from plans.protocols.laddering.schema.methodology import Methodology


def cue_rung(phrase: Phrase, methodology: Methodology, language: str) -> int | None:
    """Return the rung of the first cue in the phrase, else in the words before it, or None.

    Of cues that begin together the longest one counts.
    """
    before = _fold(phrase.before)
    every = list(_cues(f"{before} {_fold(phrase.text)}", methodology, language))
    own = [cue for cue in every if cue[1] > len(before)]
    first = min(own or every, key=lambda cue: (cue[0], -cue[1]), default=None)
    return None if first is None else first[2]


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
