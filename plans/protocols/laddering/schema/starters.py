"""Texts that a new concept or a new methodology begins with."""

from pathlib import Path

HERE = Path(__file__).parent / "beginnings"


def starter_text(sort: str) -> str:
    """A small file with remarks, which can be read as it stands."""
    return (HERE / f"{sort}.yaml").read_text(encoding="utf-8")
