"""Personal links: https://…/s/<session>/#key=<secret>.

The secret stands in the fragment, which browsers never send: it reaches no log and no Referer.
"""

import re
from uuid import UUID

SESSION = re.compile(r"/s/([0-9a-fA-F-]{36})/?")
KEY = re.compile(r"#key=([^&\s]+)")


def url_of(chat: str, key: str) -> str:
    """The personal link for a chat's address."""
    return f"{chat}#key={key}"


def session_in(link: str) -> UUID | None:
    """The session that a pasted link leads to."""
    found = SESSION.search(link)
    try:
        return UUID(found.group(1)) if found else None
    except ValueError:
        return None


def key_in(link: str) -> str:
    """The secret of a pasted link, or nothing."""
    found = KEY.search(link)
    return found.group(1) if found else ""
