"""How far documents and what was made of them are, in words."""

from dataclasses import dataclass
from typing import Any

from plans.documents import FileKind
from plans.documents.file_names import kind_of_name
from plans.jobs import Job
from plans.models import Document

KINDS = {
    FileKind.TEXT: "Text",
    FileKind.MARKDOWN: "Markdown",
    FileKind.CSV: "CSV",
    FileKind.XLSX: "Excel",
    FileKind.DOCX: "Word",
    FileKind.PDF: "PDF",
    FileKind.CODE: "Source code",
}
STATES = {
    Job.Status.PENDING: ("Waiting", "info"),
    Job.Status.RUNNING: ("Being read", "info"),
    Job.Status.READY: ("Ready", "success"),
    Job.Status.FAILED: ("Not read", "danger"),
}
MADE_BY = {
    "model": "Written by a model",
    "rules": "Put together from the documents' own sentences",
    "person": "Written by hand",
}


@dataclass(frozen=True)
class DocumentLabels:
    """A document as the list shows it."""

    row: Document
    kind: str
    state: str
    tone: str

    @property
    def note(self) -> str:
        """What there is to say of how far it is."""
        if self.row.status == Job.Status.PENDING and self.row.attempts:
            return f"{self.row.reason} It is tried again by itself."
        return self.row.reason


def shown(row: Document) -> DocumentLabels:
    state, tone = STATES[Job.Status(row.status)]
    if row.status == Job.Status.READY and row.edited:
        state = "Ready, edited"
    return DocumentLabels(row, _kind(row), state, tone)


def _kind(row: Document) -> str:
    """As it was found to be, or as its name promises while it isn't read."""
    kind = FileKind(row.kind) if row.kind else kind_of_name(row.name)
    return KINDS[kind] if kind else "File"


def made_by(content: dict[str, Any]) -> str:
    """Who made it, in words; empty where nobody has."""
    return MADE_BY.get(str(content.get("made_by", "")), "")
