"""The words of a text that say what it is about, reduced so that inflections fall together."""

import re
from functools import lru_cache

from interviews.engine.language.lists import in_words_of
from interviews.engine.language.wishes import plain
from plans.similarity import is_filler

STEM_LATIN, STEM = 6, 5  # letters kept; Cyrillic words change earlier
LEAST = 3  # letters of a word that counts
SHORT = 2  # … and of one that names a subject that no longer word does ("my ex")
WORDS = re.compile(r"[^\W_]+")


def terms(text: str, language: str, least: int = LEAST) -> frozenset[str]:
    """Stems of all words but the short and the common ones."""
    words = (word for word in WORDS.findall(plain(text)) if len(word) >= least)
    common = in_words_of(language, "common")
    return frozenset(
        _stem(word) for word in words if not (is_filler(word) or common.fullmatch(word))
    )


def _stem(word: str) -> str:
    return word.removesuffix("s")[:STEM_LATIN] if word.isascii() else word[:STEM]


_terms = lru_cache(maxsize=1_024)(terms)  # a text is asked for with each closed subject


def named_terms(subject: str, text: str, language: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the stems that name a subject, and those of them that the text says."""
    times = rf"\b(?:{in_words_of(language, 'times').pattern})\b"
    timeless = re.sub(times, "", plain(subject))
    for words, least in ((timeless, LEAST), (subject, LEAST), (subject, SHORT)):
        if name := _terms(words, language, least):
            return name, shared_terms(name, _terms(text, language, least))
    return frozenset(), frozenset()


def shared_terms(wanted: frozenset[str], said: frozenset[str]) -> frozenset[str]:
    """Return the wanted stems that are said, in whatever form of the word."""
    return frozenset(one for one in wanted if any(_same_word(one, other) for other in said))


def _same_word(one: str, other: str) -> bool:
    if one == other:
        return True
    least = STEM_LATIN - 2 if one.isascii() else LEAST
    beginning = max(least, min(len(one), len(other)) - 1)
    return one[:beginning] == other[:beginning]
