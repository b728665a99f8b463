import re

from plans.documents.limits import NAME_CHARACTERS
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
