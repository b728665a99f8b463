"""Guards of the assessment's own: on judging, on protected characteristics, on giving it away."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from interviews.engine import guards
from interviews.engine.guards import Checked, Limits
from interviews.engine.language.lists import GuardName, guarded_words
from interviews.engine.language.negation import negates
from interviews.engine.language.sentences import ends_asking as asks
from interviews.engine.language.sentences import single_spaced
from interviews.engine.language.sentences import spaced_sentences as sentences
from interviews.engine.language.terms import terms
from interviews.engine.language.wishes import clauses, plain
from interviews.engine.result import GuardFiring

REASONS = {"judgement": "judges the answer", "protected": "speaks of a protected characteristic"}
GIVES_AWAY = 0.3  # share of the terms of a good answer …
GIVES_AWAY_TERMS = 3  # … and their number, from which on a text gives it away


def check_question(
    text: str, limits: Limits, expected: Iterable[str] = (), planned: str = ""
) -> Checked:
    """Return the question as it may be said, without sentences before it that may not.

    Nothing may be said of what good answers hold. A planned question stays what it asks.
    """
    if planned and plain(text) == plain(planned):
        return Checked(planned)
    unjudging, fired = cut(single_spaced(text), limits.language)
    checked = guards.check(unjudging, limits)
    guard, reason = _question_refusal(checked.text, expected, planned, limits.language)
    if not reason:
        return Checked(checked.text, (*fired, *checked.firings))
    return Checked("", (*fired, *checked.firings, GuardFiring(guard, reason, text)))


def _question_refusal(
    text: str, expected: Iterable[str], planned: str, language: str
) -> tuple[str, str]:
    if guard := next(_own_refusals(text, language), ""):
        return guard, REASONS[guard]
    if text and any(gives_away(text, one, planned, language) for one in expected):
        return "gives_away", "gives the answer away"
    if text and planned and not guards.keeps_subject(text, planned, language):
        return "personalise", "doesn't ask what the script asks"
    return "", ""


def cut(text: str, language: str) -> tuple[str, tuple[GuardFiring, ...]]:
    """Return the text without sentences that may not stand before its question; and what fired."""
    kept, firings = [], []
    for part in sentences(text):
        found = () if asks(part) else (*_own_refusals(part, language),)
        kept += [] if found else [part]
        firings += [GuardFiring(guard, REASONS[guard], text) for guard in found[:1]]
    return " ".join(kept), tuple(firings)


def safe_prefix(text: str, limits: Limits, expected: Iterable[str] = (), planned: str = "") -> str:
    """Return the part of an unfinished question that can be shown."""
    draft = guards.safe_prefix(cut(single_spaced(text), limits.language)[0], limits)
    if planned and plain(planned).startswith(plain(draft)):
        return draft
    return "" if _question_refusal(draft, expected, planned, limits.language)[1] else draft


def refuses_reply(text: str, expected: Iterable[str], question: str, language: str) -> str:
    """Return why an answer to a question back, or a rewording, may not be said; else empty."""
    if any(gives_away(text, one, question, language) for one in expected):
        return "gives the answer away"
    refusals = (one for part in sentences(text) for one in _own_refusals(part, language))
    return REASONS.get(next(refusals, ""), "")


def _own_refusals(text: str, language: str) -> Iterator[str]:
    """Yield the guards of this protocol that refuse it."""
    if judges(text, language) or _speaks_of_answer(text, language):
        yield "judgement"
    if protected(text, language):
        yield "protected"


def _speaks_of_answer(text: str, language: str) -> bool:
    """Return whether a statement is about a good answer, and doesn't say that it can't be told."""
    named = guarded_words("speaks_of_answer", language).search(plain(text)) is not None
    return named and not (asks(text) or negates(text, language))


def judges(text: str, language: str) -> bool:
    return _in_clause("judging", text, language)


def protected(text: str, language: str) -> bool:
    """Return whether the text asks about age, family, faith, health, origin or the like."""
    return _in_clause("protected", text, language)


def _in_clause(name: GuardName, text: str, language: str) -> bool:
    return any(map(guarded_words(name, language).search, clauses(text)))


def gives_away(text: str, expected: str, question: str, language: str) -> bool:
    """Return whether the text shares much with the expected answer, beyond the question's words."""
    wanted = _terms(expected, language) - _terms(question, language)
    shared = wanted & _terms(text, language)
    return len(shared) >= max(GIVES_AWAY_TERMS, GIVES_AWAY * len(wanted))


_terms = lru_cache(maxsize=512)(terms)  # of the script's texts, which are compared at each word
