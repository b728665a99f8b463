"""Who was invited, in a file of their own: names and addresses of people who were asked by name."""

from collections.abc import Iterator
from typing import NamedTuple

from interviews.exports.columns import Column, Table, Type
from interviews.exports.selection import Selection
from interviews.exports.sessions import SHARED, Facts, batches, session_columns
from interviews.models import Invitation


class Invited(NamedTuple):
    """One interview and the invitation that it came by."""

    session: Facts
    invitation: Invitation


def rows(chosen: Selection) -> Iterator[Invited]:
    """One for each interview that came by an invitation which is still there."""
    by_invitation = chosen.with_content().exclude(invitation=None)
    for batch in batches(by_invitation):
        keys = {facts.session.invitation_id for facts in batch if facts.session.invitation_id}
        found = Invitation.objects.in_bulk(keys)
        for facts in batch:
            if facts.session.invitation_id in found:
                yield Invited(facts, found[facts.session.invitation_id])


INVITED: Table[Invited] = Table(
    "invited",
    "One row an interview that came by a personal invitation, with the contact data of whoever "
    "was invited. Keep it apart from the other tables: with it, the pseudonyms are none.",
    (
        *session_columns(),
        Column(
            "invitation",
            Type.STRING,
            "The invitation's id (UUID).",
            lambda row: str(row.invitation.pk),
        ),
        Column(
            "reference",
            Type.STRING,
            "The person's number in your own records.",
            lambda row: row.invitation.reference,
        ),
        Column("name", Type.STRING, "The name as invited.", lambda row: row.invitation.name),
        Column("email", Type.STRING, "The e-mail address.", lambda row: row.invitation.email),
    ),
    rows,
    shared=SHARED,
    right="interviews.view_contacts",
)
