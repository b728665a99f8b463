"""Turns the web addresses and phone numbers of a text into links."""

from collections.abc import Iterator

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from interviews.engine.contact_data.links import ContactLink, links

register = template.Library()


@register.filter
def contact_links(text: str) -> SafeString:
    return format_html_join("", "{}", ((part,) for part in _parts(text)))


@register.filter
def only_links(text: str) -> SafeString:
    """Return the links alone, or the text if it has none."""
    found = [(_link(text, one),) for one in links(text)]
    return format_html_join(" · ", "{}", found or [(text,)])


def _parts(text: str) -> Iterator[str]:
    end = 0
    for link in links(text):
        yield text[end : link.start]
        yield _link(text, link)
        end = link.end
    yield text[end:]


def _link(text: str, link: ContactLink) -> SafeString:
    return format_html('<a href="{}" dir="ltr">{}</a>', link.href, text[link.start : link.end])
