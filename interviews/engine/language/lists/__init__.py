"""Word lists: one file a language.

`words` say what words and expressions stand for, by concept: `a/b c` is "a c" and "b c", `a/ b` is
"a b" and "b", and `a*` is every word that begins so. What wishes and signs of danger are made of is
in rules.yaml. Any other list is a text of regular expressions over plain words, one or more a line.
`(` opens a group without a number, `<name>` is one of the file's `parts`, and a line after `= ` is
meant for whole answers only. `_` stands for a word or none, `~` for up to four, and `%` for
whatever follows. People mix languages, so most of these are read in all languages at once: no file
may list a word that means something else in another. Only guards' lists, of what interviewers may
not say, are of their own language alone: "prima" praises in German and says "first" in Italian.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

import regex

from llm.tasks.yaml_files import TEXT_LOADER, read_yaml_file

FOLDER = Path(__file__).parent
RULES = "rules"
WORDS = re.compile(r"[^\W_]+\*?")  # of a plain text, and of a list: with `*`, what begins so
ENGLISH = "en"  # is mixed into every technical talk
PART = re.compile(r"<([a-z_]+)>")
WHOLE = "= "
NEVER = "(?!)"
SHORT = {"_": r"(\w+ )?", "~": r"( \S+){0,4}", "%": "( .*)?"}
# made of what words stand for, by rules.yaml; the others are listed
MadeOf = Literal["stop", "skip", "pause", "withdraw", "privacy"]
_Listed = Literal["yes", "no", "go_on", "clarify", "refuse_field", "refuse_all"]
Wish = Literal[MadeOf, _Listed]
# how an answer to a question of knowledge is read
_Knowledge = Literal["names", "subordinate", "turning", "examples", "common", "times"]
_Contact = Literal["consent_yes", "consent_no", "lead_name", "lead_company", "lead_role"]
_Choice = Literal["only", "except"]  # of several fields
FieldKind = Literal["name", "email", "phone", "company", "role"]  # words that name one
_Weight = Literal["impact", "emotion"]  # how much an answer gives
_Laddering = Literal["empty", "forward", "because", "thanks", "edges", "listing"]  # and handover
_Meaning = Literal["off_topic", "dont_know", "question"]
ListName = Literal[_Listed, _Meaning, _Knowledge, _Contact, _Choice, FieldKind, _Weight, _Laddering]
_Said = Literal["praise", "verdict", "human", "advice", "stock", "reports", "contact", "secret"]
_Joined = Literal["joins"]  # what joins a clause to the one before it
_Own = Literal["empty_fact", "judging", "speaks_of_answer", "protected", "closing"]  # of protocols
GuardName = Literal[_Said, _Joined, _Own]
BEGINNING: tuple[GuardName, ...] = ("verdict", "human", "advice")  # how a clause begins
HELD: tuple[GuardName, ...] = ("stock", "contact", "secret")  # anywhere in it


@cache
def languages() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in FOLDER.glob("??.yaml")))


@cache
def lexicon_of(language: str) -> Mapping[str, str]:
    """Return a language's words by what they stand for; without one, what all say by the way."""
    if language:
        return dict(_file(language).get("words", {})) if language in languages() else {}
    by_the_way = {"polite": "polite", "filler": "filler", "telling": ""}
    return {
        concept: ",".join(lexicon_of(one).get(name, "") for one in languages())
        for name, concept in by_the_way.items()
    }


@cache
def rules() -> Mapping[str, str]:
    """Return what wishes and signs are made of."""
    found: dict[str, str] = read_yaml_file(FOLDER / f"{RULES}.yaml", TEXT_LOADER)
    return found


@cache
def listed(name: ListName, *only: str, whole: bool = False) -> re.Pattern[str]:
    """Return the pattern of a list in these languages, else in all; with those of whole answers."""
    chosen = {one.split("-")[0] for one in only} or set(languages())
    found = [one for key in languages() if key in chosen for one in _lines(key, name, whole)]
    return _joined(found)


@cache
def in_words_of(language: str, name: ListName) -> re.Pattern[str]:
    """Return the pattern of a list in that language and in English."""
    return listed(name, language, ENGLISH)


@cache
def guarded(name: GuardName, language: str) -> re.Pattern[str]:
    """Return the pattern of a guard's list in that language; where it has none, in English."""
    tag = language.split("-")[0].lower()
    return _joined(_lines(tag if tag in languages() else ENGLISH, name, whole=False))


@cache
def guarded_words(name: GuardName, language: str) -> re.Pattern[str]:
    """Return a pattern that finds the entries of a guard's list as whole words."""
    return re.compile(rf"\b(?:{guarded(name, language).pattern})\b")


def may_begin(name: GuardName, language: str, text: str) -> bool:
    """Return whether more words could make a plain text begin with an entry of a guard's list."""
    return _is_growing(_to_grow(guarded(name, language).pattern).match(f"{text} ", partial=True))


def may_hold(name: GuardName, language: str, text: str) -> bool:
    """Return whether more words could make a plain text hold an entry of a guard's list."""
    pattern = guarded_words(name, language).pattern
    return _is_growing(_to_grow(pattern).search(f"{text} ", partial=True))


def _is_growing(found: regex.Match[str] | None) -> bool:
    return found is not None and found.partial and bool(found[0].strip())


@cache
def _to_grow(pattern: str) -> regex.Pattern[str]:
    return regex.compile(pattern)


@cache
def beginning(name: ListName, *only: str) -> re.Pattern[str]:
    """Return a pattern that finds the entries of a list where a word begins."""
    return re.compile(rf"\b(?:{listed(name, *only).pattern})")


def load() -> None:
    """Read every list and build every pattern, so that no answer waits for it."""
    for name in get_args(ListName):
        listed(name)
    for language in languages():
        for name in get_args(GuardName):
            guarded_words(name, language)
        for name in BEGINNING:
            may_begin(name, language, "")
        for name in HELD:
            may_hold(name, language, "")


def _joined(patterns: list[str] | Iterator[str]) -> re.Pattern[str]:
    return re.compile("|".join(patterns) or NEVER)


def _lines(key: str, name: str, whole: bool) -> Iterator[str]:
    for line in str(_file(key).get(name, "")).splitlines():
        if whole or not line.startswith(WHOLE):
            yield _pattern(line.removeprefix(WHOLE), _file(key).get("parts", {}))


def _pattern(line: str, parts: Mapping[str, str]) -> str:
    while found := PART.search(line):
        if found[1] not in parts:
            raise ValueError(f"There is no part <{found[1]}> for the list entry “{line}”.")
        line = line.replace(found[0], f"({parts[found[1]]})")
    for short, long in SHORT.items():
        line = line.replace(short, long)
    return re.sub(r"(?<!\\)\((?!\?)", "(?:", line)


@cache
def _file(key: str) -> Mapping[str, Any]:
    path = FOLDER / f"{key}.yaml"
    lists: dict[str, Any] = read_yaml_file(path, TEXT_LOADER)
    known = {*get_args(ListName), *get_args(GuardName), "parts", "words"}
    if unknown := lists.keys() - known:
        raise ValueError(f"{path.name} holds unknown lists: {', '.join(sorted(unknown))}.")
    return lists
