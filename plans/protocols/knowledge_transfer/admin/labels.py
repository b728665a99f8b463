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
    row: Document
    kind: str
    state: str
    tone: str

    @property
    def note(self) -> str:
        if self.row.status == Job.Status.PENDING and self.row.attempts:
            return f"{self.row.reason} It is tried again by itself."
        return self.row.reason


def document_labels(row: Document) -> DocumentLabels:
    state, tone = STATES[Job.Status(row.status)]
    if row.status == Job.Status.READY and row.edited:
        state = "Ready, edited"
    kind = FileKind(row.kind) if row.kind else kind_of_name(row.name)
    return DocumentLabels(row, KINDS[kind] if kind else "File", state, tone)


def made_by(content: dict[str, Any]) -> str:
    return MADE_BY.get(str(content.get("made_by", "")), "")
