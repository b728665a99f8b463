"""The letters by kind.

A letter is a function from its row to a message in the recipient's language; it raises Cancelled if
it should no longer be sent. Dotted names, since a letter's subject may itself request letters.
"""

from collections.abc import Callable
from typing import cast

from django.core.mail import EmailMessage
from django.utils.module_loading import import_string

from interviews.models import Mail

Letter = Callable[[Mail], EmailMessage]
LETTERS: dict[str, str] = {
    Mail.Kind.ALERT: "interviews.recruitment.mail.letters.staff.alert",
    Mail.Kind.INVITATION: "interviews.recruitment.mail.letters.invitations.invitation",
    Mail.Kind.REMINDER: "interviews.recruitment.mail.letters.invitations.reminder",
    Mail.Kind.EXPORT: "interviews.recruitment.mail.letters.staff.export_ready",
}


def letter_of(mail: Mail) -> EmailMessage:
    return cast(Letter, import_string(LETTERS[mail.kind]))(mail)
