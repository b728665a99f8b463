from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar

from plans.protocols.laddering.schema.concept import Concept
from plans.protocols.laddering.schema.methodology import Methodology
from plans.protocols.laddering.schema.reader import read_concept, read_methodology

STARTERS = Path(__file__).parent / "beginnings"
METHODOLOGIES = Path(__file__).parents[1] / "methodologies"
CONCEPTS = Path(__file__).parents[1] / "concepts"
Content = TypeVar("Content", Concept, Methodology)


@cache
def methodologies() -> dict[str, Methodology]:
    return _read_all(METHODOLOGIES, read_methodology)


@cache
def concepts() -> dict[str, Concept]:
    return _read_all(CONCEPTS, read_concept)


def sources(folder: Path) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.yaml"))]


def starter_text(kind: str) -> str:
    return (STARTERS / f"{kind}.yaml").read_text(encoding="utf-8")


def _read_all(folder: Path, read: Callable[[bytes, str], Content]) -> dict[str, Content]:
    paths = sorted(folder.glob("*.yaml"))
    return {path.stem: _check_id(read(path.read_bytes(), path.name), path.stem) for path in paths}


def _check_id(content: Content, stem: str) -> Content:
    if content.id != stem:
        raise ValueError(f"{stem}.yaml holds {content.id}, which is another id")
    return content
