"""One row a day."""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from interviews.exports.columns import Table, columns_of
from interviews.exports.registry import register
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches, keys
from interviews.models import Session


class DayRow(NamedTuple):
    session: ExportedSession
    day: Annotated[int, "Number of the day, from 1."]
    entry: Annotated[str, "What was written."]


def rows(chosen: Selection) -> Iterator[DayRow]:
    for batch in batches(chosen.with_content()):
        states = dict(Session.objects.filter(pk__in=keys(batch)).values_list("pk", "state"))
        for session in batch:
            for day, entry in enumerate(states[session.session.pk].get("entries", ()), start=1):
                yield DayRow(session, day, entry)


register(Table("days", "One row a day of a diary.", columns_of(DayRow), rows), position=80)
