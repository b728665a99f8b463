"""What a file is, by its content first."""

from io import BytesIO
from zipfile import BadZipFile, ZipFile

from plans.documents.file_names import promised
from plans.documents.problems import Reason, Unreadable
from plans.documents.types import FileKind

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
PROTECTED = "EncryptedPackage".encode("utf-16-le")
PLAIN = (FileKind.TEXT, FileKind.MARKDOWN, FileKind.CSV, FileKind.CODE)


def recognise(name: str, content: bytes) -> FileKind:
    """The kind of a file. Raises Unreadable where it has none, or its name says another."""
    found, named = _by_content(content), promised(name)
    if found is None:
        kind = named or (FileKind.CODE if content.startswith(b"#!") else FileKind.TEXT)
        agreed = kind in PLAIN
    else:
        kind, agreed = found, named in (None, found)
    if not agreed:
        raise Unreadable(Reason.DISAGREE)
    return kind


def _by_content(content: bytes) -> FileKind | None:
    """PDF or an Office container by what it begins with and holds; None for plain text."""
    if not content.strip(b"\x00 \t\r\n"):
        raise Unreadable(Reason.EMPTY)
    if content.startswith(OLE):
        raise Unreadable(Reason.ENCRYPTED if PROTECTED in content else Reason.OLD_OFFICE)
    if content.lstrip()[:5] == b"%PDF-":
        return FileKind.PDF
    if content.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _by_members(content)
    return None


def _by_members(content: bytes) -> FileKind:
    try:
        with ZipFile(BytesIO(content)) as container:
            names = set(container.namelist())
    except (BadZipFile, ValueError, NotImplementedError, OSError) as error:
        raise Unreadable(Reason.BROKEN) from error
    if "xl/workbook.xml" in names:
        return FileKind.XLSX
    if "word/document.xml" in names:
        return FileKind.DOCX
    raise Unreadable(Reason.UNKNOWN)
