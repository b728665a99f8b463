"""What a site has stored of how answers were written."""

import sqlite3
from typing import Any

from tests.browser.participant import Participant
from tests.browser.site import Site

ROWS = """
    SELECT p.*, e.text FROM interviews_paradata p
    JOIN interviews_transcriptentry e ON e.id = p.entry_id
    WHERE replace(e.session_id, '-', '') = ? ORDER BY e.position
"""
AWAY = """(away) => {
    Object.defineProperty(document, "hidden", { value: away, configurable: true });
    document.hasFocus = () => !away;
    document.dispatchEvent(new Event("visibilitychange"));
    dispatchEvent(new Event(away ? "blur" : "focus"));
}"""


def measured(site: Site, anna: Participant) -> list[dict[str, Any]]:
    """What the site has stored of her answers, in order."""
    session = anna.session_id.replace("-", "")
    with sqlite3.connect(site.data / "interviewsite.sqlite3") as database:
        database.row_factory = sqlite3.Row
        return [dict(row) for row in database.execute(ROWS, [session])]
