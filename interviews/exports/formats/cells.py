import json
import re
from datetime import UTC, datetime
from typing import Any

# What a spreadsheet may take for a formula, full-width signs included. Leading apostrophes count
# too, so that an added one can be told from one that was there.
FORMULA = re.compile("^'*[=+\\-@\t\r\n\0\uff1d\uff0b\uff0d\uff20]")
RISKY = frozenset("'=+-@\t\r\n\0\uff1d\uff0b\uff0d\uff20")


def escape_formula(text: str) -> str:
    """Return the text, after an apostrophe if a spreadsheet might take it for a formula."""
    return f"'{text}" if text[:1] in RISKY and FORMULA.match(text) else text


def iso(moment: datetime) -> str:
    """Return ISO 8601 in UTC with milliseconds, such as 2026-03-01T09:30:00.000Z."""
    text = moment.isoformat(timespec="milliseconds")
    if not text.endswith("+00:00"):
        text = moment.astimezone(UTC).isoformat(timespec="milliseconds")
    return f"{text[:-6]}Z"


def json_cell(value: Any) -> str:
    """Return JSON with sorted keys: databases keep them in different orders."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def encode_text(text: str) -> bytes:
    """Return UTF-8; a lone surrogate, which UTF-8 can't hold, becomes its escape."""
    return text.encode("utf-8", "backslashreplace")
