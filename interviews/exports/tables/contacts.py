"""Names, in a file of their own: the key from pseudonyms to people."""

from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from interviews.exports.columns import Column, Table, Type
from interviews.exports.selection import Selection
from interviews.exports.sessions import SHARED, Facts, batches, session_columns
from interviews.models import Participant


class Contact(NamedTuple):
    """One interview and who gave it."""

    session: Facts
    name: str


def rows(chosen: Selection) -> Iterator[Contact]:
    """One for each interview that has a participant."""
    for batch in batches(chosen.with_content()):
        people = {key for facts in batch if (key := facts.session.participant_id)}
        names = dict(Participant.objects.filter(pk__in=people).values_list("pk", "name"))
        for facts in batch:
            if facts.session.participant_id is not None:
                yield Contact(facts, names[facts.session.participant_id])


CONTACTS: Table[Contact] = Table(
    "contacts",
    "One row an interview, with the name that its participant gave. Keep it apart from the other "
    "tables: with it, the pseudonyms are none.",
    (
        *session_columns(),
        Column("name", Type.STRING, "The name as given.", attrgetter("name")),
    ),
    rows,
    shared=SHARED,
    right="interviews.view_participant",
)
