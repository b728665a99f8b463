"""Scripts' questions, bots' topics and backlogs as CSV, one question or sub-goal per row."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from plans.portability.documents import BacklogDocument
from plans.portability.problems import Problem
from plans.portability.table import Row, read_tree, write_rows
from plans.portability.tree import Loc, Tree


@dataclass(frozen=True)
class GroupedRows:
    """How a document of groups with items in them is a table.

    `group` begins the columns of a group; with an s, it is the document's field. `title` is the
    field that names a group, `items` the one that holds what is in it, `fields` an item's fields by
    column.
    """

    group: str
    title: str
    items: str
    fields: Mapping[str, str]
    needed: tuple[str, ...]  # columns

    @property
    def columns(self) -> tuple[str, ...]:
        return (f"{self.group}_key", f"{self.group}_{self.title}", *self.fields)

    def write(self, document: BaseModel) -> str:
        return write_rows(self.columns, self._rows(document))

    def _rows(self, document: BaseModel) -> Iterator[Row]:
        for group in getattr(document, f"{self.group}s"):
            head = (group.key, getattr(group, self.title))
            for item in getattr(group, self.items) or [None]:  # an empty group has a row, too
                cells = (str(getattr(item, name, "")) for name in self.fields.values())
                yield dict(zip(self.columns, (*head, *cells), strict=True))

    def read(self, text: str) -> Tree:
        """Return the groups in the order of their first rows. Raises BrokenDocument."""
        tree = Tree({f"{self.group}s": []}, name=self._column)
        return read_tree(text, self.columns, self.needed, tree, self._add)

    def _column(self, loc: Loc) -> str:
        """Return the column that a location in the data comes from."""
        last = str(loc[-1]) if loc else ""
        if self.items in loc[:-1]:
            return next((column for column, name in self.fields.items() if name == last), last)
        return f"{self.group}_{last}" if last in ("key", self.title) else last

    def _add(self, tree: Tree, row: Row, line: int, problems: list[Problem]) -> None:
        place, group = self._find_or_add(tree, row, line, problems)
        given = {  # an empty cell means that the field isn't given
            name: cell
            for column, name in self.fields.items()
            if (cell := row.get(column, "")).strip() or column in self.needed
        }
        if any(cell.strip() for cell in given.values()):  # else it has no items
            tree.lines[f"{self.group}s", place, self.items, len(group[self.items])] = line
            group[self.items].append(given)

    def _find_or_add(
        self, tree: Tree, row: Row, line: int, problems: list[Problem]
    ) -> tuple[int, dict[str, Any]]:
        """Return the group that a row names, and its place; a new one is added."""
        title = f"{self.group}_{self.title}"
        key, name = row.get(f"{self.group}_key", "").strip(), row[title].strip()
        groups: list[dict[str, Any]] = tree.data[f"{self.group}s"]
        by, wanted = ("key", key) if key else (self.title, name)
        place = next((i for i, one in enumerate(groups) if one[by] == wanted), len(groups))
        if place == len(groups):
            groups.append({"key": key, self.title: name, self.items: []})
            tree.lines[f"{self.group}s", place] = line
        before = groups[place][self.title]
        if name and name != before:
            problems.append(Problem(f"is “{before}” in an earlier row", line, title))
        return place, groups[place]


QUESTION_FIELDS = ("text", "objective", "guidance", "probes", "block_seconds")
QUESTIONS = GroupedRows(
    "section",
    "title",
    "questions",
    {"question_key": "key", **{name: name for name in QUESTION_FIELDS}},
    needed=("section_title", "text", "objective"),
)
TOPICS = GroupedRows(
    "topic",
    "label",
    "sub_goals",
    {"sub_goal": "text", "question": "question"},
    needed=("topic_label", "sub_goal"),
)
BACKLOG_COLUMNS = ("key", "priority", "question", "why", "document")
BACKLOG_NEEDED = ("question",)


def write_backlog(document: BacklogDocument) -> str:
    return write_rows(BACKLOG_COLUMNS, (question.model_dump() for question in document.questions))


def read_backlog_rows(text: str) -> Tree:
    """Return the questions in the order of their rows. Raises BrokenDocument."""
    return read_tree(
        text, BACKLOG_COLUMNS, BACKLOG_NEEDED, Tree({"questions": []}, name=_column), _add
    )


def _add(tree: Tree, row: Row, line: int, _problems: list[Problem]) -> None:
    tree.lines["questions", len(tree.data["questions"])] = line
    # An empty cell means that the field isn't given.
    cells = {c: cell.strip() for c, cell in row.items() if cell.strip() or c in BACKLOG_NEEDED}
    tree.data["questions"].append(cells)


def _column(loc: Loc) -> str:
    """Return the name of the CSV column that a location in the data comes from."""
    last = str(loc[-1]) if loc else ""
    return last if last in BACKLOG_COLUMNS else ""
