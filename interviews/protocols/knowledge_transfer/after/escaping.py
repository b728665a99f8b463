"""Words that go into Markdown as words: whatever they hold, none of it becomes markup."""

import re

from plans.text import tidy

MARKS = re.compile(
    r"[\\`*\[\]>&|~#$@]|(?<![^\W_])_|_(?![^\W_])"
)  # an underscore within a name may stay
TAG = "<"  # escaped as an entity, since old readers take a backslash before it as it is
FIRST = re.compile(r"^(\d{1,9})(?=[.)])|^(?=[+\-=:])")
ADDRESS = re.compile(r":(?=//)|(?<=\bwww)\.", re.I)  # some readers make links of bare ones
TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")  # would turn the text after them, too


def words(text: str) -> str:
    """The text on one line, escaped for Markdown, its tables included."""
    line = " ".join(TURNING.sub("", tidy(text)).split())
    escaped = ADDRESS.sub(r"\\\g<0>", MARKS.sub(r"\\\g<0>", line))
    return FIRST.sub(r"\g<0>\\", escaped).replace(TAG, "&lt;")
