import re
from io import BytesIO
from zipfile import BadZipFile, ZipFile

from plans.documents.limits import NAME_CHARACTERS
from plans.documents.problems import Reason, Unreadable
from plans.documents.types import FileKind
from plans.text import tidy

# Invisible characters and marks of direction: they can hide a name's real extension.
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\u061c\u00ad]")

_ENDINGS = {
    FileKind.TEXT: "txt text log",
    FileKind.MARKDOWN: "md markdown",
    FileKind.CSV: "csv tsv",
    FileKind.XLSX: "xlsx xlsm",
    FileKind.DOCX: "docx",
    FileKind.PDF: "pdf",
    FileKind.CODE: (
        "bas bash bat c cc cfg cjs clj conf cpp cs css dart erl ex exs f90 fs go gradle groovy h "
        "hpp hs html ini ipynb java jl js json jsonl jsx kt kts less lua m mjs ml mm php pl pm ps1 "
        "proto py pyi r rb rs sas scala scss sh sql swift tcl tf toml ts tsx vb vba vue xml yaml "
        "yml zsh"
    ),
}
KIND_OF = {ending: kind for kind, endings in _ENDINGS.items() for ending in endings.split()}


def clean(name: str) -> str:
    """Return the last part of a path, without invisible characters; never empty."""
    visible = _INVISIBLE.sub("", tidy(name)).replace("\\", "/")
    last = " ".join(visible.rstrip("/").rpartition("/")[2].split()).strip(".") or "document"
    stem, dot, ending = last.rpartition(".")
    if len(last) <= NAME_CHARACTERS or not dot or len(ending) > 10:
        return last[:NAME_CHARACTERS]
    return stem[: NAME_CHARACTERS - len(ending) - 1] + dot + ending


def kind_of_name(name: str) -> FileKind | None:
    stem, _, ending = name.lower().rpartition(".")
    if stem:
        return KIND_OF.get(ending)
    return FileKind.CODE if name in ("Makefile", "Dockerfile") else None


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
