"""Values that participants gave in confidence, in a file of their own with its own permission."""

import logging
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import Annotated, Any, NamedTuple

from interviews.exports.columns import Table, columns_of
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches, by_session, keys
from interviews.exports.utterances import CHUNK, IN_ORDER
from interviews.models import CollectedValue
from interviews.security.sealing import SealBroken, unseal
from interviews.turns.store import plan_content

log = logging.getLogger(__name__)


class CollectedRow(NamedTuple):
    session: ExportedSession
    field: Annotated[str, "Short name of what was asked for."]
    kind: Annotated[
        str,
        "What kind of value it is.",
        {
            "name": "a name",
            "email": "an e-mail address",
            "phone": "a phone number",
            "company": "a company",
            "role": "what somebody does",
            "free": "anything else",
        },
    ]
    label: Annotated[str, "How it was called when asked for."]
    value: Annotated[str, "What was given."]
    readable: Annotated[
        bool, "Whether the site has the key that opens it; without, the value is empty."
    ]
    at: Annotated[datetime, "When it was given (UTC)."]


def rows(selection: Selection) -> Iterator[CollectedRow]:
    fields = ("session_id", "key", "value", "created_at")
    for batch in batches(selection.with_content()):
        values = CollectedValue.objects.filter(session__in=keys(batch)).order_by(*IN_ORDER, "id")
        stored = values.values_list(*fields).iterator(chunk_size=CHUNK)
        for session, of_session in by_session(batch, stored):
            for _, key, sealed, at in of_session:
                kind, label = _describe(session.session.plan_id, key)
                value, readable = _read(sealed, session.session_id)
                yield CollectedRow(session, key, kind, label, value, readable, at)


def _read(sealed: str, session: Any) -> tuple[str, bool]:
    try:
        return unseal(sealed), True
    except SealBroken:
        log.error("a value of session %s can't be read with the data keys there are", session)
        return "", False


def _describe(plan_id: int, key: str) -> tuple[str, str]:
    """Return kind and label of a value: of a field, or of the answer that it was told in."""
    kind, _, place = key.partition("_in_")
    told = (kind, f"told in entry {place.partition('_')[0]}") if place else ("", "")
    return planned_fields(plan_id).get(key, told)


@lru_cache(maxsize=256)
def planned_fields(plan_id: int) -> dict[str, tuple[str, str]]:
    fields = getattr(plan_content(plan_id).material, "fields", ())
    return {one.key: (one.kind, one.label) for one in fields}


COLLECTED = Table(
    "collected",
    "One row a value that a participant gave in confidence: contact data above all, also what was "
    "told unasked in an answer. "
    "Keep it apart from the other tables, and delete it when its purpose is served.",
    columns_of(CollectedRow),
    rows,
    right="interviews.view_collectedvalue",
)
