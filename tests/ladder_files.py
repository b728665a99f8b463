"""The shipped concepts and methodologies, read once."""

from functools import cache
from pathlib import Path

from plans.protocols.laddering.schema.reader import read_concept, read_methodology
from plans.protocols.laddering.schema.shipped import CONCEPTS, METHODOLOGIES


@cache
def methodologies():
    return _read_all(METHODOLOGIES, read_methodology)


@cache
def concepts():
    return _read_all(CONCEPTS, read_concept)


def _read_all(folder: Path, read):
    found = {path.stem: read(path.read_bytes(), path.name) for path in folder.glob("*.yaml")}
    assert all(content.id == stem for stem, content in found.items())
    return dict(sorted(found.items()))
