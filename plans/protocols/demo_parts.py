from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plans.models import Bot

DOCUMENTS = Path(__file__).parents[1] / "demo" / "documents"
Entry = Mapping[str, Any]  # a shipped bot as its file holds it


@dataclass(frozen=True)
class DemoParts:
    """How to load the rows that the shipped bots of one protocol depend on.

    `shared` loads what several bots use, before all bots; it takes whether to reset, and returns
    names and whether each was created. `before` runs for each bot before its backlog is stored,
    `after` on the stored bot, which is then saved again.
    """

    shared: Callable[[bool], list[tuple[str, bool]]] = lambda reset: []
    before: Callable[[Bot, Entry], None] = lambda bot, entry: None
    after: Callable[[Bot, Entry], None] = lambda bot, entry: None
