"""Rows that protocols make of their turns; each protocol registers how to save and remove them."""

from collections.abc import Callable, Collection, Sequence
from typing import Any
from uuid import UUID

from interviews.models import Session

Save = Callable[[Session, Sequence[Any]], None]
Remove = Callable[[Collection[UUID]], None]


# by protocol; `remove` is None where a cascade is enough
_handlers: dict[str, tuple[Save, Remove | None]] = {}


def register(protocol: str, save: Save, remove: Remove | None = None) -> None:
    """Register how a protocol's records are saved.

    Both functions run in a transaction; `remove` gets the ids of sessions about to be deleted.
    """
    _handlers[protocol] = (save, remove)


def save_records(protocol: str, session: Session, records: Sequence[Any]) -> None:
    if records:
        save, _remove = _handlers[protocol]
        save(session, records)


def remove_records(sessions: Collection[UUID]) -> None:
    for _save, remove in _handlers.values():
        if remove is not None:
            remove(sessions)
