from collections.abc import Iterator
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict

from plans.documents.limits import CHARACTERS, PART_CHARACTERS, PARTS
from plans.documents.problems import Reason, Unreadable

TITLE = 200


class FileKind(StrEnum):
    TEXT = "text"
    MARKDOWN = "markdown"
    CSV = "csv"
    XLSX = "xlsx"
    DOCX = "docx"
    PDF = "pdf"
    CODE = "code"


class Unit(StrEnum):
    PAGE = "page"
    CELLS = "cells"
    SECTION = "section"
    LINES = "lines"


class PlacedText(BaseModel):
    model_config = ConfigDict(frozen=True)

    unit: Unit
    text: str
    title: str = ""  # the heading, or the sheet's name
    first: int = 1  # page, row, line or paragraph
    last: int = 1
    cells: str = ""
    hidden: bool = False

    @property
    def place(self) -> str:
        title = f"“{self.title}”" if self.title else ""
        if self.unit == Unit.PAGE:
            return f"page {self.first}"
        if self.unit == Unit.SECTION:
            return title or "the beginning"
        return ", ".join(filter(None, (title, self._span, "hidden" if self.hidden else "")))

    @property
    def _span(self) -> str:
        if self.unit == Unit.CELLS:
            return self.cells
        if self.last > self.first:
            return f"lines {self.first}–{self.last}"
        return f"line {self.first}"


class Parts:
    """A document's parts so far. Raises Unreadable once they are too many or too long."""

    def __init__(self) -> None:
        self.items: list[PlacedText] = []
        self._room = CHARACTERS

    def add(self, unit: Unit, text: str, title: str = "", **place: Any) -> None:
        text = text.strip("\n").rstrip()
        if not text.strip():
            return
        self._room -= len(text)
        if self._room < 0:
            raise Unreadable(Reason.TOO_LONG)
        short = " ".join(title.split())[:TITLE]
        for piece in _pieces(text):
            self.items.append(PlacedText(unit=unit, text=piece, title=short, **place))
        if len(self.items) > PARTS:
            raise Unreadable(Reason.TOO_MANY)


def _pieces(text: str) -> Iterator[str]:
    """Cut at the last line that fits, or in mid-line where there is none."""
    while len(text) > PART_CHARACTERS:
        cut = text.rfind("\n", 1, PART_CHARACTERS) + 1 or PART_CHARACTERS
        yield text[:cut].rstrip("\n")
        text = text[cut:]
    yield text


class ReadDocument(BaseModel):
    model_config = ConfigDict(frozen=True)

    name: str
    kind: FileKind
    parts: tuple[PlacedText, ...]


class Answer(BaseModel):
    """What the worker writes: one of the two."""

    read: ReadDocument | None = None
    reason: Reason | None = None
