import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from plans.portability.problems import BrokenDocument, Problem, broken
from plans.portability.tree import Tree

MOST_ROWS = 5000
FORMULA = re.compile(r"^'*[=+\-@\t\r]")  # apostrophes too, so that restore() reverses defuse()
Row = dict[str, str]


def defuse(cell: str) -> str:
    """Prefix a cell that a spreadsheet would read as a formula with an apostrophe."""
    return f"'{cell}" if FORMULA.match(cell) else cell


def restore(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell) else cell


def read_tree(
    text: str,
    columns: Sequence[str],
    needed: Sequence[str],
    tree: Tree,
    add: Callable[[Tree, Row, int, list[Problem]], None],
) -> Tree:
    """Return the tree once `add` has put each row of the text into it. Raises BrokenDocument."""
    problems = list[Problem]()
    for line, row in read_rows(text, columns, needed, problems):
        add(tree, row, line, problems)
    if problems:
        raise BrokenDocument(problems)
    return tree


def write_rows(columns: Sequence[str], rows: Iterable[Row]) -> str:
    """Return the rows as RFC 4180 text with a heading."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows([defuse(row[column]) for column in columns] for row in rows)
    return out.getvalue()


def read_rows(
    text: str, columns: Sequence[str], needed: Sequence[str], problems: list[Problem]
) -> Iterator[tuple[int, Row]]:
    """Yield non-empty rows with their line numbers; append rows of a wrong length to `problems`.

    A quoted cell may span several lines; a row's line is its first. Raises BrokenDocument if the
    heading doesn't fit or the text is not CSV.
    """
    reader = numbered_rows(text)
    heading = [cell.strip().lower() for cell in next(reader, (0, []))[1]]
    _check_heading(heading, columns, needed)
    for number, (line, cells) in enumerate(reader):
        if number == MOST_ROWS:
            raise broken(f"there are more than {MOST_ROWS} rows", line)
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) == len(heading):
            yield line, dict(zip(heading, cells, strict=True))
        else:
            what = f"{len(cells)} cells, but the heading has {len(heading)}"
            problems.append(Problem(what, line))


def numbered_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows, each with its first line. Raises BrokenDocument."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    begins = 1
    try:
        for cells in reader:
            yield begins, [restore(cell) for cell in cells]
            begins = reader.line_num + 1
    except csv.Error as error:
        raise broken(f"This is not valid CSV: {error}.", begins) from error


def _delimiter(text: str) -> str:
    """Return the comma, or what Excel uses in locales with a decimal comma."""
    heading = text.split("\n", 1)[0]
    return max(",;\t", key=heading.count)


def _check_heading(heading: list[str], columns: Sequence[str], needed: Sequence[str]) -> None:
    unknown = [name for name in heading if name not in columns]
    problems = [Problem(f"there is no column “{name}”", 1) for name in unknown]
    problems += [Problem(f"the column “{c}” is missing", 1) for c in needed if c not in heading]
    twice = {name for name in heading if heading.count(name) > 1}
    problems += [Problem(f"there are two columns called “{name}”", 1) for name in sorted(twice)]
    if problems:
        known = Problem(f"the columns are {', '.join(columns)}", 1)
        raise BrokenDocument([*problems, known])
