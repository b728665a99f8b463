from collections.abc import Callable
from pkgutil import resolve_name

from plans.documents.file_types import recognise
from plans.documents.limits import BYTES
from plans.documents.problems import Reason, Unreadable
from plans.documents.types import FileKind, Parts, ReadDocument

PARSERS = {  # by name: a process that reads a text needn't import what reads PDFs
    FileKind.TEXT: "plain:text_parts",
    FileKind.CODE: "plain:text_parts",
    FileKind.MARKDOWN: "plain:markdown_parts",
    FileKind.CSV: "tables:csv_parts",
    FileKind.XLSX: "tables:workbook_parts",
    FileKind.DOCX: "word:word_parts",
    FileKind.PDF: "pdf:pdf_parts",
}


def parse(name: str, content: bytes) -> ReadDocument:
    """Return the text of a document. Raise Unreadable, whatever the libraries raise."""
    if len(content) > BYTES:
        raise Unreadable(Reason.TOO_LARGE)
    kind = recognise(name, content)
    parts = _run(resolve_name(f"plans.documents.{PARSERS[kind]}"), content).items
    if not parts:
        raise Unreadable(Reason.NO_TEXT)
    return ReadDocument(name=name, kind=kind, parts=tuple(parts))


def _run(parser: Callable[[bytes], Parts], content: bytes) -> Parts:
    """Libraries fail on broken files in ways that none of them documents, so catch everything."""
    try:
        return parser(content)
    except Unreadable:
        raise
    except MemoryError as error:
        raise Unreadable(Reason.TOO_SLOW) from error
    except Exception as error:
        raise Unreadable(Reason.BROKEN) from error
