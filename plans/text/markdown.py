import re
from functools import cache

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from plans.text import tidy

SYNTAX = re.compile(
    r"[\\`*\[\]>&|~#$@]|(?<![^\W_])_|_(?![^\W_])"
)  # an underscore within a name may stay
LINE_START = re.compile(r"^(\d{1,9})(?=[.)])|^(?=[+\-=:])")
BARE_LINK = re.compile(r":(?=//)|(?<=\bwww)\.", re.I)  # some renderers make links of bare ones
BIDI_CONTROLS = re.compile("[\u202a-\u202e\u2066-\u2069]")  # would also turn the text after them


@cache
def parser() -> MarkdownIt:
    """HTML is off, and so are images, which would be fetched from elsewhere."""
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


def as_html(text: str) -> SafeString:
    """Render Markdown; HTML tags are escaped and unsafe links shown as text."""
    html: str = parser().render(text)
    return mark_safe(html)  # noqa: S308  # markdown-it escapes all else


def as_words(text: str) -> str:
    """Return the text on one line, escaped for Markdown, tables included."""
    line = " ".join(BIDI_CONTROLS.sub("", tidy(text)).split())
    escaped = BARE_LINK.sub(r"\\\g<0>", SYNTAX.sub(r"\\\g<0>", line))
    # An entity, because old renderers show a backslash before < as it is.
    return LINE_START.sub(r"\g<0>\\", escaped).replace("<", "&lt;")
