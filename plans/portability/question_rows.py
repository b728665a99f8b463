"""A script's questions as CSV, one question per row."""

from collections.abc import Iterator
from typing import Any

from plans.portability.documents import ScriptDocument
from plans.portability.problems import BrokenDocument, Problem
from plans.portability.table import Row, read_rows, write_rows
from plans.portability.tree import Loc, Tree

COLUMNS = (
    *("section_key", "section_title", "question_key"),
    *("text", "objective", "guidance", "probes", "block_seconds"),
)
NEEDED = ("section_title", "text", "objective")
TEXT_COLUMNS = ("text", "objective", "guidance", "probes")
QUESTION_FIELDS = {"question_key": "key", **{c: c for c in COLUMNS[3:]}}


def write_questions(script: ScriptDocument) -> str:
    return write_rows(COLUMNS, _rows(script))


def _rows(script: ScriptDocument) -> Iterator[Row]:
    for section in script.sections:
        head = {"section_key": section.key, "section_title": section.title}
        for question in section.questions:
            fields = {k: str(v) for k, v in question.model_dump(exclude={"key"}).items()}
            yield {**head, "question_key": question.key, **fields}
        if not section.questions:
            yield {**head, **dict.fromkeys(QUESTION_FIELDS, "")}


def read_sections(text: str) -> Tree:
    """Return the sections in the order of their first rows. Raises BrokenDocument."""
    tree, problems = Tree({"sections": []}, name=column), list[Problem]()
    for line, row in read_rows(text, COLUMNS, NEEDED, problems):
        _add(tree, row, line, problems)
    if problems:
        raise BrokenDocument(problems)
    return tree


def column(loc: Loc) -> str:
    last = str(loc[-1]) if loc else ""
    if "questions" in loc[:-1]:
        return "question_key" if last == "key" else last
    return f"section_{last}" if last in ("key", "title") else last


def _add(tree: Tree, row: Row, line: int, problems: list[Problem]) -> None:
    place, section = _find_or_add_section(tree, row, line)
    title = row["section_title"].strip()
    if title and title != section["title"]:
        problems.append(
            Problem(f"is “{section['title']}” in an earlier row", line, "section_title")
        )
    if not any(row.get(column, "").strip() for column in QUESTION_FIELDS):
        return  # a section without questions
    loc: Loc = ("sections", place, "questions", len(section["questions"]))
    # An empty key or time means that it isn't given.
    section["questions"].append(
        {
            field: row[column]
            for column, field in QUESTION_FIELDS.items()
            if column in row and (row[column].strip() or column in TEXT_COLUMNS)
        }
    )
    tree.lines[loc] = line


def _find_or_add_section(tree: Tree, row: Row, line: int) -> tuple[int, dict[str, Any]]:
    key, title = row.get("section_key", "").strip(), row["section_title"].strip()
    sections: list[dict[str, Any]] = tree.data["sections"]
    for place, section in enumerate(sections):
        if section["key"] == key if key else section["title"] == title:
            return place, section
    sections.append({"key": key, "title": title, "questions": []})
    tree.lines["sections", len(sections) - 1] = line
    return len(sections) - 1, sections[-1]
