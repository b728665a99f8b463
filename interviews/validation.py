import re
import unicodedata

from django.conf import settings
from django.utils.translation import gettext as _

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # all of Cc but tab and line feed
SURROGATE = re.compile(r"[\ud800-\udfff]")
LONGEST_NAME = 200
LONGEST_ID = 64


class RequestRefused(Exception):
    """A request that can't be accepted; `code` decides the HTTP status.

    `message` says why in plain words. `retry_after` is in seconds, 0 if unknown.
    """

    STATUS = {
        "too_long": 413,
        "empty": 422,
        "bad_message_id": 422,
        "busy": 409,
        "outdated": 409,
        "ended": 409,
        "not_open": 403,
        "closed_now": 403,
        "full": 403,
        "screened": 403,
        "declined": 403,
        "by_invitation": 403,
        "invitation_over": 409,
        "invitation_used": 409,
        "too_many": 429,
        "crowded": 503,
        "not_ready": 409,
        "unknown_bot": 404,
        "not_over": 409,
        "not_asked": 409,
        "incomplete_link": 422,
        "consent_changed": 409,
        "already_given": 409,
        "begun_elsewhere": 409,
        "foreign_origin": 403,
        "not_json": 415,
        "unavailable": 503,
        "unauthorized": 401,
        "forbidden": 403,
        "unknown_table": 404,
        "unknown_export": 404,
        "bad_filter": 422,
    }

    def __init__(self, code: str, message: str, retry_after: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.status = self.STATUS[code]
        self.message = message
        self.retry_after = retry_after


def unavailable() -> RequestRefused:
    message = _("The site can’t reach its data right now. Please try again in a moment.")
    return RequestRefused("unavailable", message, retry_after=1)


def normalised(text: str) -> str:
    """Return NFC text without control characters, lone surrogates or carriage returns."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return unicodedata.normalize("NFC", SURROGATE.sub("\ufffd", CONTROL.sub("", lines)))


def answer(text: str) -> str:
    clean = normalised(text).strip()
    if len(clean) > settings.MAX_ANSWER:
        message = _("Your answer is longer than %(most)s characters. Please shorten it.")
        raise RequestRefused("too_long", message % {"most": f"{settings.MAX_ANSWER:,}"})
    if not clean:
        raise RequestRefused("empty", _("Write something first."))
    return clean


def message_id(given: str) -> str:
    clean = normalised(given).strip()
    if not clean or len(clean) > LONGEST_ID:
        raise RequestRefused("bad_message_id", _("The message's id must have 1 to 64 characters."))
    return clean


def name(given: str) -> str:
    return " ".join(normalised(given).split())[:LONGEST_NAME]
