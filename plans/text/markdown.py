"""Markdown of models and people as HTML that is safe to show, and plain words as Markdown."""

import re
from functools import cache

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from plans.text import tidy

MARKS = re.compile(
    r"[\\`*\[\]>&|~#$@]|(?<![^\W_])_|_(?![^\W_])"
)  # an underscore within a name may stay
TAG = "<"  # escaped as an entity, since old readers take a backslash before it as it is
FIRST = re.compile(r"^(\d{1,9})(?=[.)])|^(?=[+\-=:])")
ADDRESS = re.compile(r":(?=//)|(?<=\bwww)\.", re.I)  # some readers make links of bare ones
TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")  # would turn the text after them, too


@cache
def reader() -> MarkdownIt:
    """Without HTML of its own, and without pictures, which would be fetched from elsewhere."""
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


def as_html(text: str) -> SafeString:
    """The text as HTML; tags in it are shown as they are written, unsafe links as text."""
    html: str = reader().render(text)
    return mark_safe(html)  # noqa: S308  # markdown-it escapes all else


def as_words(text: str) -> str:
    """The text on one line, escaped for Markdown, its tables included."""
    line = " ".join(TURNING.sub("", tidy(text)).split())
    escaped = ADDRESS.sub(r"\\\g<0>", MARKS.sub(r"\\\g<0>", line))
    return FIRST.sub(r"\g<0>\\", escaped).replace(TAG, "&lt;")
