"""The words of a text that say what it is about, reduced so that inflections fall together."""

import re

from interviews.engine.language.intents.lists import listed
from interviews.engine.language.wishes import plain

STEM_LATIN, STEM = 6, 5  # letters kept; Cyrillic words change earlier
LEAST = 3  # letters of a word that counts
WORDS = re.compile(r"[^\W_]+")


def terms(text: str, language: str) -> frozenset[str]:
    """Stems of all words but the short and the common ones."""
    words = (word for word in WORDS.findall(plain(text)) if len(word) >= LEAST)
    common = listed(language, "common")
    return frozenset(_stem(word) for word in words if not common.fullmatch(word))


def _stem(word: str) -> str:
    return word[:STEM_LATIN] if word.isascii() else word[:STEM]
