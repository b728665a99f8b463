from io import BytesIO
from zipfile import BadZipFile, ZipFile

from plans.documents.file_names import kind_of_name
from plans.documents.problems import Reason, Unreadable
from plans.documents.types import FileKind

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
PROTECTED = "EncryptedPackage".encode("utf-16-le")
PLAIN = (FileKind.TEXT, FileKind.MARKDOWN, FileKind.CSV, FileKind.CODE)


def recognise(name: str, content: bytes) -> FileKind:
    """Return the file's type, by its content first. Raise Unreadable if its name disagrees."""
    by_content, by_name = _kind_of_content(content), kind_of_name(name)
    if by_content is None:
        kind = by_name or (FileKind.CODE if content.startswith(b"#!") else FileKind.TEXT)
        agrees = kind in PLAIN
    else:
        kind, agrees = by_content, by_name in (None, by_content)
    if not agrees:
        raise Unreadable(Reason.DISAGREE)
    return kind


def _kind_of_content(content: bytes) -> FileKind | None:
    if not content.strip(b"\x00 \t\r\n"):
        raise Unreadable(Reason.EMPTY)
    if content.startswith(OLE):
        raise Unreadable(Reason.ENCRYPTED if PROTECTED in content else Reason.OLD_OFFICE)
    if content.lstrip()[:5] == b"%PDF-":
        return FileKind.PDF
    if content.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _kind_of_container(content)
    return None


def _kind_of_container(content: bytes) -> FileKind:
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
