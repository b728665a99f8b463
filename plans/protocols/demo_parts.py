"""What shipped bots of one protocol alone rest on."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plans.models import Bot

DOCUMENTS = Path(__file__).parents[1] / "demo" / "documents"
Entry = Mapping[str, Any]  # a shipped bot as its file holds it


@dataclass(frozen=True)
class DemoParts:
    """How these rows are loaded.

    `shared` loads, before all bots, what several of them use; it takes whether to reset, and gives
    names and whether each was made. `before` runs for each bot before its backlog is stored,
    `after` on the stored bot, which is saved once more.
    """

    shared: Callable[[bool], list[tuple[str, bool]]] = lambda reset: []
    before: Callable[[Bot, Entry], None] = lambda bot, entry: None
    after: Callable[[Bot, Entry], None] = lambda bot, entry: None
