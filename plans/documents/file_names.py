"""What a file's name may be, and what kind it promises."""

import re

from plans.documents.limits import NAME_CHARACTERS
from plans.documents.types import FileKind
from plans.text import tidy

# Marks that turn the direction of writing, or can't be seen: they hide what a name really ends in.
_UNSEEN = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\u061c\u00ad]")

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
    """The last part of a path, without what can't be seen; "document" where nothing is left."""
    seen = _UNSEEN.sub("", tidy(name)).replace("\\", "/")
    last = " ".join(seen.rstrip("/").rpartition("/")[2].split()).strip(".") or "document"
    stem, dot, ending = last.rpartition(".")
    if len(last) <= NAME_CHARACTERS or not dot or len(ending) > 10:
        return last[:NAME_CHARACTERS]
    return stem[: NAME_CHARACTERS - len(ending) - 1] + dot + ending


def promised(name: str) -> FileKind | None:
    """The kind by the name's ending; None where that says nothing."""
    stem, _, ending = name.lower().rpartition(".")
    if stem:
        return KIND_OF.get(ending)
    return FileKind.CODE if name in ("Makefile", "Dockerfile") else None
