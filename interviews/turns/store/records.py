"""Rows of their own that protocols make of turns: each registers how they are saved and removed."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from interviews.models import Session

Save = Callable[[Session, Sequence[Any]], None]
Remove = Callable[[Collection[UUID]], None]


class Handlers(NamedTuple):
    """How the records of one protocol are saved and, where a cascade won't do, removed."""

    save: Save
    remove: Remove | None


_handlers: dict[str, Handlers] = {}


def register(protocol: str, save: Save, remove: Remove | None = None) -> None:
    """Says how the records in this protocol's moves become rows.

    Both run within a transaction; `remove` gets the keys of interviews that are about to go.
    """
    _handlers[protocol] = Handlers(save, remove)


def save_records(protocol: str, session: Session, records: Sequence[Any]) -> None:
    """Saves what a turn brought. Raises KeyError for a protocol that registered nothing."""
    if records:
        _handlers[protocol].save(session, records)


def remove_records(sessions: Collection[UUID]) -> None:
    """Removes the rows of these interviews that a cascade alone would leave inconsistent."""
    for handlers in _handlers.values():
        if handlers.remove:
            handlers.remove(sessions)
