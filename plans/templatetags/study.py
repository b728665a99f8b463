"""Plain data in words."""

from typing import Any

from django import template

from plans.portability.differences import as_text

register = template.Library()
register.filter("said", as_text)


@register.filter
def shape(value: Any) -> str:
    """Whether it is fields, items or one thing."""
    if isinstance(value, dict):
        return "fields"
    return "items" if isinstance(value, list) else "one"


@register.filter
def in_words(name: str) -> str:
    """A field's name with spaces for underscores."""
    return str(name).replace("_", " ")
