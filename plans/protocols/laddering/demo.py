from collections.abc import Mapping
from typing import Any

from plans.models import Bot
from plans.protocols.base import DemoParts
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


def load_shipped(reset: bool) -> list[tuple[str, bool]]:
    """Load files that never existed here, or all with reset; return (name, whether loaded)."""
    folders = ((CONCEPT, CONCEPTS), (METHODOLOGY, METHODOLOGIES))
    documents = [read_file(kind, text) for kind, folder in folders for text in sources(folder)]
    return [(document.name, _load_file(document, reset)) for document in documents]


def set_ladder_files(bot: Bot, entry: Mapping[str, Any]) -> None:
    for name in KINDS.keys() & entry.keys():
        row = KINDS[name].model._default_manager.filter(key=entry[name]).first()
        setattr(bot, name, row)


def _load_file(document: LadderDocument, reset: bool) -> bool:
    records = document.kind.model.history.filter(key=document.content.id)  # type: ignore[attr-defined]
    if not reset and records.exists():
        return False
    apply_file(document, stored_file(document))
    return True


DEMO = DemoParts(shared=load_shipped, after=set_ladder_files)
