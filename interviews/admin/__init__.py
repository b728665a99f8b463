"""The admin of the fieldwork: to read, to export and to delete, never to change.

    base          what all of them share
    sessions, participants, entries, turns     the models
    listing       what their lists read, and how they are searched
    extensions    what protocols can add to an interview's page and list
    rated         how interviews were for those who gave them
    trace         an interview with the trace of every turn, for its page
    collected     what was given in confidence, for who may see it
    invitations   who is invited; beside it their forms, filters, the page for many, what is done
    looking       signs of distress: who has looked at them
    mails         letters, and sending again what failed
    deleting      what goes with an interview, and its going
    exporting     the page of exports

Access keys are not shown anywhere.
"""

from interviews.admin.entries import EntryAdmin
from interviews.admin.invitations import InvitationAdmin
from interviews.admin.mails import MailAdmin
from interviews.admin.participants import ParticipantAdmin
from interviews.admin.sessions import SessionAdmin
from interviews.admin.turns import TurnAdmin

__all__ = [
    "EntryAdmin",
    "InvitationAdmin",
    "MailAdmin",
    "ParticipantAdmin",
    "SessionAdmin",
    "TurnAdmin",
]
