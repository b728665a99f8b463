"""What an answer is besides an answer, where rules can tell; the rest is left to the model.

A meaning is clear only if every part of the answer carries it, courtesies aside: "What is a lock?"
is put to the interviewer, "What is a lock? It keeps others out." is an answer.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal

from interviews.engine.language.lists import in_words_of, listed
from interviews.engine.language.wishes import (
    SENTENCES,
    bare,
    is_courtesy,
    is_filler,
    only,
    plain,
    wishes,
)

LONGEST = 25  # words; who says more answers
FEW = 5  # words that ask without a question mark
CLAUSES = re.compile(r"[,;:،؛—–]+|\s-\s")
Meaning = Literal["", "stop", "dont_know", "ask_back", "clarify", "off_topic"]


def meaning(answer: str, language: str, question: str) -> Meaning:
    """Return what the answer clearly is; empty where it is an answer, or not clear."""
    if wishes(answer, "stop"):
        return "" if may_be_a_name(answer, language, question) else "stop"
    if _wonders(answer) or wishes(answer, "clarify"):
        return "clarify"
    if len(plain(answer).split()) > LONGEST:
        return ""
    found = set(_meanings(answer, language))
    return found.pop() if len(found) == 1 else ""


def _wonders(answer: str) -> bool:
    """ "?", "Hm?" """
    said = plain(answer)
    return answer.endswith(("?", "؟")) and is_filler(said)


def left_out(answer: str, language: str, question: str) -> bool:
    """Return whether the question is clearly passed over, or the answer kept private."""
    return only(answer, "skip", "privacy") and not may_be_a_name(answer, language, question)


def passed_over(answer: str, language: str, question: str) -> Literal["", "refuse", "skip"]:
    """Return whether a part of a short answer asks for another question, or keeps this private."""
    if may_be_a_name(answer, language, question):
        return ""
    return "refuse" if wishes(answer, "privacy") else "skip" if wishes(answer, "skip") else ""


def tells_nothing(clause: str, language: str, question: str = "") -> bool:
    """Return whether it is a courtesy, a "don't know" or the like of "it depends"."""
    said = plain(clause)
    if is_courtesy(said) or listed("empty").fullmatch(said):
        return True
    return meaning(clause, language, question) == "dont_know"


def may_be_a_name(answer: str, language: str, question: str) -> bool:
    """ "exit" answers which command it is, "private" which modifier."""
    asked = re.search(rf"\b(?:{in_words_of(language, 'names').pattern})", plain(question))
    return asked is not None and len(answer.split()) == 1


def _meanings(answer: str, language: str) -> Iterator[Meaning]:
    for sentence in SENTENCES.split(answer.strip()):
        if listed("off_topic").fullmatch(bare(plain(sentence))):
            yield "off_topic"
            continue
        for clause in _clauses(sentence, language):
            if not (is_filler(plain(clause)) or wishes(clause, "skip")):
                yield _meaning(clause, language)


def _clauses(sentence: str, language: str) -> list[str]:
    """The sentence cut at its commas, but for those before a subordinate clause."""
    return CLAUSES.split(_joint(language).sub(" ", sentence))


def _meaning(clause: str, language: str) -> Meaning:
    asks = clause.rstrip().endswith(("?", "؟"))
    for said in (plain(clause), bare(plain(clause))):
        if not asks and in_words_of(language, "dont_know").fullmatch(said):
            return "" if _turning(language).search(said) else "dont_know"
        brief = len(said.split()) <= FEW
        if (asks or brief) and _asks(said, language, asks):
            return "ask_back"
    return ""


def _asks(said: str, language: str, marked: bool) -> bool:
    if not marked:
        return in_words_of(language, "question").fullmatch(said) is not None
    return any(listed("question").fullmatch(form) for form in (said, f"{said}?"))


@cache
def _joint(language: str) -> re.Pattern[str]:
    subordinate = in_words_of(language, "subordinate").pattern
    return re.compile(rf"[,،]\s+(?=(?:{subordinate})\s)", re.IGNORECASE)


@cache
def _turning(language: str) -> re.Pattern[str]:
    """ "I don't know what it is called but it holds rows" answers after all."""
    return re.compile(rf"\b(?:{in_words_of(language, 'turning').pattern})\b")
