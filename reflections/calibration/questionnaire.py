"""A participant's own questionnaire as CSV, one item per row.

item,text,options,answer,answer_again
trust,"Most people can be trusted.",1-7,5,6
city,"Where would you rather live?","In a city;In the country",In a city,
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from interviews.engine.language.statements import one_line
from plans.portability.decoder import checked, decode
from plans.portability.problems import BrokenDocument, Problem, broken
from plans.portability.table import Row, read_rows
from reflections.calibration.types import QuestionnaireItem

COLUMNS = ("item", "text", "options", "answer", "answer_again")
NEEDED = COLUMNS[:4]
MOST_ITEMS = 500
MOST_OPTIONS = 50  # that are named one by one
WIDEST = 100  # of a range
LONGEST = {"item": 80, "text": 1000, "options": 200}  # characters; of each option
RANGE = re.compile(r"([-−]?\d{1,6})\s*(?:[-–—]|\.\.)\s*([-−]?\d{1,6})")
WHOLE = re.compile(r"([-−]?\d{1,6})(?:[.,]0+)?")
ONE_OPTION = (
    "names one option only. Put “;” between options, or give a range such as 1-7 (a spreadsheet "
    "may have made a date of that)"
)


@dataclass
class _Reading:
    items: list[QuestionnaireItem] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    keys: dict[str, int] = field(default_factory=dict)  # folded -> line
    texts: dict[str, int] = field(default_factory=dict)


def read_items(content: bytes | str) -> tuple[QuestionnaireItem, ...]:
    """Read the items of a file or of pasted text.

    Raises BrokenDocument with everything that is wrong, by line and column.
    """
    text = decode(content) if isinstance(content, bytes) else checked(content)
    read = _Reading()
    for line, row in read_rows(text, COLUMNS, NEEDED, read.problems):
        if len(read.items) == MOST_ITEMS:
            raise broken(f"there are more than {MOST_ITEMS} items", line)
        _read_row(read, line, {name: one_line(cell) for name, cell in row.items()})
    if read.problems:
        raise BrokenDocument(read.problems)
    if not read.items:
        raise broken("It has no items.")
    return tuple(read.items)


def _read_row(read: _Reading, line: int, row: Row) -> None:
    problems = [
        *_missing(row, line),
        *_repeated(read.keys, row["item"], line, "item"),
        *_repeated(read.texts, row["text"], line, "text"),
    ]
    options, scale, wrong = _options(row["options"])
    problems += [Problem(what, line, "options") for what in wrong]
    answers = {}
    for column in ("answer", "answer_again"):
        cell = row.get(column, "")
        answers[column] = match_option(cell, options, scale)
        if cell and options and not answers[column]:
            problems.append(Problem(f"“{_short(cell)}” is not one of the options", line, column))
    read.problems += problems
    read.items.append(
        QuestionnaireItem(
            key=row["item"],
            text=row["text"],
            options=options,
            answer=answers["answer"],
            again=answers["answer_again"],
            scale=scale,
        )
    )


def _missing(row: Row, line: int) -> Iterable[Problem]:
    for column in NEEDED:
        if not row[column]:
            yield Problem("is empty", line, column)
    for column in ("item", "text"):
        if len(row[column]) > LONGEST[column]:
            yield Problem(f"is longer than {LONGEST[column]} characters", line, column)


def _repeated(seen: dict[str, int], cell: str, line: int, column: str) -> Iterable[Problem]:
    first = seen.setdefault(cell.casefold(), line)
    if cell and first != line:
        yield Problem(f"“{_short(cell)}” is already on line {first}", line, column)


def _options(cell: str) -> tuple[tuple[str, ...], bool, list[str]]:
    """Return the options, whether they are a range, and what is wrong with them."""
    if not cell:
        return (), False, []
    if span := RANGE.fullmatch(cell):
        return _range(_int(span[1]), _int(span[2]))
    named = tuple(part.strip() for part in cell.split(";") if part.strip())
    return named, False, list(_option_problems(named))


def _range(low: int, high: int) -> tuple[tuple[str, ...], bool, list[str]]:
    if high <= low:
        return (), True, ["a range goes from the lower number to the higher one"]
    if high - low > WIDEST:
        return (), True, [f"a range is at most {WIDEST} wide"]
    return tuple(map(str, range(low, high + 1))), True, []


def _option_problems(named: tuple[str, ...]) -> Iterable[str]:
    if len(named) < 2:
        yield ONE_OPTION
    if len(named) > MOST_OPTIONS:
        yield f"names {len(named)} options; the maximum is {MOST_OPTIONS}"
    if len({option.casefold() for option in named}) < len(named):
        yield "names an option twice"
    if any(len(option) > LONGEST["options"] for option in named):
        yield f"names an option of more than {LONGEST['options']} characters"


def match_option(said: str, options: Iterable[str], scale: bool) -> str:
    plain = " ".join(said.split()).casefold()
    whole = WHOLE.fullmatch(plain) if scale else None
    wanted = str(_int(whole[1])) if whole else plain
    return next((option for option in options if option.casefold() == wanted), "")


def _int(digits: str) -> int:
    return int(digits.replace("−", "-"))


def _short(cell: str) -> str:
    return cell if len(cell) <= 60 else f"{cell[:60].rstrip()}…"
