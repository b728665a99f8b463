"""Rows that protocols make of their turns; each protocol registers how to save and remove them."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from interviews.models import Session

Save = Callable[[Session, Sequence[Any]], None]
Remove = Callable[[Collection[UUID]], None]


class Handlers(NamedTuple):
    save: Save
    remove: Remove | None


_handlers: dict[str, Handlers] = {}


def register(protocol: str, save: Save, remove: Remove | None = None) -> None:
    """Register how a protocol's records are saved.

    Both functions run in a transaction; `remove` gets the ids of sessions about to be deleted.
    """
    _handlers[protocol] = Handlers(save, remove)


def save_records(protocol: str, session: Session, records: Sequence[Any]) -> None:
    if records:
        _handlers[protocol].save(session, records)


def remove_records(sessions: Collection[UUID]) -> None:
    for handlers in _handlers.values():
        if handlers.remove:  # a cascade alone would leave the rows inconsistent
            handlers.remove(sessions)
