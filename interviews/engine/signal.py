"""How much an answer gives: a score of 0 to 1, computed in hundredths so that edges are exact.

Length min(0.4, words / 100) + concrete detail 0.15 + impact words 0.15 + emotion or strong opinion
0.15 + more than thirty words 0.15. A language without word lists is scored on the parts that need
none, divided by their sum, 0.7.
"""

import math
import re
import unicodedata
from enum import StrEnum
from functools import lru_cache

from interviews.engine.language.distress import is_heavy
from interviews.engine.language.lists import beginning, languages
from interviews.engine.language.wishes import VOWEL_SIGNS, plain

PART = 15  # hundredths for each part except length
FREE_PARTS = 70  # hundredths that don't depend on word lists
MANY_WORDS = 30
INSIGHT_FROM = 0.5  # signal score from which an answer gives a key insight
SNIPPET = 20  # words
UNSPACED = {"zh", "ja", "th", "lo", "km", "my"}  # written without spaces: two characters a word
ONLY_DIGITS = UNSPACED | {"de", "lb", "ar", "he", "fa", "ur", "hi", "bn", "ka", "ko", "am"}
CAPITALISED = re.compile(r"(?<![.!?…\n \t,;:(«“\"'—–-])[ \t,;:(«“\"'—–-]++([^\W\d_]{3,})")


class Band(StrEnum):
    """LOW is below 0.3, HIGH above 0.6."""

    LOW = "LOW"
    MEDIUM = "MEDIUM"
    HIGH = "HIGH"


@lru_cache(maxsize=4_096)  # the answers of a long interview
def word_count(text: str, language: str) -> int:
    """Return the number of words; in languages written without spaces, half the characters."""
    if language.split("-")[0] in UNSPACED:
        return math.ceil(sum(1 for c in text if unicodedata.category(c)[0] in "LN") / 2)
    return len(re.findall(r"\w+(?:['’-]\w+)*", VOWEL_SIGNS.sub("", text)))


def score(text: str, language: str) -> float:
    return _hundredths(text, language) / 100


def band(text: str, language: str) -> Band:
    points = _hundredths(text, language)
    if points < 30:
        return Band.LOW
    return Band.HIGH if points > 60 else Band.MEDIUM


@lru_cache(maxsize=256)  # asked often while a reply streams
def _hundredths(text: str, language: str) -> int:
    words = word_count(text, language)
    points = min(40, words) + PART * concrete(text, language) + PART * (words > MANY_WORDS)
    if language.split("-")[0] not in languages():
        return min(100, points * 100 // FREE_PARTS)
    said = plain(text)
    points += PART * (beginning("impact", language).search(said) is not None)
    feels = beginning("emotion", language).search(said) is not None or is_heavy(text, language)
    points += PART * feels
    return min(100, points)


@lru_cache(maxsize=256)
def concrete(text: str, language: str) -> bool:
    """Whether it has a digit, or a capitalised word of three letters or more in a sentence."""
    if any(c.isdigit() for c in text):
        return True
    if language.split("-")[0] in ONLY_DIGITS:
        return False
    return any(word[0].isupper() for word in CAPITALISED.findall(text))


def snippet(answer: str, language: str) -> str:
    sentences = [s.strip() for s in re.split(r"(?<=[.!?…。！？])\s+|\n+", answer) if s.strip()]
    best = max(sentences or [answer], key=lambda s: score(s, language))
    words = best.split()
    return best if len(words) <= SNIPPET else " ".join(words[:SNIPPET]) + " …"
