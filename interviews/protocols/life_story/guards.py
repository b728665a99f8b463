from collections.abc import Iterable

from interviews.engine import guards
from interviews.engine.guards import Checked, Limits
from interviews.engine.language.sentences import asks, single_spaced
from interviews.engine.language.terms import shared_terms, terms
from interviews.engine.language.wishes import plain
from interviews.engine.result import GuardFiring

SHARED = 0.3  # least share of the script's words that an adapted question keeps


def adapted_question(text: str, scripted: str, limits: Limits) -> Checked:
    """Return a personalised question, or the script's own words if it asks something else.

    A script's "question" may be a request ("Tell me about …"), and so may the adapted one.
    """
    adapted = single_spaced(text)
    if plain(adapted) == plain(scripted):
        return Checked(scripted)
    checked = _check(adapted, scripted, limits)
    if checked.text and keeps_subject(checked.text, scripted, limits.language):
        return checked
    firing = GuardFiring("personalise", "doesn't ask what the script asks", text)
    return Checked(scripted, checked.firings or (firing,))


def safe_adapted(text: str, scripted: str, limits: Limits) -> str:
    """Return as much of a personalised question still being written as will be said.

    That it asks what the script asks shows only once it has named it.
    """
    shown = guards.safe_prefix(text, limits)
    as_scripted = plain(scripted).startswith(plain(text))
    return shown if as_scripted or keeps_subject(shown, scripted, limits.language) else ""


def _check(adapted: str, scripted: str, limits: Limits) -> Checked:
    if asks(scripted) or asks(adapted):
        return guards.check(adapted, limits)
    return guards.check_statement(adapted, limits, guards.STATEMENTS)


def keeps_subject(text: str, scripted: str, language: str) -> bool:
    wanted = terms(scripted, language)
    return len(wanted & terms(text, language)) >= SHARED * len(wanted)


def is_about(question: str, subjects: Iterable[str], language: str) -> bool:
    """Return whether a question names all of a subject, so that it can only be about it."""
    said = terms(question, language)
    wanted = [terms(subject, language) for subject in subjects]
    return any(one and shared_terms(one, said) == one for one in wanted)
