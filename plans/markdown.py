"""Markdown of models and people as HTML that is safe to show."""

from functools import cache

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt


@cache
def _reader() -> MarkdownIt:
    """Without HTML of its own, and without pictures, which would be fetched from elsewhere."""
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


def as_html(text: str) -> SafeString:
    """The text as HTML; tags in it are shown as they are written, unsafe links as text."""
    html: str = _reader().render(text)
    return mark_safe(html)  # noqa: S308  # markdown-it escapes all else
