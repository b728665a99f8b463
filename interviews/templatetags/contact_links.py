"""Turns the web addresses and phone numbers of a text into links."""

from collections.abc import Iterator

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from interviews.engine.contact_data.links import links

register = template.Library()


@register.filter
def contact_links(text: str) -> SafeString:
    return format_html_join("", "{}", ((part,) for part in _parts(text)))


def _parts(text: str) -> Iterator[str]:
    end = 0
    for start, stop, href in links(text):
        yield text[end:start]
        yield format_html('<a href="{}" dir="ltr">{}</a>', href, text[start:stop])
        end = stop
    yield text[end:]
