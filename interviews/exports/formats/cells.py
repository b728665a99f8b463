"""How values are written, in whichever format."""

import re
from datetime import UTC, datetime
from typing import Any

# What a spreadsheet may take for a formula when it stands first, the full-width signs included.
# Apostrophes before it count too, so that what is added can be told from what was there.
FORMULA = re.compile("'*[=+\\-@\t\r\n\0\uff1d\uff0b\uff0d\uff20]")
RISKY = frozenset("'=+-@\t\r\n\0\uff1d\uff0b\uff0d\uff20")


def defused(text: str) -> str:
    """The text with an apostrophe before it where a spreadsheet might take it for a formula."""
    return f"'{text}" if text[:1] in RISKY and FORMULA.match(text) else text


def as_written(cell: str) -> str:
    """The text that `defused` was given."""
    return cell[1:] if cell[:1] == "'" and FORMULA.match(cell, 1) else cell


def iso(moment: datetime) -> str:
    """ISO 8601 in UTC with milliseconds, such as 2026-03-01T09:30:00.000Z."""
    text = moment.isoformat(timespec="milliseconds")
    if not text.endswith("+00:00"):
        text = moment.astimezone(UTC).isoformat(timespec="milliseconds")
    return f"{text[:-6]}Z"


def encoded(text: str) -> bytes:
    """UTF-8; a lone surrogate, which UTF-8 can't hold, becomes its escape."""
    return text.encode("utf-8", "backslashreplace")


def text_or_none(value: Any) -> str | None:
    return None if value is None else str(value)
