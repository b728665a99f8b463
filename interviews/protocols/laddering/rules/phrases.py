"""What the parts of an answer speak of, in few words, and on which rung that stands."""

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from interviews.engine.language.intents import tells_nothing
from interviews.engine.language.lists import ListName, Wish, listed
from interviews.engine.language.wishes import bare, plain, wishes
from interviews.engine.reading import read_by_rules
from plans.protocols.laddering.schema.concept import matching_language
from plans.protocols.laddering.schema.methodology import Methodology

# The point and the comma in “12.5” and “12,5” end nothing, and the minus of “-5” is no dash.
SENTENCE_END = re.compile(r"(?:[!?…;\n]|\.(?!\d)|(?<!\d)\.(?=\d))+")
COMMA = re.compile(r",(?!\d)|(?<!\d),")
AROUND = " ,:—–-\"'«»“”()"
TIES: tuple[ListName, ...] = ("thanks", "forward", "because")


class Clause(NamedTuple):
    """A part of a sentence. Empty words: the sentence begins with the cue that follows."""

    words: str
    cue: str = ""  # what ties it to the part before


def sentences(answer: str, language: str) -> list[list[Clause]]:
    """Return the answer's sentences, each cut where a cue ties two parts of it."""
    plain = re.sub(r"[’‘`´]", "'", answer)
    cut = (list(_clauses(" ".join(one.split()), language)) for one in SENTENCE_END.split(plain))
    return [clauses for clauses in cut if any(clause.words for clause in clauses)]


def _clauses(sentence: str, language: str) -> Iterator[Clause]:
    cue, begin = "", 0
    for start, end in _cues(sentence, language):
        if start >= begin:
            yield Clause(_strip(sentence[begin:start]), cue)
            cue, begin = sentence[start:end], end
    yield Clause(_strip(sentence[begin:]), cue)


def _cues(sentence: str, language: str) -> list[tuple[int, int]]:
    """Return start and end of all cues, in order, the longest first at the same start.

    They may overlap: then the first one counts.
    """
    found = (cue_pattern(language, tie).finditer(sentence) for tie in TIES)
    spans = (match.span() for matches in found for match in matches)
    return sorted(spans, key=lambda span: (span[0], -span[1]))


def _strip(words: str) -> str:
    rest = words.lstrip(AROUND)
    minus = rest[:1].isdigit() and words[: -len(rest)].endswith("-")
    return ("-" if minus else "") + rest.rstrip(AROUND)


@cache
def cue_pattern(language: str, name: ListName) -> re.Pattern[str]:
    """Return a list as one pattern of whole words, in any case.

    In a language without the list nothing is recognised: whole clauses become concepts, and nothing
    is tied.
    """
    return re.compile(rf"(?<![\w'])(?:{listed(name, language).pattern})(?![\w'])", re.IGNORECASE)


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
    for part in COMMA.split(clause):
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
    words = _strip(" ".join(piece.split()))
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


def cue_rung(phrase: Phrase, methodology: Methodology, language: str) -> int | None:
    """Return the rung of the first cue in the phrase, else in the words before it, or None.

    What it says counts before the words that tie it to the rest (“which lets me …”). Of cues that
    begin together the longest one counts.
    """
    before = _fold(phrase.before)
    every = list(_rung_cues(f"{before} {_fold(phrase.text)}", methodology, language))
    own = [cue for cue in every if cue[1] > len(before)]
    first = min(own or every, key=lambda cue: (cue[0], -cue[1]), default=None)
    return None if first is None else first[2]


def _rung_cues(
    text: str, methodology: Methodology, language: str
) -> Iterator[tuple[int, int, int]]:
    for rung, kind in enumerate(methodology.ladder):
        pattern = _pattern(_in_language(kind.cues, language), _in_language(kind.words, language))
        yield from ((found.start(), found.end(), rung) for found in pattern.finditer(text))


def _in_language(lists: Mapping[str, tuple[str, ...]], language: str) -> tuple[str, ...]:
    return lists.get(matching_language(lists, language), ())


@cache
def _pattern(cues: tuple[str, ...], words: tuple[str, ...]) -> re.Pattern[str]:
    """Match what begins a word, and whole words, the longest first; without any, nothing."""
    ends = {_fold(cue): "" for cue in cues} | {_fold(word): r"(?!\w)" for word in words}
    longest = sorted(ends, key=len, reverse=True)
    every = "|".join(re.escape(one) + ends[one] for one in longest) or "(?!)"
    return re.compile(rf"(?<!\w)(?:{every})")


def _fold(words: str) -> str:
    return words.casefold().replace("ё", "е")
