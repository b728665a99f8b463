"""Signs of low effort in an answer, each from 0 (none) to 1 (clear)."""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from string import ascii_lowercase
from typing import Literal

from django.db.models import TextChoices
from pydantic import BaseModel, ConfigDict
from rapidfuzz.fuzz import ratio

from interviews.engine.language.sentences import asks, sentences
from interviews.engine.language.wishes import plain, wishes
from interviews.engine.signal import word_count
from llm.tasks.yaml_files import read_yaml_file

FILE = Path(__file__).parent / "words.yaml"
PAIRS = FILE.with_name("letter_pairs.yaml")
# its own cache: growing drafts would push earlier answers and questions out of the other one
said_plain = lru_cache(maxsize=4_096)(plain)


class EffortWordLists(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    empty: tuple[str, ...]
    brief: tuple[str, ...]
    keys: tuple[str, ...]
    vowels: str


@cache
def words() -> EffortWordLists:
    return EffortWordLists.model_validate(read_yaml_file(FILE))


@cache
def listed(name: Literal["empty", "brief"]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for one in getattr(words(), name)))


@cache
def usual_pairs(language: str) -> frozenset[str]:
    """Return the pairs of letters that are usual in the language; empty if it isn't known."""
    pairs: dict[str, str] = read_yaml_file(PAIRS)
    return frozenset(pairs.get(language.split("-")[0], "").split())


@cache
def rows() -> tuple[str, ...]:
    return tuple(row[::step] for row in words().keys for step in (1, -1))


READING = 238 / 60  # words a second, silent reading of non-fiction; Brysbaert 2019
ENOUGH = 15  # words; such an answer isn't short for anybody
FEW = 3  # words; fewer are short for anybody
SHARE = 0.25  # of somebody's usual number of words; fewer are short for them
MUCH = 40  # characters; a shorter paste is a name or a number
SOME, NEARLY_ALL = 0.8, 0.95  # of an answer's characters
COPIED = 90  # percent alike
A_CLAUSE = 4  # words; shorter answers may be alike by chance
MASHED = 4  # letters
ODD = 5  # letters of a word whose pairs are looked at
UNUSUAL = 0.4  # share of such a word's pairs of letters
ODD_IN_ALL = 12  # letters of such words in an answer; fewer may be a foreign name
LOOKED_AT = 1_000  # characters; the rest is taken to be like the beginning
CHUNK = re.compile(r"(.{1,4}?)\1{2,}.{0,3}")
TWICE = re.compile(r"(.{2,4})\1.{0,3}")


class Sign(TextChoices):
    NO_WORDS = "no_words", "keys pressed at random, or no word at all"
    COPY = "copy", "a question, copied"
    REPEATED = "repeated", "the same words as in an earlier answer"
    PASTED = "pasted", "nearly all of it pasted"
    HURRIED = "hurried", "sent sooner than the question can be read"
    EMPTY = "empty", "words that tell nothing of what was asked"
    SHORT = "short", "much shorter than this person's other answers"


WEIGHTS = {
    Sign.NO_WORDS: 0.9,
    Sign.COPY: 0.9,
    Sign.REPEATED: 0.7,
    Sign.PASTED: 0.5,
    Sign.HURRIED: 0.5,
    Sign.EMPTY: 0.5,
    Sign.SHORT: 0.35,
}


def no_words(text: str, language: str = "") -> float:
    """Return the share of letters that are in no word; 0 if most are in words.

    In languages with known letter pairs, a word with many unusual ones is none either.
    """
    parts = re.findall(r"[^\W_]+", text[:LOOKED_AT].casefold())
    letters = sum(map(len, parts))
    if not letters:
        return 1.0
    mashed = sum(len(part) for part in parts if _is_mashed(part))
    odd = sum(len(part) for part in parts if not _is_mashed(part) and _is_odd(part, language))
    share = (mashed + (odd if odd >= ODD_IN_ALL else 0)) / letters
    return share if share >= 0.5 else 0.0


@lru_cache(maxsize=16_384)
def _is_odd(part: str, language: str) -> bool:
    usual = usual_pairs(language)
    if len(part) < ODD or not usual or not set(part) <= _letters(language):
        return False
    pairs = [part[place : place + 2] for place in range(len(part) - 1)]
    return sum(pair not in usual for pair in pairs) >= UNUSUAL * len(pairs)


@cache
def _letters(language: str) -> frozenset[str]:
    known = frozenset("".join(usual_pairs(language)))
    return known | frozenset(ascii_lowercase) if "a" in known else known


@lru_cache(maxsize=16_384)
def _is_mashed(part: str) -> bool:
    if len(part) < MASHED or part.isdigit():  # numbers are answers
        return False
    if CHUNK.fullmatch(part) or _longest_run(part) >= max(MASHED, 0.75 * len(part)):
        return True
    twice = TWICE.fullmatch(part)
    if twice and (_longest_run(twice[1]) == len(twice[1]) > 2 or _only_consonants(twice[1])):
        return True
    return len(part) > MASHED + 1 and _only_consonants(part)


def _longest_run(part: str) -> int:
    longest = 0
    for start in range(len(part)):
        end = start + 1
        while end < len(part) and any(part[start : end + 1] in row for row in rows()):
            end += 1
        longest = max(longest, end - start)
    return longest


def _only_consonants(part: str) -> bool:
    has_vowels = re.fullmatch(r"[a-zà-ɏа-яёіїєў]+", part) is not None  # its alphabet
    return has_vowels and not any(letter in words().vowels for letter in part)


def copy(text: str, questions: Sequence[str]) -> float:
    answer = plain(text)
    if len(answer.split()) < A_CLAUSE:
        return 0.0
    return float(any(_is_copied(answer, said_plain(question)) for question in questions))


def _is_copied(answer: str, question: str) -> bool:
    return f" {answer} " in f" {question} " or ratio(answer, question, score_cutoff=COPIED) > 0


def repeated(text: str, times: int) -> float:
    if not times or wishes(text, "yes") or wishes(text, "no"):
        return 0.0
    brief = len(plain(text).split()) < A_CLAUSE
    return min(1.0, (times - 1) / 2) if brief else 1.0


def pasted(text: str, characters: int | None) -> float:
    """Return 0 up to four fifths of a longer answer, 1 for nearly all of it."""
    if characters is None or len(text) < MUCH:
        return 0.0
    share = characters / len(text)
    return min(1.0, max(0.0, (share - SOME) / (NEARLY_ALL - SOME)))


def hurried(seconds: float | None, question: str, language: str) -> float:
    """Return 0 if there was time to read the question, 1 for half of that time or less."""
    needed = word_count(question, language) / READING
    if seconds is None or not needed:
        return 0.0
    return min(1.0, max(0.0, 2 * (1 - seconds / needed)))


def empty(text: str, question: str) -> float:
    if len(text) > LOOKED_AT or not listed("empty").fullmatch(plain(text)):
        return 0.0
    return float(not brief_will_do(question))


def short(text: str, question: str, language: str, usual: float) -> float:
    """Return how far it stays below a quarter of this person's usual number of words."""
    least = min(ENOUGH, max(FEW, SHARE * usual))
    if brief_will_do(question):
        return 0.0
    return max(0.0, 1 - word_count(text, language) / least)


@lru_cache(maxsize=1_024)
def brief_will_do(question: str) -> bool:
    asking = (sentence for sentence in sentences(question) if asks(sentence))
    return any(listed("brief").search(plain(sentence)) for sentence in asking)
