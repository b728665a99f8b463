"""Guards of the assessment's own: on judging, on protected characteristics, on giving it away."""

from collections.abc import Iterable
from functools import lru_cache

from interviews.engine import guards
from interviews.engine.guards import Checked, Limits
from interviews.engine.language.lists import guarded, guarded_words
from interviews.engine.language.sentences import ends_asking as asks
from interviews.engine.language.sentences import single_spaced
from interviews.engine.language.sentences import spaced_sentences as sentences
from interviews.engine.language.terms import terms
from interviews.engine.language.wishes import clauses, plain
from interviews.engine.result import GuardFiring

GIVES_AWAY = 0.3  # share of the terms of a good answer …
GIVES_AWAY_TERMS = 3  # … and their number, from which on a text gives it away


def check_question(
    text: str, limits: Limits, expected: Iterable[str] = (), planned: str = ""
) -> Checked:
    """Return the question as it may be said, without sentences before it that judge the answer.

    Nothing may be said of what good answers hold. A planned question stays what it asks.
    """
    if planned and plain(text) == plain(planned):
        return Checked(planned)
    unjudging, fired = cut(single_spaced(text))
    checked = guards.check(unjudging, limits)
    guard, reason = _question_refusal(checked.text, expected, planned, limits.language)
    if not reason:
        return Checked(checked.text, (*fired, *checked.firings))
    return Checked("", (*fired, *checked.firings, GuardFiring(guard, reason, text)))


def _question_refusal(
    text: str, expected: Iterable[str], planned: str, language: str
) -> tuple[str, str]:
    if reason := _own_refusal(text):
        return "protected" if protected(text) else "judgement", reason
    if text and any(gives_away(text, one, planned, language) for one in expected):
        return "gives_away", "gives the answer away"
    if text and planned and not guards.keeps_subject(text, planned, language):
        return "personalise", "doesn't ask what the script asks"
    return "", ""


def cut(text: str) -> tuple[str, tuple[GuardFiring, ...]]:
    parts = sentences(text)
    kept = [part for part in parts if asks(part) or not (judges(part) or _speaks_of_answer(part))]
    if len(kept) == len(parts):
        return text, ()
    return " ".join(kept), (GuardFiring("judgement", "judges the answer", text),)


def safe_prefix(text: str, limits: Limits, expected: Iterable[str] = (), planned: str = "") -> str:
    """Return the part of an unfinished question that can be shown."""
    draft = guards.safe_prefix(cut(single_spaced(text))[0], limits)
    if planned and plain(planned).startswith(plain(draft)):
        return draft
    return "" if _question_refusal(draft, expected, planned, limits.language)[1] else draft


def refuses_reply(text: str, expected: Iterable[str], question: str, language: str) -> str:
    """Return why an answer to a question back, or a rewording, may not be said; else empty."""
    if any(gives_away(text, one, question, language) for one in expected):
        return "gives the answer away"
    if any(map(_speaks_of_answer, sentences(text))):
        return "speaks of a good answer"
    return _own_refusal(text)


def _speaks_of_answer(sentence: str) -> bool:
    said = plain(sentence)
    names_it = guarded_words("speaks_of_answer").search(said) is not None
    return names_it and guarded_words("not_told").search(said) is None


def _own_refusal(text: str) -> str:
    if judges(text):
        return "judges the answer"
    return "speaks of a protected characteristic" if protected(text) else ""


def judges(text: str) -> bool:
    said = any(guarded("judging_clauses").fullmatch(clause) for clause in clauses(text))
    return said or guarded_words("judging").search(plain(text)) is not None


def protected(text: str) -> bool:
    """Return whether the text asks about age, family, faith, health, origin or the like."""
    return guarded_words("protected").search(plain(text)) is not None


def gives_away(text: str, expected: str, question: str, language: str) -> bool:
    """Return whether the text shares much with the expected answer, beyond the question's words."""
    wanted = _terms(expected, language) - _terms(question, language)
    shared = wanted & _terms(text, language)
    return len(shared) >= max(GIVES_AWAY_TERMS, GIVES_AWAY * len(wanted))


_terms = lru_cache(maxsize=512)(terms)  # of the script's texts, which are compared at each word
