"""The signals that a methodology's weights may name.

Signals are functions in the interviews app, which plans don't import. So each registers its term
here when it is defined: adding a signal takes one function, and files are still fully checked when
they are read. Callers that read a file may also pass terms of their own.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from plans.portability.validation import did_you_mean


@dataclass(frozen=True, slots=True)
class Term:
    """A signal's name, its possible values (none: it is a number), and what it means."""

    name: str
    values: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True)
class Condition:
    """What a weight depends on: a signal with a value, or with None if it is a number."""

    name: str
    value: str | None


_TERMS: dict[str, Term] = {}


def register_term(term: Term) -> None:
    """Register a signal. Raises ValueError if the name is taken."""
    if term.name in _TERMS:
        raise ValueError(f"there is a signal {term.name} already")
    _TERMS[term.name] = term


def registered_terms() -> Mapping[str, Term]:
    """Return all signals by name. Raises RuntimeError if no signals are loaded."""
    if not _TERMS:
        raise RuntimeError("no signals are known; the interviews that measure them are not loaded")
    return dict(_TERMS)


def parse_condition(key: str, terms: Mapping[str, Term]) -> Condition | None:
    return _parse(key, terms)[0]


def condition_problem(key: str, terms: Mapping[str, Term]) -> str:
    """Return what is wrong with a weight's key, or an empty string."""
    return _parse(key, terms)[1]


def unknown_signal_message(name: str, terms: Mapping[str, Term]) -> str:
    return f"is not a known signal{did_you_mean(name, terms)}"


def _parse(key: str, terms: Mapping[str, Term]) -> tuple[Condition | None, str]:
    if key in terms:
        values = terms[key].values
        return (Condition(key, None), "") if not values else (None, _needs_value(values))
    name, _, value = key.rpartition(".")
    if name not in terms:
        return None, unknown_signal_message(key, terms)
    values = terms[name].values
    if value in values:
        return Condition(name, value), ""
    return None, _needs_value(values) if values else f"{name} is a number and takes no value"


def _needs_value(values: tuple[str, ...]) -> str:
    return "must end in one of its values: " + ", ".join(values)
