from typing import Any

from django import template

from plans.bots.teams import team_keys
from plans.forms.bot import link_places
from plans.portability.differences import as_text

register = template.Library()
register.filter("said", as_text)
register.filter("linked", link_places)


@register.filter
def shape(value: Any) -> str:
    """Return which of fields, items or one the value is, for templates to branch on."""
    if isinstance(value, dict):
        return "fields"
    return "items" if isinstance(value, list) else "one"


@register.filter
def is_in_team(user: Any) -> bool:
    return team_keys(user) is not None


@register.filter
def in_words(name: str) -> str:
    return str(name).replace("_", " ")
