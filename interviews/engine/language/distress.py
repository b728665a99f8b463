"""Signs of distress, found by rules: self-harm, violence, a crisis now. No model is needed.

A false alarm costs a kind word and a question whether to go on; one that stays out may cost much
more. But a life told calmly holds deaths, violence and despair, and must be heard to the end. So
what tells of now is a sign wherever it stands; what tells of the past is one only where the same
sentence says that it was lately; what somebody else is quoted as saying is none. Whatever else is
heavy, a hint at not wanting to live included, is only treated gently.
"""

import re

from interviews.engine.language.concepts import holds, joined, may_be_in, senses
from interviews.engine.language.wishes import clauses, plain

SENTENCES = re.compile(r"[.!?…;؛؟\n]+")
QUOTED = re.compile(r"[«“„\"]([^«»“”„\"]{1,400})[»”\"]")
NEAR = 60  # characters before or after a quotation that may say whose words they are
MOST_QUOTATIONS = 50  # that are looked at; what stands in later ones counts as the teller's own


def in_distress(text: str, clearly: bool = False) -> bool:
    """Return whether any sentence, however long the answer, speaks of a crisis now.

    "Next time I do it properly" may; a model that reads it can tell. `clearly` leaves such out.
    """
    own = _own_words(text)
    return _holds("acute", own) or (not clearly and _holds("may_be_acute", own))


def is_heavy(text: str, language: str) -> bool:
    """Return whether it tells of grief, illness or violence, or hints at not wanting to live."""
    return _holds("heavy", text, language.split("-")[0])


def _holds(sign: str, text: str, *languages: str) -> bool:
    return any(
        holds(sign, joined(clauses(sentence), one))
        for sentence in SENTENCES.split(text)
        for one in languages or may_be_in(plain(sentence))
    )


def _own_words(text: str) -> str:
    return QUOTED.sub(
        lambda quoted: "" if _said_by_others(text, quoted) else quoted[0],
        text,
        count=MOST_QUOTATIONS,
    )


def _said_by_others(text: str, quoted: re.Match[str]) -> bool:
    before = text[max(0, quoted.start() - NEAR) : quoted.start()]
    after = text[quoted.end() : quoted.end() + NEAR]
    beside = plain(SENTENCES.split(before)[-1]), plain(SENTENCES.split(after)[0])
    return any(map(is_reported, beside))


def is_reported(words: str) -> bool:
    """Return whether plain words say that somebody else said something."""
    return any(holds("others", senses(words, one, True)) for one in may_be_in(words))
