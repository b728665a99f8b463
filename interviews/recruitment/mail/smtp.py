"""One message over SMTP, and what it means when the server doesn't take it.

Reasons are shown to people who may not see addresses and written to the log, so there are none in
them; nor is any word of the letter.
"""

import re
import smtplib
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.core.validators import validate_email

from interviews.models import Mail
from plans.jobs import JobFailed, PermanentFailure

ADDRESS = re.compile(r"[^\s<>()\[\],;:@]+@[^\s<>()\[\],;:]+")
LONGEST_SUBJECT = 200
FOR_GOOD = range(500, 600)  # what a server answers that won't take it later either


def send(mail: Mail, message: EmailMessage) -> None:
    """Hands the message to the mail server, to this letter's address alone.

    Raises PermanentFailure with the server's words if it won't have it, JobFailed if it may do so
    later.
    """
    message.to, message.cc, message.bcc = [_address(mail)], [], []
    message.subject = header_line(str(message.subject))
    message.from_email = " ".join(message.from_email.split())
    message.body = _sayable(str(message.body))
    message.extra_headers |= {
        "Message-ID": message_id(mail),
        "Auto-Submitted": "auto-generated",  # so that no holiday note comes back
    }
    try:
        message.send()
    except smtplib.SMTPRecipientsRefused as error:
        code, said = next(iter(error.recipients.values()))
        raise _refused(code, said) from None
    except (smtplib.SMTPSenderRefused, smtplib.SMTPDataError) as error:
        raise _refused(error.smtp_code, error.smtp_error) from None
    except smtplib.SMTPResponseException as error:  # of the greeting or the login: ours to mend
        raise JobFailed(_words(error.smtp_code, error.smtp_error)) from None
    except (smtplib.SMTPException, OSError) as error:
        raise JobFailed(f"Talking to the mail server failed: {type(error).__name__}.") from None


def message_id(mail: Mail) -> str:
    """The same for every copy of one letter."""
    host = urlsplit(settings.SITE_URL).hostname or "localhost"
    return f"<letter.{mail.pk}.{mail.created_at:%Y%m%d%H%M%S%f}@{host}>"


def header_line(text: str) -> str:
    """The text as a header takes it: one line, not too long."""
    return " ".join(_sayable(text).split())[:LONGEST_SUBJECT]


def _address(mail: Mail) -> str:
    """Where it goes. Raises PermanentFailure for what is none."""
    try:
        validate_email(mail.to)
    except ValidationError:
        raise PermanentFailure("This is not an e-mail address.") from None
    return mail.to


def _sayable(text: str) -> str:
    """Without halves of characters, which no letter can carry."""
    return text.encode(errors="replace").decode()


def _refused(code: int, said: bytes | str) -> JobFailed:
    return (PermanentFailure if code in FOR_GOOD else JobFailed)(_words(code, said))


def _words(code: int, said: bytes | str) -> str:
    """What the server answered, in one line and without addresses."""
    text = said.decode(errors="replace") if isinstance(said, bytes) else said
    return f"The mail server answered: {code} {ADDRESS.sub('…', ' '.join(text.split()))}"
