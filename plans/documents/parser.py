"""From a file's name and content to its parts, in this very process."""

from collections.abc import Callable
from importlib import import_module

from plans.documents.file_types import recognise
from plans.documents.limits import BYTES
from plans.documents.parts import Parts
from plans.documents.problems import Reason, Unreadable
from plans.documents.types import FileKind, ReadDocument

PARSERS = {  # by name: a process that reads a text has no need of what reads a PDF
    FileKind.TEXT: "plain:text_parts",
    FileKind.CODE: "plain:text_parts",
    FileKind.MARKDOWN: "plain:markdown_parts",
    FileKind.CSV: "tables:csv_parts",
    FileKind.XLSX: "workbook:workbook_parts",
    FileKind.DOCX: "word:word_parts",
    FileKind.PDF: "pdf:pdf_parts",
}


def parse(name: str, content: bytes) -> ReadDocument:
    """The text of a document. Raises Unreadable, whatever the content does to the libraries."""
    if len(content) > BYTES:
        raise Unreadable(Reason.TOO_LARGE)
    kind = recognise(name, content)
    parts = _guarded(_parser(kind), content)
    if not parts.made:
        raise Unreadable(Reason.NO_TEXT)
    return ReadDocument(name=name, kind=kind, parts=tuple(parts.made))


def _parser(kind: FileKind) -> Callable[[bytes], Parts]:
    module, _, function = PARSERS[kind].partition(":")
    parser: Callable[[bytes], Parts] = getattr(import_module(f"plans.documents.{module}"), function)
    return parser


def _guarded(parser: Callable[[bytes], Parts], content: bytes) -> Parts:
    """Libraries fail on broken files in ways that none of them lists, so every way counts."""
    try:
        return parser(content)
    except Unreadable:
        raise
    except MemoryError as error:
        raise Unreadable(Reason.TOO_SLOW) from error
    except Exception as error:
        raise Unreadable(Reason.BROKEN) from error
