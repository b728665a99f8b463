"""Sends one message over SMTP and classifies the server's refusals.

Reasons are logged and shown to people who may not see addresses, so they contain neither addresses
nor anything of the letter.
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

ADDRESS = re.compile(r"(?<![^\s<>()\[\],;:@])[^\s<>()\[\],;:@]++@[^\s<>()\[\],;:]+")
LONGEST_SUBJECT = 200
PERMANENT = range(500, 600)  # codes of servers that won't accept it later either


def send(mail: Mail, message: EmailMessage) -> None:
    """Send the message to this letter's address only.

    Raises PermanentFailure if the server refuses it for good, JobFailed if it may accept it later.
    """
    try:
        validate_email(mail.to)
    except ValidationError:
        raise PermanentFailure("This is not an e-mail address.") from None
    message.to, message.cc, message.bcc = [mail.to], [], []
    message.subject = header_line(str(message.subject))
    message.from_email = " ".join(message.from_email.split())
    message.body = _encodable(str(message.body))
    message.extra_headers |= {
        "Message-ID": message_id(mail),
        "Auto-Submitted": "auto-generated",  # asks for no out-of-office replies
    }
    try:
        message.send()
    except smtplib.SMTPRecipientsRefused as error:
        raise _failure(*next(iter(error.recipients.values()))) from None
    except (smtplib.SMTPSenderRefused, smtplib.SMTPDataError) as error:
        raise _failure(error.smtp_code, error.smtp_error) from None
    except smtplib.SMTPResponseException as error:  # greeting or login: a fault of our set-up
        raise JobFailed(_answer(error.smtp_code, error.smtp_error)) from None
    except (smtplib.SMTPException, OSError) as error:
        raise JobFailed(f"Can't reach the mail server: {type(error).__name__}.") from None


def message_id(mail: Mail) -> str:
    host = urlsplit(settings.SITE_URL).hostname or "localhost"
    return f"<letter.{mail.pk}.{mail.created_at:%Y%m%d%H%M%S%f}@{host}>"


def header_line(text: str) -> str:
    return " ".join(_encodable(text).split())[:LONGEST_SUBJECT]


def _encodable(text: str) -> str:
    """Replace lone surrogates, which can't be encoded."""
    return text.encode(errors="replace").decode()


def _failure(code: int, answer: bytes | str) -> JobFailed:
    return (PermanentFailure if code in PERMANENT else JobFailed)(_answer(code, answer))


def _answer(code: int, answer: bytes | str) -> str:
    text = answer.decode(errors="replace") if isinstance(answer, bytes) else answer
    return f"The mail server answered: {code} {ADDRESS.sub('…', ' '.join(text.split()))}"
