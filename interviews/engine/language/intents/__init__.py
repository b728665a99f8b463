"""What an answer is besides an answer, where rules can tell; the rest is left to the model.

A meaning is clear only if every part of the answer carries it, courtesies aside: "What is a lock?"
is put to the interviewer, "What is a lock? It keeps others out." is an answer.
"""

import re
from collections.abc import Iterator
from enum import StrEnum

from interviews.engine.language.intents.lists import ListName, listed
from interviews.engine.language.wishes import only, plain, wishes

LONGEST = 25  # words; who says more answers
FEW = 5  # words that ask without a question mark
SENTENCES = re.compile(r"(?<=[.!?…؟])\s+|\n+")
CLAUSES = re.compile(r"[,;:،؛—–]+|\s-\s")


class Meaning(StrEnum):
    """What clear words come to."""

    STOP = "stop"
    NOT_KNOWING = "not_knowing"  # an answer: a gap
    QUESTION = "question"  # to the interviewer
    CLARIFY = "clarify"  # the same question is wanted in other words
    OFF_TOPIC = "off_topic"


def meaning(answer: str, language: str, question: str) -> Meaning | None:
    """What the answer to the question clearly is; None where it is an answer, or not clear."""
    if wishes(answer, "stop"):
        return None if _may_be_a_name(answer, language, question) else Meaning.STOP
    if len(plain(answer).split()) > LONGEST:
        return None
    found = set(_meanings(answer, language))
    if found == {Meaning.CLARIFY, Meaning.NOT_KNOWING}:
        return Meaning.CLARIFY  # not understood, therefore asked
    return found.pop() if len(found) == 1 else None


def left_out(answer: str, language: str, question: str) -> bool:
    """Whether the candidate clearly passes the question over, or keeps the answer private."""
    return only(answer, "skip", "privacy") and not _may_be_a_name(answer, language, question)


def off_topic(sentence: str, language: str) -> bool:
    """Whether a sentence has nothing to do with an interview, or orders the observer about."""
    return bool(listed(language, "off_topic").fullmatch(plain(sentence)))


def _may_be_a_name(answer: str, language: str, question: str) -> bool:
    """ "exit" answers which command it is, "private" which modifier."""
    asked = re.search(rf"\b(?:{listed(language, 'names').pattern})\b", plain(question))
    return asked is not None and len(answer.split()) == 1


def _meanings(answer: str, language: str) -> Iterator[Meaning | None]:
    for sentence in SENTENCES.split(answer.strip()):
        whole = _whole(sentence, language)
        if whole is not None:
            yield whole
            continue
        for clause in _clauses(sentence, language):
            if not _is(plain(clause), language, "aside"):
                yield _meaning(clause, language)


def _clauses(sentence: str, language: str) -> list[str]:
    """The sentence cut at its commas, but for those before a subordinate clause."""
    joint = rf"[,،]\s+(?=(?:{listed(language, 'subordinate').pattern})\s)"
    return CLAUSES.split(re.sub(joint, " ", sentence, flags=re.IGNORECASE))


def _whole(sentence: str, language: str) -> Meaning | None:
    """What is clear from the sentence as a whole, whatever its commas."""
    if off_topic(sentence, language):
        return Meaning.OFF_TOPIC
    clarifies = _is(plain(sentence), language, "clarify", _asks(sentence))
    return Meaning.CLARIFY if clarifies else None


def _meaning(clause: str, language: str) -> Meaning | None:
    asks = _asks(clause)
    for said in (plain(clause), _bare(plain(clause), language)):
        if _is(said, language, "clarify", asks):
            return Meaning.CLARIFY
        if _is(said, language, "not_knowing") and not asks:
            return None if _turns(said, language) else Meaning.NOT_KNOWING
        brief = len(said.split()) <= FEW
        if (asks or brief) and _is(said, language, "question", asks):
            return Meaning.QUESTION
    return None


def _is(said: str, language: str, name: ListName, asks: bool = False) -> bool:
    forms = (said, f"{said}?") if asks else (said,)
    return any(listed(language, name).fullmatch(form) for form in forms)


def _asks(words: str) -> bool:
    return words.rstrip().endswith(("?", "؟"))


def _turns(said: str, language: str) -> bool:
    """ "I don't know what it is called but it holds rows" answers after all."""
    return bool(re.search(rf"\b(?:{listed(language, 'turning').pattern})\b", said))


def _bare(said: str, language: str) -> str:
    aside = listed(language, "aside").pattern
    return re.sub(rf"^(?:(?:{aside}) )+|(?: (?:{aside}))+$", "", said)
