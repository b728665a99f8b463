from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from plans.documents.problems import Reason


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


class ReadDocument(BaseModel):
    model_config = ConfigDict(frozen=True)

    name: str
    kind: FileKind
    parts: tuple[PlacedText, ...]


class Answer(BaseModel):
    """What the worker writes: one of the two."""

    read: ReadDocument | None = None
    reason: Reason | None = None
