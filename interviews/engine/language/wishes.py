"""Clear wishes found by rules, in the languages of the lists. The rest is left to models."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Literal

from interviews.engine.language.lists import Wish, listed

SHORT = 16  # words; in a longer answer a clause is more likely to tell a story than to ask
FEWEST = 3  # words of a sentence that says on its own what is wanted, before or after a story
SENTENCES = re.compile(r"(?<=[.!?…؟])\s+|\n+")
CLAUSES = re.compile(r"[.,;:!?¿¡…،؛؟—–\n()«»\"“”„]+|\s-\s")
# a clause, and its question mark
MARKED = re.compile(r"([^.,;:!?¿¡…،؛؟—–\n()«»\"“”„]+)([?؟]?)")
VOWEL_SIGNS = re.compile("[\u064b-\u0652\u0670\u0640]")  # and the stroke that stretches a word
WRITTEN_ALIKE = str.maketrans("أإآٱىة", "اااايه")  # as many people write them


@lru_cache(maxsize=1_024)
def plain(text: str) -> str:
    """Lower case, one kind of apostrophe, е for ё, no punctuation, single spaces.

    Arabic is read without its vowel signs, and without what is mostly left out in writing.
    """
    folded = unicodedata.normalize("NFKC", text).casefold().replace("ё", "е")
    folded = VOWEL_SIGNS.sub("", folded).translate(WRITTEN_ALIKE)
    folded = re.sub(r"[’‘`´]", "'", folded)
    return re.sub(r"[^\w']+", " ", folded).strip()


def clauses(text: str) -> list[str]:
    """The text cut at its punctuation, each part made plain."""
    return [part for raw in CLAUSES.split(text) if (part := plain(raw))]


def bare(clause: str) -> str:
    """A plain clause without the fillers at its ends ("well, please …")."""
    return _fillers().sub("", clause)


def is_courtesy(clause: str) -> bool:
    """Return whether a plain clause is up to four courtesies and nothing else."""
    return _courtesies().fullmatch(clause) is not None


def wishes(text: str, wish: Wish) -> bool:
    """Whether a short answer clearly says so."""
    wholes, parts = _forms(text)
    return any(listed(wish, whole=True).fullmatch(form) for form in wholes) or any(
        listed(wish).fullmatch(form) for form in parts
    )


@lru_cache(maxsize=1_024)
def _forms(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return what a short answer may be read as: as a whole, and clause by clause."""
    whole = plain(text)
    if not whole or len(whole.split()) > SHORT:
        return frozenset(), frozenset()
    parts = {form for clause in clauses(text) for form in (clause, bare(clause))}
    parts |= {f"{bare(plain(raw))}?" for raw, mark in MARKED.findall(text) if mark}
    return frozenset((whole, bare(whole))), frozenset(parts)


def wish_of(answer: str) -> Literal["", "withdraw", "pause", "stop"]:
    """Return what the participant clearly wants to do with the interview as a whole.

    A wish to withdraw counts only as a whole sentence: in stories, people quote it.
    """
    if only(answer, "withdraw") or _says_aside(answer, "withdraw"):
        return "withdraw"
    if wishes(answer, "pause") or _says_aside(answer, "pause"):
        return "pause"
    return "stop" if wishes(answer, "stop") or _says_aside(answer, "stop") else ""


def _says_aside(answer: str, wish: Wish) -> bool:
    """Return whether the first or the last sentence says this, and nothing else."""
    said = SENTENCES.split(answer.strip())
    whole = [one for one in (said[0], said[-1]) if len(one.split()) >= FEWEST]
    return any(wishes(one, wish) if len(clauses(one)) == 1 else only(one, wish) for one in whole)


def only(text: str, *meant: Wish) -> bool:
    """Return whether the text says one of these and nothing else, courtesies aside.

    A courtesy alone ("Yes, please") is no wish.
    """
    if not is_courtesy(plain(text)) and _wishes_any(plain(text), meant):
        return True
    said = [clause for clause in clauses(text) if not is_courtesy(clause)]
    asked = said or [clause for clause in clauses(text) if _wishes_any(clause, meant)]
    return bool(asked) and all(_wishes_any(clause, meant) for clause in asked)


def refused_subject(answer: str) -> str:
    """Return what a short answer refuses to talk about; empty if it doesn't refuse."""
    if len(answer.split()) > SHORT:
        return ""
    found = filter(None, map(listed("refuses").fullmatch, clauses(answer)))
    return next((name for one in found for name in one.groups() if name), "")


def _wishes_any(clause: str, meant: Iterable[Wish]) -> bool:
    return any(wishes(clause, wish) for wish in meant)


@cache
def around() -> str:
    """Return what may stand around an answer, as a part of a pattern."""
    return f"{listed('fillers').pattern}|{listed('polite').pattern}"


@cache
def _fillers() -> re.Pattern[str]:
    return re.compile(rf"^(?:(?:{around()})\s+)+|(?:\s+(?:{around()}))+$")


@cache
def _courtesies() -> re.Pattern[str]:
    polite = listed("polite").pattern
    return re.compile(rf"(?:{polite})(?: (?:{polite})){{0,3}}")
