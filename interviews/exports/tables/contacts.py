from collections.abc import Iterator
from typing import Annotated, NamedTuple

from interviews.exports.columns import Table, columns_of
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches
from interviews.models import Participant


class ContactRow(NamedTuple):
    session: ExportedSession
    name: Annotated[str, "The name as given."]


def rows(selection: Selection) -> Iterator[ContactRow]:
    for batch in batches(selection.with_content()):
        people = {key for session in batch if (key := session.session.participant_id)}
        names = dict(Participant.objects.filter(pk__in=people).values_list("pk", "name"))
        for session in batch:
            if session.session.participant_id is not None:
                yield ContactRow(session, names[session.session.participant_id])


CONTACTS = Table(
    "contacts",
    "One row an interview, with the name that its participant gave. Keep it apart from the other "
    "tables: with it, the pseudonyms are none.",
    columns_of(ContactRow),
    rows,
    right="interviews.view_participant",
)
