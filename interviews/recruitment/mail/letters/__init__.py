"""What each kind of letter says.

A letter is a function of its row that gives a message with subject and words, under the language of
whoever it is to; it raises Cancelled when it shouldn't go out any more. It is named here and
looked up when it is written, since what a letter is about may itself wish for letters.
"""

from collections.abc import Callable
from typing import cast

from django.core.mail import EmailMessage
from django.utils.module_loading import import_string

from interviews.models import Mail

Letter = Callable[[Mail], EmailMessage]
LETTERS: dict[str, str] = {
    Mail.Kind.ALERT: "interviews.recruitment.mail.letters.alerts.alert",
    Mail.Kind.INVITATION: "interviews.recruitment.mail.letters.invitations.invitation",
    Mail.Kind.REMINDER: "interviews.recruitment.mail.letters.invitations.reminder",
}


def letter_of(mail: Mail) -> EmailMessage:
    """The letter in words. Raises Cancelled."""
    return cast(Letter, import_string(LETTERS[mail.kind]))(mail)
