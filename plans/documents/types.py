"""What reading a document brings."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from plans.documents.problems import Reason


class FileKind(StrEnum):
    """What a document is."""

    TEXT = "text"
    MARKDOWN = "markdown"
    CSV = "csv"
    XLSX = "xlsx"
    DOCX = "docx"
    PDF = "pdf"
    CODE = "code"


class Unit(StrEnum):
    """What a part is counted in."""

    PAGE = "page"
    CELLS = "cells"
    SECTION = "section"
    LINES = "lines"


class PlacedText(BaseModel):
    """A piece of a document's text and where it stands."""

    model_config = ConfigDict(frozen=True)

    unit: Unit
    text: str
    title: str = ""
    """The heading, or the sheet's name."""
    first: int = 1
    last: int = 1
    """Pages, rows, lines or paragraphs, counted from one."""
    cells: str = ""
    hidden: bool = False

    @property
    def place(self) -> str:
        """Where to look for it, in words."""
        named = f"“{self.title}”" if self.title else ""
        if self.unit == Unit.PAGE:
            return f"page {self.first}"
        if self.unit == Unit.SECTION:
            return named or "the beginning"
        words = (named, self._span, "hidden" if self.hidden else "")
        return ", ".join(filter(None, words))

    @property
    def _span(self) -> str:
        if self.unit == Unit.CELLS:
            return self.cells
        if self.last > self.first:
            return f"lines {self.first}–{self.last}"
        return f"line {self.first}"


class ReadDocument(BaseModel):
    """A document's text in parts, in its order."""

    model_config = ConfigDict(frozen=True)

    name: str
    kind: FileKind
    parts: tuple[PlacedText, ...]

    @property
    def characters(self) -> int:
        return sum(len(part.text) for part in self.parts)


class Answer(BaseModel):
    """What came of reading a document: one of the two."""

    read: ReadDocument | None = None
    reason: Reason | None = None
