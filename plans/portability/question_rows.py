"""A script's questions as CSV, one question per row."""

from collections.abc import Iterator

from plans.portability.documents import ScriptDocument
from plans.portability.problems import Problem
from plans.portability.table import Row, find_or_add_group, read_tree, write_rows
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
    return read_tree(text, COLUMNS, NEEDED, Tree({"sections": []}, name=column), _add)


def column(loc: Loc) -> str:
    last = str(loc[-1]) if loc else ""
    if "questions" in loc[:-1]:
        return "question_key" if last == "key" else last
    return f"section_{last}" if last in ("key", "title") else last


def _add(tree: Tree, row: Row, line: int, problems: list[Problem]) -> None:
    place, section = find_or_add_group(tree, row, line, problems, "section", "title", "questions")
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
