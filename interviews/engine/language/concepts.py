"""What words stand for, and what wishes and signs of danger are made of.

A language's file lists words and expressions by the concept that they stand for (`skip`, `i`,
`live` …), and rules.yaml says which concepts make a wish or a sign of danger, whatever the
language. A text is read once from left to right, the longest expression first, so that the work
grows with its length and with nothing else.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import product
from typing import Any, NamedTuple

from interviews.engine.language.lists import WORDS, lexicon_of, rules

LONGEST = 8  # words of an expression
SHORT_TEXT = 400  # characters
LONGEST_STEM = 16  # letters
SPAN = 9  # readings within which the concepts of a sign must stand
BEFORE, AFTER = 4, 5  # readings around a sign that may turn it round, within its clause
LAUGHED = 12  # readings after it within which laughter does
SIGNS = {
    "acute",
    "may_be_acute",
    "heavy",
    "others",
    "around",
}  # rules of signs; the others are of wishes
CUT = frozenset({"|"})  # the end of a clause
CYRILLIC, ARABIC = re.compile("[\u0400-\u04ff]"), re.compile("[\u0600-\u06ff]")
MOSTLY = 0.7  # as many words as in the language that knows most of them
LATIN = ("en", "it", "es", "fr", "de")
AND = ("و", "ف")  # written with the next word in Arabic
END = ""  # key of the concepts that an expression stands for


class Sense(NamedTuple):
    """A word or an expression, and the concepts that it stands for; none if it isn't listed."""

    words: str
    concepts: frozenset[str]


class Rule(NamedTuple):
    needs: frozenset[str]
    without: frozenset[str]


Node = dict[str, Any]


@cache
def _tree(language: str, signs: bool) -> Node:
    root: Node = {}
    for names, listed in lexicon_of(language).items():
        if names and not _named(signs) & {*names.split()}:
            continue
        for expression in listed.replace("\n", ",").split(","):
            for words in product(*(one.split("/") for one in expression.split())):
                _add(root, WORDS.findall(" ".join(words)), frozenset(names.split()))
    return root


@cache
def _named(signs: bool) -> frozenset[str]:
    """Return the concepts of wishes or of signs, so that neither's expressions hide the other's."""
    listed = " ".join(text for name, text in rules().items() if (name in SIGNS) is signs)
    return frozenset(listed.replace("-", " ").split())


def _add(node: Node, words: list[str], concepts: frozenset[str]) -> None:
    for word in words:
        node = node.setdefault(word, {})
    if words:
        node[END] = node.get(END, frozenset()) | concepts


def _next(node: Node, word: str) -> Iterator[Node]:
    """Yield where a word leads: as it is, then by its longest stem that is listed."""
    if word in node:
        yield node[word]
    for size in range(min(len(word), LONGEST_STEM), 1, -1):
        if (stem := f"{word[:size]}*") in node:
            yield node[stem]


def _longest(node: Node, words: list[str], at: int) -> tuple[int, frozenset[str]]:
    """Return the end of the longest expression that begins there, and all that it stands for."""
    best: tuple[int, frozenset[str]] = (at if END in node else -1, node.get(END, frozenset()))
    if at < len(words):
        for after in _next(node, words[at]):
            end, concepts = _longest(after, words, at + 1)
            if end > best[0]:
                best = (end, concepts)
            elif end == best[0]:
                best = (end, concepts | best[1])
    return best


def _at(root: Node, words: list[str], at: int) -> tuple[int, frozenset[str]]:
    end, concepts = _longest(root, words, at)
    if end < 0 and words[at].startswith(AND) and len(words[at]) > 2:
        end, concepts = _longest(root, [words[at][1:], *words[at + 1 : at + LONGEST]], 0)
        end += at if end > 0 else 0
    return (end, concepts) if end > at else (at + 1, frozenset())


def joined(parts: list[str], language: str) -> tuple[Sense, ...]:
    """Read the clauses of a sentence as one."""
    return tuple(one for part in parts for one in (*senses(part, language, True), Sense("", CUT)))


def senses(text: str, language: str, signs: bool = False) -> tuple[Sense, ...]:
    """Read a plain text for wishes or signs; of long ones only the last are kept in memory."""
    return (_short_senses if len(text) <= SHORT_TEXT else _long_senses)(text, language, signs)


def _senses(text: str, language: str, signs: bool) -> tuple[Sense, ...]:
    words, root, at = WORDS.findall(text), _tree(language, signs), 0
    found: list[Sense] = []
    while at < len(words):
        end, concepts = _at(root, words, at)
        found.append(_sense(" ".join(words[at:end]), concepts))
        at = end
    return tuple(found)


_sense = lru_cache(maxsize=8_192)(Sense)  # a word is kept once, not each time it's said
_short_senses = lru_cache(maxsize=2_048)(_senses)
_long_senses = lru_cache(maxsize=16)(_senses)  # a turn reads the same text several times


@lru_cache(maxsize=256)
def may_be_in(text: str) -> tuple[str, ...]:
    """Return the languages that a plain text may be in, by its letters and by the words known."""
    if CYRILLIC.search(text):
        return ("ru",)
    if ARABIC.search(text):
        return ("ar",)
    known = {one: _known_words(text, one) for one in LATIN}
    return tuple(one for one in LATIN if known[one] >= MOSTLY * max(known.values()))


def _known_words(text: str, language: str) -> int:
    read = (*senses(text, language), *senses(text, language, True))
    return sum(len(one.words.split()) for one in read if one.concepts)


@cache
def light() -> frozenset[str]:
    """Return the concepts that may stand beside any wish."""
    return frozenset(rules()["light"].split())


@cache
def rules_for(name: str) -> tuple[Rule, ...]:
    """Return the rules of a wish or a sign: concepts that it needs, and `-` those it can't have."""
    made = []
    for line in rules()[name].splitlines():
        parts = line.split()
        without = frozenset(part[1:] for part in parts if part.startswith("-"))
        made.append(Rule(frozenset(part for part in parts if part[0] != "-"), without))
    return tuple(made)


def holds(name: str, said: tuple[Sense, ...]) -> bool:
    """Return whether the concepts of a sign stand close together, and nothing turns it round."""
    present = frozenset().union(*(one.concepts for one in said))
    return any(
        rule.needs <= present and any(_stands(rule, said, start) for start in range(len(said)))
        for rule in rules_for(name)
    )


def _stands(rule: Rule, said: tuple[Sense, ...], start: int) -> bool:
    if not said[start].concepts & rule.needs:
        return False
    missing = set(rule.needs)
    for end in range(start, min(start + SPAN, len(said))):
        missing -= said[end].concepts
        if not missing:
            return not _turned(rule, said, start, end)
    return False


def _turned(rule: Rule, said: tuple[Sense, ...], start: int, end: int) -> bool:
    first, last = start, end
    while first > max(0, start - BEFORE) and "|" not in said[first - 1].concepts:
        first -= 1
    while last < min(len(said) - 1, end + AFTER) and "|" not in said[last + 1].concepts:
        last += 1
    after = said[end + 1 : end + 3]  # "…, said my boss"
    return (
        any(one.concepts & rule.without for one in said[first : end + 1])
        or any("turn" in one.concepts for one in said[first : last + 1])
        or any("joke" in one.concepts for one in said[first : end + LAUGHED])
        or (len(after) == 2 and after[0].concepts == CUT and "said" in after[1].concepts)
    )
