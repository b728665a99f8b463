"""Guards over the interviewer's words: what is cut from them, and why they can't be said."""

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
from interviews.protocols.technical_assessment.interviewer import MAX_QUESTION_LENGTH, PROMPTS
from plans.similarity import first_alike, normalise

LEXICON = Path(__file__).parent / "lexicon.yaml"
MARKUP = re.compile(r"</?(?:answer|question|said|experience|focus|history)\b|INTERVIEW_COMPLETED")
WORDS = re.compile(r"[^\W\d_]{4,}")
MIN_OWN_LETTERS = 0.25  # share of letters of the language; names and code are in Latin letters
GIVES_AWAY = 0.3  # share of the words of a good answer …
GIVES_AWAY_WORDS = 3  # … and their number, from which on a text gives it away


def cut(text: str) -> tuple[str, tuple[GuardFiring, ...]]:
    """Cut the text after its first question, and sentences before it that judge the answer."""
    parts = sentences(text)
    end = next((i for i, part in enumerate(parts, 1) if asks(part)), len(parts))
    kept = [part for part in parts[:end] if asks(part) or not judges(part)]
    firings = []
    if any(asks(part) for part in parts[end:]):
        firings.append(GuardFiring("one_question", "a second question", text))
    if len(kept) < end:
        firings.append(GuardFiring("judgement", "judges the answer", text))
    return " ".join(kept), tuple(firings)


def rejection(
    text: str, language: str, private: Iterable[str], earlier: Sequence[str]
) -> GuardRefusal | None:
    if not any(asks(part) for part in sentences(text)):
        return GuardRefusal("no_question", "asks nothing")
    if len(text) > MAX_QUESTION_LENGTH:
        return GuardRefusal("no_question", "too long")
    if repeats(text, earlier):
        return GuardRefusal("repeat", "asked before")
    return _content_rejection(text, language, private)


def _content_rejection(text: str, language: str, private: Iterable[str]) -> GuardRefusal | None:
    if judges(text):
        return GuardRefusal("judgement", "judges the answer")
    if protected(text):
        return GuardRefusal("protected", "asks about a protected characteristic")
    if foreign(text, language, MIN_OWN_LETTERS):
        return GuardRefusal("language", "in another language")
    if MARKUP.search(text) or quotes(text, private):
        return GuardRefusal("leak", "shows instructions")
    return None


def repeats(text: str, earlier: Sequence[str]) -> bool:
    asked, before = questions_in(text), [questions_in(one) for one in earlier]
    same = normalise(asked) in {normalise(one) for one in before}
    return same or first_alike(asked, before) is not None


def judges(text: str) -> bool:
    said = any(_pattern("judging_clauses").fullmatch(clause) for clause in clauses(text))
    return said or _pattern("judging").search(plain(text)) is not None


def protected(text: str) -> bool:
    """Return whether the text asks about age, family, faith, health, origin or the like."""
    return _pattern("protected").search(plain(text)) is not None


def safe_prefix(text: str, language: str, private: Iterable[str], earlier: Sequence[str]) -> str:
    """Return the part of an unfinished question that can be shown.

    It ends at a whole word, so that each word is checked before it is shown. It is empty while it
    could still become an earlier question.
    """
    shown, _ = cut(text if asks(text) else text.rpartition(" ")[0])
    begins = normalise(questions_in(shown))
    if not begins or any(normalise(questions_in(one)).startswith(begins) for one in earlier):
        return ""
    return "" if _content_rejection(shown, language, private) or repeats(shown, earlier) else shown


def cut_aside(
    text: str, language: str, private: Iterable[str], expected: str, question: str
) -> tuple[str, tuple[GuardFiring, ...]]:
    parts = [part for part in sentences(text) if not asks(part)]
    kept = " ".join(parts[:ASIDE])
    if not kept:
        return "", (GuardFiring("aside", "asks, and tells nothing", text),)
    if gives_away(kept, expected, question):
        return "", (GuardFiring("aside", "gives the answer away", text),)
    found = _content_rejection(kept, language, private)
    return ("", (GuardFiring("aside", found.reason, text),)) if found else (kept, ())


def gives_away(text: str, expected: str, question: str) -> bool:
    """Return whether the text shares much with the expected answer, beyond the question's words."""
    wanted = _words(expected) - _words(question)
    shared = wanted & _words(text)
    return len(shared) >= max(GIVES_AWAY_WORDS, GIVES_AWAY * len(wanted))


def _words(text: str) -> set[str]:
    return set(WORDS.findall(plain(text)))


def prompts() -> tuple[str, ...]:
    return own_prompts(PROMPTS)


@cache
def _pattern(name: str) -> re.Pattern[str]:
    lists: dict[str, list[str]] = yaml.safe_load(LEXICON.read_text(encoding="utf-8"))
    return re.compile("|".join(f"(?:{one})" for one in lists[name]))
