"""What the interviewer's words may hold; why they can't be said, or what is cut from them."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import yaml

from interviews.engine.guards import ASIDE, GuardRefusal, own_prompts
from interviews.engine.language.sentences import ends_asking as asks
from interviews.engine.language.sentences import questions_in, quotes
from interviews.engine.language.sentences import spaced_sentences as sentences
from interviews.engine.language.wishes import clauses, plain
from interviews.engine.language.writing_systems import foreign
from interviews.engine.result import GuardFiring
from interviews.protocols.technical_assessment.interviewer import LONGEST, PROMPTS
from plans.similarity import first_alike, normalise

LEXICON = Path(__file__).parent / "lexicon.yaml"
MARKUP = re.compile(r"</?(?:answer|question|said|experience|focus|history)\b|INTERVIEW_COMPLETED")
WORDS = re.compile(r"[^\W\d_]{4,}")
OWN_LETTERS = 0.25  # at least, of a text in the language: names and code are in Latin ones
GIVES_AWAY = 0.3  # of the words that a good answer holds
FEW = 3


def cut(text: str) -> tuple[str, tuple[GuardFiring, ...]]:
    """The text up to its first question, without sentences before it that judge the answer."""
    parts = sentences(text)
    end = next((i for i, part in enumerate(parts, 1) if asks(part)), len(parts))
    kept = [part for part in parts[:end] if asks(part) or not judges(part)]
    fired = []
    if any(asks(part) for part in parts[end:]):
        fired.append(GuardFiring("one_question", "a second question", text))
    if len(kept) < end:
        fired.append(GuardFiring("judgement", "judges the answer", text))
    return " ".join(kept), tuple(fired)


def refused(
    text: str, language: str, private: Iterable[str], earlier: Sequence[str]
) -> GuardRefusal | None:
    """Why it can't be asked; None if it can."""
    if not any(asks(part) for part in sentences(text)):
        return GuardRefusal("no_question", "asks nothing")
    if len(text) > LONGEST:
        return GuardRefusal("no_question", "too long")
    if repeats(text, earlier):
        return GuardRefusal("repeat", "asked before")
    return _unsayable(text, language, private)


def _unsayable(text: str, language: str, private: Iterable[str]) -> GuardRefusal | None:
    if judges(text):
        return GuardRefusal("judgement", "judges the answer")
    if protected(text):
        return GuardRefusal("protected", "asks about a protected characteristic")
    if foreign(text, language, OWN_LETTERS):
        return GuardRefusal("language", "in another language")
    if MARKUP.search(text) or quotes(text, private):
        return GuardRefusal("leak", "shows instructions")
    return None


def repeats(text: str, earlier: Sequence[str]) -> bool:
    """Whether a question is the same as an earlier one, or alike in meaning."""
    asked, before = questions_in(text), [questions_in(one) for one in earlier]
    same = normalise(asked) in {normalise(one) for one in before}
    return same or first_alike(asked, before) is not None


def judges(text: str) -> bool:
    """Whether it tells the candidate how good an answer was."""
    said = any(_pattern("judging_clauses").fullmatch(clause) for clause in clauses(text))
    return said or _pattern("judging").search(plain(text)) is not None


def protected(text: str) -> bool:
    """Whether it asks the candidate about age, family, faith, health, origin or the like."""
    return _pattern("protected").search(plain(text)) is not None


def certain(text: str, language: str, private: Iterable[str], earlier: Sequence[str]) -> str:
    """As much of a question that is being written as can be shown.

    Whole words only, so that each is looked at before it is seen; nothing while it is how an
    earlier question begins.
    """
    shown, _ = cut(text if asks(text) else text.rpartition(" ")[0])
    begins = normalise(questions_in(shown))
    if not begins or any(normalise(questions_in(one)).startswith(begins) for one in earlier):
        return ""
    return "" if _unsayable(shown, language, private) or repeats(shown, earlier) else shown


def aside(
    text: str, language: str, private: Iterable[str], expected: str, question: str
) -> tuple[str, tuple[GuardFiring, ...]]:
    """One or two sentences that answer a question back; nothing where they can't be said."""
    parts = [part for part in sentences(text) if not asks(part)]
    kept = " ".join(parts[:ASIDE])
    if not kept:
        return "", (GuardFiring("aside", "asks, and tells nothing", text),)
    if gives_away(kept, expected, question):
        return "", (GuardFiring("aside", "gives the answer away", text),)
    why = _unsayable(kept, language, private)
    return ("", (GuardFiring("aside", why.reason, text),)) if why else (kept, ())


def gives_away(text: str, expected: str, question: str) -> bool:
    """Whether it holds much of what a good answer holds, beyond the question's own words."""
    wanted = _words(expected) - _words(question)
    shared = wanted & _words(text)
    return len(shared) >= max(FEW, GIVES_AWAY * len(wanted))


def _words(text: str) -> set[str]:
    return set(WORDS.findall(plain(text)))


def prompts() -> tuple[str, ...]:
    """The texts of this protocol's prompts, which nobody is to be told."""
    return own_prompts(PROMPTS)


@cache
def _pattern(name: str) -> re.Pattern[str]:
    lists: dict[str, list[str]] = yaml.safe_load(LEXICON.read_text(encoding="utf-8"))
    return re.compile("|".join(f"(?:{one})" for one in lists[name]))
