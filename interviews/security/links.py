"""Personal links: https://…/s/<session>/#key=<secret>, and /join/<invitation>/#key=<secret>.

Browsers never send the fragment, so the secret reaches no log and no Referer.
"""

import re
from uuid import UUID

from django.conf import settings

INVITATION = re.compile(r"/join/([0-9a-fA-F-]{36})/?")
SESSION = re.compile(r"/s/([0-9a-fA-F-]{36})/?")
KEY = re.compile(r"#key=([^&\s]+)")


def url_of(chat: str, key: str) -> str:
    return f"{chat}#key={key}"


def absolute(path: str) -> str:
    """Return a full URL, for e-mails. The site refuses to start with mail but no SITE_URL."""
    return f"{settings.SITE_URL}{path}"


def key_in(link: str) -> str:
    match = KEY.search(link)
    return match[1] if match else ""


def id_in(link: str, address: re.Pattern[str]) -> UUID | None:
    """Return whose link it is, if it has that form: SESSION or INVITATION."""
    match = address.search(link)
    try:
        return UUID(match[1]) if match else None
    except ValueError:
        return None
