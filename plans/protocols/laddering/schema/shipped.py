"""The concepts and methodologies that come with the site."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar

from plans.protocols.laddering.schema.concept import Concept
from plans.protocols.laddering.schema.methodology import Methodology
from plans.protocols.laddering.schema.reader import read_concept, read_methodology

METHODOLOGIES = Path(__file__).parents[1] / "methodologies"
CONCEPTS = Path(__file__).parents[1] / "concepts"
Made = TypeVar("Made", Concept, Methodology)


@cache
def methodologies() -> dict[str, Methodology]:
    """The shipped methodologies by id, which is also the name of the file."""
    return _all(METHODOLOGIES, read_methodology)


@cache
def concepts() -> dict[str, Concept]:
    """The shipped concepts by id, which is also the name of the file."""
    return _all(CONCEPTS, read_concept)


def sources(folder: Path) -> list[str]:
    """The texts of a folder's files, as they are shipped."""
    return [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.yaml"))]


def _all(folder: Path, read: Callable[[bytes, str], Made]) -> dict[str, Made]:
    paths = sorted(folder.glob("*.yaml"))
    return {path.stem: _named(read(path.read_bytes(), path.name), path.stem) for path in paths}


def _named(made: Made, stem: str) -> Made:
    if made.id != stem:
        raise ValueError(f"{stem}.yaml holds {made.id}, which is another id")
    return made
