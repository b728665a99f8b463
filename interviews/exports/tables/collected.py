"""Values that participants gave in confidence, in a file of their own and with its own right."""

import logging
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple, Protocol, runtime_checkable
from uuid import UUID

from interviews.exports.columns import Column, Table, Type
from interviews.exports.selection import Selection
from interviews.exports.sessions import Facts, batches, by_session, keys, session_columns
from interviews.exports.utterances import CHUNK, IN_ORDER
from interviews.models import CollectedValue
from interviews.sealing import SealBroken, unseal
from interviews.store import plan_content

log = logging.getLogger(__name__)


class Field(Protocol):
    """One thing that a plan asks for."""

    key: str
    kind: str
    label: str


@runtime_checkable
class Collecting(Protocol):
    """Material that names what is asked for."""

    fields: tuple[Field, ...]


class Kept(NamedTuple):
    """One value as stored."""

    session_id: UUID
    key: str
    value: str
    at: datetime


class Given(NamedTuple):
    """One value, readable, with its session."""

    session: Facts
    key: str
    kind: str
    label: str
    value: str
    readable: bool
    at: datetime


def rows(chosen: Selection) -> Iterator[Given]:
    """Every value, in the order in which they were given."""
    fields = ("session_id", "key", "value", "created_at")
    for batch in batches(chosen.with_content()):
        values = CollectedValue.objects.filter(session__in=keys(batch)).order_by(*IN_ORDER, "id")
        kept = map(Kept._make, values.values_list(*fields).iterator(chunk_size=CHUNK))
        for facts, of_session in by_session(batch, kept):
            yield from (_given(facts, one) for one in of_session)


def _given(facts: Facts, kept: Kept) -> Given:
    kind, label = planned_fields(facts.session.plan_id).get(kept.key, ("", ""))
    value, readable = read(kept.value, facts.session_id)
    return Given(facts, kept.key, kind, label, value, readable, kept.at)


def read(sealed: str, session: Any) -> tuple[str, bool]:
    """The value, and whether any key opens it."""
    try:
        return unseal(sealed), True
    except SealBroken:
        log.error("a value of session %s can't be read with the data keys there are", session)
        return "", False


@lru_cache(maxsize=256)
def planned_fields(plan_id: int) -> dict[str, tuple[str, str]]:
    """Field's key -> kind and label, as the plan has them."""
    material = plan_content(plan_id).material
    fields = material.fields if isinstance(material, Collecting) else ()
    return {one.key: (one.kind, one.label) for one in fields}


COLLECTED: Table[Given] = Table(
    "collected",
    "One row a value that a participant gave in confidence, with consent: contact data above all. "
    "Keep it apart from the other tables, and delete it when its purpose is served.",
    (
        *session_columns(),
        Column("field", Type.STRING, "Short name of what was asked for.", attrgetter("key")),
        Column(
            "kind",
            Type.STRING,
            "What kind of value it is.",
            attrgetter("kind"),
            {
                "name": "a name",
                "email": "an e-mail address",
                "phone": "a phone number",
                "company": "a company",
                "role": "what somebody does",
                "free": "anything else",
            },
        ),
        Column("label", Type.STRING, "How it was called when asked for.", attrgetter("label")),
        Column("value", Type.STRING, "What was given.", attrgetter("value")),
        Column(
            "readable",
            Type.BOOLEAN,
            "Whether the site has the key that opens it; without, the value is empty.",
            attrgetter("readable"),
        ),
        Column("at", Type.DATETIME, "When it was given (UTC).", attrgetter("at")),
    ),
    rows,
    right="interviews.view_collectedvalue",
)
