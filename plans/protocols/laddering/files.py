"""Concepts and methodologies as files and rows, whole or as a part of a bot's file.

A row keeps its text as somebody wrote it, with comments and line breaks. In a bot's file, its
content is among the bot's own fields; a row that has that content already keeps its text.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from plans.models import LadderConcept, LadderFile, LadderMethodology
from plans.models.copies import copy_name
from plans.portability.decoder import checked
from plans.portability.differences import Difference, differences
from plans.portability.documents import BotDocument
from plans.portability.formats import HEADS, Format, detect, write
from plans.portability.problems import BrokenDocument, broken
from plans.portability.readable import comparable_content, remarks
from plans.portability.rows import update_if_changed
from plans.portability.tree import Tree, read_yaml
from plans.protocols.base import OwnParts
from plans.protocols.laddering.content import concept_of, methodology_of
from plans.protocols.laddering.edits import edit_text
from plans.protocols.laddering.schema.concept import Concept
from plans.protocols.laddering.schema.methodology import Methodology
from plans.protocols.laddering.schema.reader import read_concept, read_methodology, read_part

LadderContent = Concept | Methodology


@dataclass(frozen=True)
class LadderKind:
    """Concepts or methodologies: how to make one from plain data (`shape`) or a file (`read`)."""

    name: str
    model: type[LadderFile]
    shape: type[Concept] | type[Methodology]
    read: Callable[[str, str], LadderContent]
    read_cached: Callable[[str, str], LadderContent]


CONCEPT = LadderKind("concept", LadderConcept, Concept, read_concept, concept_of)
METHODOLOGY = LadderKind(
    "methodology", LadderMethodology, Methodology, read_methodology, methodology_of
)
KINDS = {kind.name: kind for kind in (CONCEPT, METHODOLOGY)}


def kind_of(row: LadderFile) -> LadderKind:
    return next(kind for kind in KINDS.values() if isinstance(row, kind.model))


@dataclass(frozen=True)
class LadderDocument:
    kind: LadderKind
    content: LadderContent
    source: str

    @property
    def name(self) -> str:
        return self.content.name


def read_file(
    kind: LadderKind, text: str, name: str = "", row: LadderFile | None = None
) -> LadderDocument:
    """Read a file's text. Raises BrokenDocument.

    `row` is the row the text is meant for: its id may change, but not to that of another row.
    """
    source = checked(text)
    document = LadderDocument(kind, kind.read(source, name), source.rstrip() + "\n")
    if row is not None:
        _check_id_is_free(document, row)
    return document


def _check_id_is_free(document: LadderDocument, row: LadderFile) -> None:
    key = document.content.id
    other = document.kind.model._default_manager.filter(key=key).exclude(pk=row.pk).first()
    if other:
        what = f"“{key}” is already the ID of “{other}”. Choose another"
        raise broken(what, read_yaml(document.source).line(("id",)), "id")


def stored_file(document: LadderDocument) -> LadderFile | None:
    return document.kind.model._default_manager.filter(key=document.content.id).first()


def file_changes(row: LadderFile | None, document: LadderDocument) -> list[Difference]:
    after = {**comparable_content(plain_content(document.content)), **remarks(document.source)}
    return differences(_readable_row(row) if row else {}, after)


def _readable_row(row: LadderFile) -> dict[str, Any]:
    if not (content := bot_part(row)):
        return {"text": row.source}
    return {**comparable_content(content), **remarks(row.source)}


def apply_file(document: LadderDocument, row: LadderFile | None = None) -> LadderFile:
    content = document.content
    fields = {"key": content.id, "name": content.name, "source": document.source}
    if row:
        return update_if_changed(row, fields)
    return document.kind.model._default_manager.create(**fields)


def file_text(row: LadderFile, form: Format) -> str:
    """Return the row's own text if it has that format, else its content. Raises BrokenDocument."""
    if detect(row.source) == form:
        return row.source
    return write(kind_of(row).read_cached(row.source, row.key), form)


def plain_content(content: LadderContent) -> dict[str, Any]:
    return content.model_dump(mode="json", exclude=HEADS)


def content_of(row: LadderFile | None) -> LadderContent | None:
    """Return what the file says, or None if there is none or it can't be read."""
    try:
        return kind_of(row).read_cached(row.source, row.key) if row else None
    except BrokenDocument:
        return None


def bot_part(row: LadderFile | None) -> dict[str, Any]:
    content = content_of(row)
    return plain_content(content) if content else {}


def stored_part(kind: LadderKind, part: dict[str, Any]) -> LadderFile | None:
    return kind.model._default_manager.filter(key=part.get("id", "")).first()


def readable_part(part: dict[str, Any]) -> dict[str, Any]:
    return {part["name"]: comparable_content(part)} if part else {}


def apply_part(kind: LadderKind, part: dict[str, Any]) -> Any:
    if not part:
        return None
    row = stored_part(kind, part)
    content = kind.shape.model_validate(part)
    if row and bot_part(row) == plain_content(content):
        return row
    return apply_file(LadderDocument(kind, content, write(content, "yaml")), row)


def rename_source(source: str, key: str, name: str) -> str:
    """Return the text with another id and name, and otherwise as it was written."""
    return edit_text(source, lambda data: data.update(id=key, name=name))


def ladder_copy_name(row: LadderFile) -> str:
    return copy_name(row.name[:180], type(row)._default_manager.values_list("name", flat=True))


def free_ladder_key(row: LadderFile) -> str:
    taken = set(type(row)._default_manager.values_list("key", flat=True))
    candidates = (f"{row.key[:50]}_{n}" for n in range(2, len(taken) + 3))
    return next(key for key in candidates if key not in taken)


def duplicate_ladder(row: LadderFile, key: str, name: str) -> LadderFile:
    """Store the same text under another id and name. Raises BrokenDocument if it is unreadable."""
    kind = kind_of(row)
    kind.read_cached(row.source, row.key)  # raises if there is no id to replace
    return apply_file(read_file(kind, rename_source(row.source, key, name)))


def _read(document: BotDocument, tree: Tree) -> dict[str, Any]:
    present = [kind for kind in KINDS.values() if getattr(document, kind.name)]
    return {kind.name: plain_content(read_part(kind.shape, tree, kind.name)) for kind in present}


def _known(document: BotDocument) -> dict[str, dict[str, Any]]:
    rows = {name: stored_part(kind, getattr(document, name)) for name, kind in KINDS.items()}
    return {name: readable_part(bot_part(row)) for name, row in rows.items()}


OWN_PARTS = OwnParts(
    write=lambda bot: {name: bot_part(getattr(bot, name)) for name in KINDS},
    read=_read,
    readable=lambda data: {name: readable_part(data[name]) for name in KINDS},
    known=_known,
    rows=lambda document: [
        (row, bot_part(row) != getattr(document, name))
        for name, kind in KINDS.items()
        if (row := stored_part(kind, getattr(document, name)))
    ],
    bot_fields=lambda document: {
        name: apply_part(kind, getattr(document, name)) for name, kind in KINDS.items()
    },
)
