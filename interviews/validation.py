from django.conf import settings
from django.utils.translation import gettext as _

from plans.text import tidy

LONGEST_NAME = 200
LONGEST_ID = 64
CODES = {  # by HTTP status
    401: ("unauthorized",),
    403: (
        *("not_open", "closed_now", "full", "screened", "declined", "by_invitation"),
        *("foreign_origin", "forbidden"),
    ),
    404: ("unknown_bot", "unknown_table", "unknown_export"),
    409: (
        *("busy", "outdated", "ended", "invitation_over", "invitation_used", "not_ready"),
        *("not_over", "not_asked", "consent_changed", "already_given", "begun_elsewhere"),
    ),
    413: ("too_long",),
    415: ("not_json",),
    422: ("empty", "bad_message_id", "incomplete_link", "bad_filter"),
    429: ("too_many",),
    503: ("crowded", "unavailable"),
}
STATUS = {code: status for status, codes in CODES.items() for code in codes}


class RequestRefused(Exception):
    """A request that can't be accepted; `code` decides the HTTP status.

    `message` says why in plain words. `retry_after` is in seconds, 0 if unknown.
    """

    def __init__(self, code: str, message: str, retry_after: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.status = STATUS[code]
        self.message = message
        self.retry_after = retry_after


def unavailable() -> RequestRefused:
    message = _("The site can’t reach its data right now. Please try again in a moment.")
    return RequestRefused("unavailable", message, retry_after=1)


def answer(text: str) -> str:
    clean = tidy(text)
    if len(clean) > settings.MAX_ANSWER:
        message = _("Your answer is longer than %(most)s characters. Please shorten it.")
        raise RequestRefused("too_long", message % {"most": f"{settings.MAX_ANSWER:,}"})
    if not clean:
        raise RequestRefused("empty", _("Write something first."))
    return clean


def message_id(given: str) -> str:
    clean = tidy(given)
    if not clean or len(clean) > LONGEST_ID:
        raise RequestRefused("bad_message_id", _("The message's id must have 1 to 64 characters."))
    return clean


def name(given: str) -> str:
    return " ".join(tidy(given).split())[:LONGEST_NAME]
