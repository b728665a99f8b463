"""The shipped concepts and methodologies as rows."""

from collections.abc import Mapping
from typing import Any

from plans.models import Bot
from plans.protocols.demo_parts import DemoParts
from plans.protocols.laddering.files import (
    CONCEPT,
    KINDS,
    METHODOLOGY,
    LadderDocument,
    apply_file,
    read_file,
    stored_file,
)
from plans.protocols.laddering.schema.shipped import CONCEPTS, METHODOLOGIES, sources


def shipped_ladders() -> list[LadderDocument]:
    """All that come with the site."""
    each = ((CONCEPT, CONCEPTS), (METHODOLOGY, METHODOLOGIES))
    return [read_file(sort, text) for sort, folder in each for text in sources(folder)]


def load_shipped(reset: bool) -> list[tuple[str, bool]]:
    """Make what was never there; with reset, everything as it is shipped.

    Returns the names of all, and whether each was made.
    """
    return [(document.name, _load(document, reset)) for document in shipped_ladders()]


def set_ladder_files(bot: Bot, entry: Mapping[str, Any]) -> None:
    """Set the bot's concept and methodology as they stand here, by the ids that an entry names."""
    for name in KINDS.keys() & entry.keys():
        row = KINDS[name].model._default_manager.filter(key=entry[name]).first()
        setattr(bot, name, row)


def _load(document: LadderDocument, reset: bool) -> bool:
    records = document.sort.model.history.filter(key=document.content.id)  # type: ignore[attr-defined]
    if not reset and records.exists():
        return False
    apply_file(document, stored_file(document))
    return True


DEMO = DemoParts(shared=load_shipped, after=set_ladder_files)
