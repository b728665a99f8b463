"""A backlog as CSV: one row a question."""

from plans.portability.documents import BacklogDocument
from plans.portability.problems import BrokenDocument, Problem
from plans.portability.table import Row, read_rows, write_rows
from plans.portability.tree import Loc, Tree

COLUMNS = ("key", "priority", "question", "why", "document")
NEEDED = ("question",)


def write_backlog(document: BacklogDocument) -> str:
    return write_rows(COLUMNS, (question.model_dump() for question in document.questions))


def read_backlog_rows(text: str) -> Tree:
    """The questions in the order of their rows. Raises BrokenDocument."""
    tree, problems = Tree({"questions": []}, name=column), list[Problem]()
    for line, row in read_rows(text, COLUMNS, NEEDED, problems):
        tree.lines["questions", len(tree.data["questions"])] = line
        tree.data["questions"].append(_said(row))
    if problems:
        raise BrokenDocument(problems)
    return tree


def column(loc: Loc) -> str:
    """The column that a part of a backlog stands in."""
    last = str(loc[-1]) if loc else ""
    return last if last in COLUMNS else ""


def _said(row: Row) -> Row:
    """Without empty cells, which mean: not given."""
    return {name: cell.strip() for name, cell in row.items() if cell.strip() or name in NEEDED}
