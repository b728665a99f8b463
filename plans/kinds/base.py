"""What every kind of interview says of itself."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from plans.models import Bot, Script


@dataclass(frozen=True)
class Item:
    """One thing that a bot needs. `hint` says what to do while it is not done."""

    label: str
    done: bool
    hint: str = ""
    needed: bool = True  # False: only advised


def by_title(model: type[BaseModel], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values under the titles of their fields, those of inner ones too."""
    told: dict[str, Any] = {}
    for name, info in model.model_fields.items():
        value, inner = values.get(name), info.annotation
        if isinstance(value, Mapping) and isinstance(inner, type) and issubclass(inner, BaseModel):
            told |= by_title(inner, value)
        elif name in values:
            told[info.title or name] = value
    return told


@dataclass(frozen=True)
class Draft:
    """A bot as it is stored, or as a form would store it.

    `rows` is False while topics, fields and codes are still being typed: a form knows them last.
    """

    bot: Bot
    scripts: Sequence[Script]
    rows: bool = True


@dataclass(frozen=True)
class Kind:
    """One kind of interview.

    `parts` are the parts of a bot's document that it uses; `rests_on` gives the signature of what
    its intelligence rests on; `told` gives a plan's material as people read it; `scripts_mean` says
    how it reads a script, where that is not plain from the script's own words; `read_by_experts`
    whether experts read what was said, unless the bot says otherwise.
    """

    title: str
    summary: str = ""
    parts: frozenset[str] = frozenset()
    languages: Callable[[Draft], list[str]] = lambda draft: []
    needs: Callable[[Draft], list[Item]] = lambda draft: []
    rests_on: Callable[[Bot], str] = lambda bot: ""
    told: Callable[[Mapping[str, Any]], dict[str, Any]] = dict
    scripts_mean: str = ""
    read_by_experts: bool = False
