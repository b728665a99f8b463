"""A backlog as CSV, one question per row."""

from plans.portability.documents import BacklogDocument
from plans.portability.problems import Problem
from plans.portability.table import Row, read_tree, write_rows
from plans.portability.tree import Loc, Tree

COLUMNS = ("key", "priority", "question", "why", "document")
NEEDED = ("question",)


def write_backlog(document: BacklogDocument) -> str:
    return write_rows(COLUMNS, (question.model_dump() for question in document.questions))


def read_backlog_rows(text: str) -> Tree:
    """Return the questions in the order of their rows. Raises BrokenDocument."""
    return read_tree(text, COLUMNS, NEEDED, Tree({"questions": []}, name=column), _add)


def _add(tree: Tree, row: Row, line: int, _problems: list[Problem]) -> None:
    tree.lines["questions", len(tree.data["questions"])] = line
    # An empty cell means that the field isn't given.
    cells = {c: cell.strip() for c, cell in row.items() if cell.strip() or c in NEEDED}
    tree.data["questions"].append(cells)


def column(loc: Loc) -> str:
    """Return the name of the CSV column that a location in the data comes from."""
    last = str(loc[-1]) if loc else ""
    return last if last in COLUMNS else ""
