"""Concepts and methodologies: files <-> rows, whole or as a part of a bot's file.

A row keeps the text as somebody wrote it, with remarks and line breaks. In a bot's file its content
stands among the bot's own fields; where a row has that content already, its text stays as it is.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from plans.models import Bot, LadderConcept, LadderMethodology
from plans.models.ladder import LadderFile
from plans.portability.decoder import checked
from plans.portability.differences import Difference, differences
from plans.portability.documents import BotDocument
from plans.portability.formats import HEADS, Format, detect
from plans.portability.own_parts import OwnParts
from plans.portability.problems import BrokenDocument, broken
from plans.portability.readable import remarks, told
from plans.portability.rows import saved
from plans.portability.tree import Tree, read_yaml
from plans.portability.writer import write
from plans.protocols.laddering.content import concept_of, methodology_of
from plans.protocols.laddering.schema.concept import Concept
from plans.protocols.laddering.schema.methodology import Methodology
from plans.protocols.laddering.schema.reader import (
    concept_within,
    methodology_within,
    read_concept,
    read_methodology,
)

LadderContent = Concept | Methodology
HEAD_OF_FILE = ("id", "name")


@dataclass(frozen=True)
class LadderKind:
    """Concepts or methodologies. `shape` and `read` make one of plain data and of a file."""

    name: str
    model: type[LadderFile]
    shape: type[Concept] | type[Methodology]
    read: Callable[[str, str], LadderContent]
    stored: Callable[[str, str], LadderContent]  # the same, for texts that are read again and again


CONCEPT = LadderKind("concept", LadderConcept, Concept, read_concept, concept_of)
METHODOLOGY = LadderKind(
    "methodology", LadderMethodology, Methodology, read_methodology, methodology_of
)
KINDS = {sort.name: sort for sort in (CONCEPT, METHODOLOGY)}
WITHIN: dict[str, Callable[[Tree, str], LadderContent]] = {
    "concept": concept_within,
    "methodology": methodology_within,
}


def kind_of(row: LadderFile) -> LadderKind:
    """Whether it is a concept or a methodology."""
    return next(sort for sort in KINDS.values() if isinstance(row, sort.model))


@dataclass(frozen=True)
class LadderDocument:
    """What a file says, and its text."""

    sort: LadderKind
    content: LadderContent
    source: str

    @property
    def name(self) -> str:
        return self.content.name


def read_file(
    sort: LadderKind, text: str, name: str = "", row: LadderFile | None = None
) -> LadderDocument:
    """The document in a file's text. Raises BrokenDocument.

    `row` is the one that it is meant for: its id may change, but not to that of another row.
    """
    source = checked(text)
    document = LadderDocument(sort, sort.read(source, name), source.rstrip() + "\n")
    if row is not None:
        _refuse_foreign(document, row)
    return document


def _refuse_foreign(document: LadderDocument, row: LadderFile) -> None:
    key = document.content.id
    other = document.sort.model._default_manager.filter(key=key).exclude(pk=row.pk).first()
    if other:
        what = f"“{key}” is the id of “{other}” already; choose another"
        raise broken(what, read_yaml(document.source).line(("id",)), "id")


def stored_file(document: LadderDocument) -> LadderFile | None:
    return document.sort.model._default_manager.filter(key=document.content.id).first()


def file_changes(row: LadderFile | None, document: LadderDocument) -> list[Difference]:
    """What storing the document would change."""
    after = {**told(plain_content(document.content)), **remarks(document.source)}
    return differences(_told(row) if row else {}, after)


def _told(row: LadderFile) -> dict[str, Any]:
    try:
        content = kind_of(row).stored(row.source, row.key)
    except BrokenDocument:
        return {"text": row.source}
    return {**told(plain_content(content)), **remarks(row.source)}


def apply_file(document: LadderDocument, row: LadderFile | None = None) -> LadderFile:
    """Stores the document as a new row, or makes the given one equal to it."""
    content = document.content
    fields = {"key": content.id, "name": content.name, "source": document.source}
    if row:
        return saved(row, fields)
    return document.sort.model._default_manager.create(**fields)


def file_text(row: LadderFile, form: Format) -> str:
    """The row's text where it is of that format, else its content. Raises BrokenDocument."""
    if detect(row.source) == form:
        return row.source
    return write(kind_of(row).stored(row.source, row.key), form)


def plain_content(content: LadderContent) -> dict[str, Any]:
    """The content as plain data, without the head of its file."""
    return content.model_dump(mode="json", exclude=HEADS)


def bot_part(row: LadderFile | None) -> dict[str, Any]:
    """What a bot's file holds of the row; nothing of one that can't be read any more."""
    if row is None:
        return {}
    try:
        return plain_content(kind_of(row).stored(row.source, row.key))
    except BrokenDocument:
        return {}


def stored_part(sort: LadderKind, part: dict[str, Any]) -> LadderFile | None:
    """The row that a part of a bot's file is about."""
    return sort.model._default_manager.filter(key=part.get("id", "")).first()


def readable_part(part: dict[str, Any]) -> dict[str, Any]:
    """Such a part under its name, as people read it."""
    return {part["name"]: told(part)} if part else {}


def apply_part(sort: LadderKind, part: dict[str, Any]) -> Any:
    """The row of such a part, made or changed where it differs; None without one."""
    if not part:
        return None
    row = stored_part(sort, part)
    content = sort.shape.model_validate(part)
    if row and bot_part(row) == plain_content(content):
        return row
    return apply_file(LadderDocument(sort, content, write(content, "yaml")), row)


def rename_source(source: str, key: str, name: str) -> str:
    """The text under another id and name; all else in it stays as it is written."""
    node: Any = yaml.compose(source.replace("\t", " "), Loader=yaml.SafeLoader)
    spans = {pair[0].value: pair[1] for pair in node.value}
    words = {"id": key, "name": name}
    for field in sorted(HEAD_OF_FILE, key=lambda f: -spans[f].start_mark.index):
        start, end = spans[field].start_mark.index, spans[field].end_mark.index
        after = "\n" if source[start:end].endswith("\n") else ""  # a block ends with its line
        source = (
            source[:start] + json.dumps(words[field], ensure_ascii=False) + after + source[end:]
        )
    return source


def _written(bot: Bot) -> dict[str, Any]:
    return {name: bot_part(getattr(bot, name)) for name in KINDS}


def _read(document: BotDocument, tree: Tree) -> dict[str, Any]:
    given = [name for name in WITHIN if getattr(document, name)]
    return {name: plain_content(WITHIN[name](tree, name)) for name in given}


def _readable(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: readable_part(data[name]) for name in KINDS}


def _known(document: BotDocument) -> dict[str, dict[str, Any]]:
    rows = {name: stored_part(sort, getattr(document, name)) for name, sort in KINDS.items()}
    return {name: readable_part(bot_part(row)) for name, row in rows.items()}


def _bot_fields(document: BotDocument) -> dict[str, Any]:
    return {name: apply_part(sort, getattr(document, name)) for name, sort in KINDS.items()}


OWN_PARTS = OwnParts(
    write=_written, read=_read, readable=_readable, known=_known, bot_fields=_bot_fields
)
