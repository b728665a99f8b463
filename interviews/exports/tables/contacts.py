"""Names and addresses: tables to keep apart, each with a permission of its own."""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from interviews.exports.columns import Table, columns_of
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches
from interviews.models import Invitation, Participant


class ContactRow(NamedTuple):
    session: ExportedSession
    name: Annotated[str, "The name as given."]


def contact_rows(selection: Selection) -> Iterator[ContactRow]:
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
    contact_rows,
    right="interviews.view_participant",
)


class InvitedRow(NamedTuple):
    session: ExportedSession
    invitation: Annotated[str, "The invitation's id (UUID)."]
    reference: Annotated[str, "The person's number in your own records."]
    name: Annotated[str, "The name as invited."]
    email: Annotated[str, "The e-mail address."]


def invited_rows(selection: Selection) -> Iterator[InvitedRow]:
    for batch in batches(selection.with_content().exclude(invitation=None)):
        keys = {key for session in batch if (key := session.session.invitation_id)}
        invitations = Invitation.objects.in_bulk(keys)
        for session in batch:
            if one := invitations.get(session.session.invitation_id):
                yield InvitedRow(session, str(one.pk), one.reference, one.name, one.email)


INVITED = Table(
    "invited",
    "One row an interview that came by a personal invitation, with the contact data of whoever "
    "was invited. Keep it apart from the other tables: with it, the pseudonyms are none.",
    columns_of(InvitedRow),
    invited_rows,
    right="interviews.view_contacts",
)
