"""How alike two questions are in meaning: quick, deterministic, without a model.

Words that only carry the question ("could you tell me", "what", "the") are dropped; the rest is
reduced to stems and a few dozen everyday concepts, and the overlap of two such profiles is the
score. Pairs that share words but ask about opposites (first and last, mother and father, why and
when) score less. English, Italian and Russian have word lists, in similarity.yaml; other languages
are compared by plain words, or by pairs of characters where they are written without spaces.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from rapidfuzz.fuzz import ratio

from llm.tasks.yaml_files import read_yaml_file

Row = TypeVar("Row", bound=Any)

# From this score on, two questions count as the same; chosen on labelled pairs (see the tests).
ALIKE: float = 0.755

_APART = 0.5  # factor of the score when two questions contrast
_FAINT = 0.4  # the weight of words that nearly every interview question may hold
_SPELT_ALIKE = 84  # rapidfuzz ratio from which two stems count as one word, misspelt or inflected

_LATIN_ENDING = re.compile(
    r"(ations?|azion[ei]|ments?|ament[oi]|ings?|ness|edly|ed|es|ly|"
    r"[aei]r(e|l[aoei]|mi|si|ci|ne)|[ae]ndo(si|la|lo)?|[aeiu]t[aeio]|[ae]v[aeio]|[aei]no|s|[aeio])$"
)
_CYRILLIC_ENDING = re.compile(
    r"(ени[еяюий]м?|ани[еяюий]м?|[аеиыоуюя]?(ть|л[аио]?|ет|ют|ит|ят|ешь|ете|ите)(с[яь])?|"
    r"[иыаяо]?(ми|мя|х|м|в|й|е|ю|я|ь|и|ы|а|о|у)|ого|его|ому|ему|ая|ое|ые|ой|ый|ий|ую)$"
)
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")


class _Profile(NamedTuple):
    text: str
    weights: dict[str, float]
    marks: frozenset[str]


class _Letters(dict[int, int | str]):
    """A table for `str.translate` that keeps letters, marks and digits, and fills itself."""

    def __missing__(self, code: int) -> int | str:
        self[code] = code if unicodedata.category(chr(code))[0] in "LMN" else " "
        return self[code]


_LETTERS = _Letters()


def _read_concepts(table: str) -> dict[str, tuple[str, float]]:
    weight_of = {"~": _FAINT, "?": 0.0}
    concepts = {}
    for line in table.strip().splitlines():
        name, words = line.strip().split(": ")
        for word in words.split():
            concepts[word] = (name.lstrip("~?"), weight_of.get(name[0], 1.0))
    return concepts


_LISTS = read_yaml_file(Path(__file__).with_suffix(".yaml"))
_STOP = frozenset(_LISTS["fillers"].split())
_ASKING = frozenset({"why", "when", "where", "who", "whom", "amount", "what"})
_CONCEPT_OF = _read_concepts(_LISTS["concepts"])
_CONTRASTS = tuple(frozenset(names.split()) for names in _LISTS["contrasts"])
_PHRASES = tuple((re.compile(said), counts_as) for said, counts_as in _LISTS["phrases"].items())


def normalise(text: str) -> str:
    """Return the text in NFKC, case-folded, its words separated by single spaces."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(folded.translate(_LETTERS).split())


def is_filler(word: str) -> bool:
    return word in _STOP


def similarity(a: str, b: str) -> float:
    """Return how alike two questions are: 0.0 (nothing shared) to 1.0 (the same)."""
    return _compare(_profile(a), _profile(b))


def alike(a: str, b: str) -> bool:
    return similarity(a, b) >= ALIKE


def asks_otherwise(a: str, b: str) -> bool:
    """Return whether the questions have different asking words, such as “who” and “how”."""
    first, second = (_profile(text).marks & _ASKING for text in (a, b))
    return bool(first and second and first != second)


def first_alike(text: str, others: Iterable[str]) -> int | None:
    return next((i for i, other in enumerate(others) if alike(text, other)), None)


def similar_pairs(rows: Sequence[Row]) -> list[tuple[Row, Row]]:
    """Return pairs of a question and the earlier one that it resembles, by their `text`."""
    texts = [row.text for row in rows]
    found = ((row, first_alike(row.text, texts[:i])) for i, row in enumerate(rows))
    return [(row, rows[earlier]) for row, earlier in found if earlier is not None]


@lru_cache(maxsize=4096)
def _profile(text: str) -> _Profile:
    plain = normalise(text)
    worded = plain.replace("ё", "е")
    for pattern, replacement in _PHRASES:
        worded = pattern.sub(replacement, worded)
    weights: dict[str, float] = {}
    marks = set()
    question_words = []
    for word in _words(worded):
        concept, weight = _concept(word)
        if not concept and word not in _STOP:
            concept, weight = _stem(word), 1.0
        if weight:
            weights[concept] = weight
        if concept in _ASKING:
            question_words.append(concept)
        else:
            marks.add(concept)
    if question_words:
        marks.add(_question_word(question_words))
    return _Profile(plain, weights, frozenset(marks))


def _question_word(found: list[str]) -> str:
    """Return the word that asks; a "when" before another one only sets the scene."""
    return found[1] if found[0] == "when" and len(found) > 1 else found[0]


def _words(text: str) -> list[str]:
    words = []
    for word in text.split():
        if _UNSPACED.search(word) and len(word) > 2:
            words += [word[i : i + 2] for i in range(len(word) - 1)]
        else:
            words.append(word)
    return words


@lru_cache(maxsize=8192)
def _concept(word: str) -> tuple[str, float]:
    """Return the concept with the longest matching beginning, and its weight; else ("", 0)."""
    whole = _CONCEPT_OF.get(word + ".")
    if whole or word in _STOP:
        return whole or ("", 0.0)
    for length in range(len(word), 2, -1):
        if word[:length] in _CONCEPT_OF:
            return _CONCEPT_OF[word[:length]]
    return "", 0.0


def _stem(word: str) -> str:
    ending = _CYRILLIC_ENDING if "а" <= word[-1] <= "я" else _LATIN_ENDING
    found = ending.search(word, 3)
    return word[: found.start()] if found else word


def _compare(a: _Profile, b: _Profile) -> float:
    if a.text == b.text:
        return 1.0
    if b.text < a.text:  # so that the score doesn't depend on the order
        a, b = b, a
    total = sum(a.weights.values()) + sum(b.weights.values())
    if not a.weights or not b.weights:
        return ratio(a.text, b.text) / 100 if not total else 0.0
    shared = _shared(a.weights, b.weights)
    smaller = min(sum(a.weights.values()), sum(b.weights.values()))
    # Mostly the overlap, partly how much of the shorter one is in the longer: an extra word is more
    # often a paraphrase than a word replaced by another.
    score = min(1.6 * shared / total + 0.2 * shared / smaller, 1.0)
    return score * _APART if _contrast(a.marks, b.marks) else score


def _shared(a: dict[str, float], b: dict[str, float]) -> float:
    """Return the weight of the shared stems, counting those that differ by a misspelling."""
    both = a.keys() & b.keys()
    shared = sum(a[stem] for stem in both)
    left = [stem for stem in b if stem not in both]
    for stem in a:
        if stem in both:
            continue
        twin = next((other for other in left if ratio(stem, other) >= _SPELT_ALIKE), None)
        if twin is not None:
            left.remove(twin)
            shared += min(a[stem], b[twin])
    return shared


def _contrast(a: frozenset[str], b: frozenset[str]) -> bool:
    if ("not" in a) != ("not" in b):
        return True
    return any(a & group and b & group and not a & b & group for group in _CONTRASTS)
