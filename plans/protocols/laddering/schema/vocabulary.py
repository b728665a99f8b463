"""The signals that a methodology's weights may name.

What a signal is called and which values it can have is said by one class, where it is measured, and
that is with the interviews, which plans do not know. So it is the signals that come here: each
class announces its term when it is defined. A new signal stays one class, a file is still checked
in full when it is read, and whoever reads one may bring terms of their own instead.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches


@dataclass(frozen=True, slots=True)
class Term:
    """A signal's name, the values that it can have (none: it is a number), and what it means."""

    name: str
    values: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True)
class Condition:
    """What a weight rests on: a signal with a value, or (None) a number's signal."""

    name: str
    value: str | None


_TERMS: dict[str, Term] = {}


def register_term(term: Term) -> None:
    """Makes a signal known. Two of one name are a mistake (ValueError)."""
    if term.name in _TERMS:
        raise ValueError(f"there is a signal {term.name} already")
    _TERMS[term.name] = term


def registered_terms() -> Mapping[str, Term]:
    """All signals by name. Without any no file could be judged (RuntimeError)."""
    if not _TERMS:
        raise RuntimeError("no signals are known; the interviews that measure them are not loaded")
    return dict(_TERMS)


def parse_condition(key: str, terms: Mapping[str, Term]) -> Condition | None:
    """What a weight's key means; None where it means nothing."""
    return _read(key, terms)[0]


def condition_problem(key: str, terms: Mapping[str, Term]) -> str:
    """What is wrong with a weight's key, for whoever wrote it; empty where nothing is."""
    return _read(key, terms)[1]


def unknown_signal_message(name: str, terms: Mapping[str, Term]) -> str:
    """That there is no such signal, with the one that may have been meant."""
    close = get_close_matches(name, terms, 1)
    return "is not a known signal" + (f"; did you mean “{close[0]}”?" if close else "")


def _read(key: str, terms: Mapping[str, Term]) -> tuple[Condition | None, str]:
    if key in terms:
        values = terms[key].values
        return (Condition(key, None), "") if not values else (None, _needs(values))
    name, _, value = key.rpartition(".")
    if name not in terms:
        return None, unknown_signal_message(key, terms)
    values = terms[name].values
    if value in values:
        return Condition(name, value), ""
    return None, _needs(values) if values else f"{name} is a number and takes no value"


def _needs(values: tuple[str, ...]) -> str:
    return "must end in one of its values: " + ", ".join(values)
