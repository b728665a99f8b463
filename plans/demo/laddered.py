"""The shipped concepts and methodologies as rows."""

from plans.ladders.shipped import CONCEPTS, METHODOLOGIES, sources
from plans.portability.ladders import (
    CONCEPT,
    METHODOLOGY,
    LadderDocument,
    apply_file,
    known_file,
    read_file,
)


def shipped_ladders() -> list[LadderDocument]:
    """All that come with the site."""
    each = ((CONCEPT, CONCEPTS), (METHODOLOGY, METHODOLOGIES))
    return [read_file(sort, text) for sort, folder in each for text in sources(folder)]


def load_ladder(document: LadderDocument, reset: bool) -> bool:
    """Makes it, if it was never there; with reset, as it is shipped. Whether it was made."""
    records = document.sort.model.history.filter(key=document.content.id)  # type: ignore[attr-defined]
    if not reset and records.exists():
        return False
    apply_file(document, known_file(document))
    return True
