"""Where an export stands: the rest of its pages, or what changes after it.

A cursor is opaque to clients and belongs to the table and filters that it came with.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from uuid import UUID

from django.db.models import Q

from interviews.exports.columns import AnyTable
from interviews.exports.selection import Selection

OVERLAP = timedelta(minutes=1)  # longer than any transaction that may not be visible yet
MOST = 5_000  # interviews of a page
NOBODY = UUID(int=0)


class BadCursor(ValueError):
    """This is no cursor, or one of another export."""


@dataclass(frozen=True)
class Cursor:
    """`since`: only what changed; `until`: where the next export begins; `after`: the next page."""

    since: datetime | None = None
    until: datetime | None = None
    after: tuple[datetime, UUID] | None = None


@dataclass(frozen=True)
class Page:
    selection: Selection
    cursor: Cursor  # of the next page, or of what changes from now on
    has_more: bool


def page_of(selection: Selection, cursor: Cursor, limit: int | None, now: datetime) -> Page:
    """Return the next interviews: `limit` at most, or without one all of them."""
    until = cursor.until or now - OVERLAP
    selection = replace(selection, changed_since=cursor.since)
    if not limit and not cursor.after:
        return Page(selection, Cursor(until), has_more=False)
    rows, limit = selection.queryset(), limit or MOST
    if cursor.after:
        at, pk = cursor.after
        rows = rows.filter(Q(started_at__gt=at) | Q(started_at=at, pk__gt=pk))
    found = list(rows.values_list("started_at", "pk")[: limit + 1])
    has_more, found = len(found) > limit, found[:limit]
    coming = replace(cursor, until=until, after=found[-1]) if has_more else Cursor(until)
    keys = tuple(pk for _, pk in found) or (NOBODY,)
    return Page(replace(selection, sessions=keys), coming, has_more)


def encode(cursor: Cursor, table: AnyTable, selection: Selection) -> str:
    since, until, after = cursor.since, cursor.until, cursor.after
    position = (after[0].isoformat(), after[1].hex) if after else ("", "")
    times = (since.isoformat() if since else "", until.isoformat() if until else "")
    fields = " ".join([_mark(table, selection), *times, *position])
    return urlsafe_b64encode(fields.encode()).decode().rstrip("=")


def decode(text: str, table: AnyTable, selection: Selection) -> Cursor:
    """Raises BadCursor."""
    try:
        fields = urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()
        mark, since, until, at, pk = fields.split(" ")
        after = (_time(at), UUID(pk)) if pk else None
        since_at, until_at = (_time(one) if one else None for one in (since, until))
        cursor = Cursor(since_at, until_at, after)
    except (ValueError, OverflowError) as error:
        raise BadCursor("This is no cursor of an export.") from error
    if mark != _mark(table, selection):
        raise BadCursor("This cursor came with another table or other filters.")
    return cursor


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def _mark(table: AnyTable, selection: Selection) -> str:
    filters = json.dumps([table.name, selection.as_dict()], sort_keys=True)
    return sha256(filters.encode()).hexdigest()[:12]
