"""Personal links: https://…/s/<session>/#key=<secret>, and /join/<invitation>/#key=<secret>.

The secret stands in the fragment, which browsers never send: it reaches no log and no Referer.
"""

import re
from uuid import UUID

from django.conf import settings

INVITATION = re.compile(r"/join/([0-9a-fA-F-]{36})/?")
SESSION = re.compile(r"/s/([0-9a-fA-F-]{36})/?")
KEY = re.compile(r"#key=([^&\s]+)")


def url_of(chat: str, key: str) -> str:
    """The personal link for a chat's address."""
    return f"{chat}#key={key}"


def absolute(path: str) -> str:
    """The whole address of a path of this site, for letters, which no request tells where we are.

    The site refuses to serve with a mail server and without SITE_URL.
    """
    return f"{settings.SITE_URL}{path}"


def session_in(link: str) -> UUID | None:
    """The session that a pasted link leads to."""
    return _id_in(SESSION, link)


def invitation_in(link: str) -> UUID | None:
    """The invitation that a pasted link leads to."""
    return _id_in(INVITATION, link)


def key_in(link: str) -> str:
    """The secret of a pasted link, or nothing."""
    found = KEY.search(link)
    return found.group(1) if found else ""


def _id_in(address: re.Pattern[str], link: str) -> UUID | None:
    found = address.search(link)
    try:
        return UUID(found.group(1)) if found else None
    except ValueError:
        return None
