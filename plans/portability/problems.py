"""What is wrong with a file."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """One thing to mend: where, in which field, and what."""

    message: str
    line: int | None = None
    field: str = ""

    def __str__(self) -> str:
        place = ", ".join(
            part for part in (f"line {self.line}" if self.line else "", self.field) if part
        )
        return f"{place}: {self.message}" if place else self.message


class BrokenDocument(Exception):
    """A file that can't be taken in. `problems` holds all that was found, in order of lines."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = sorted(problems, key=lambda problem: problem.line or 0)
        super().__init__("\n".join(str(problem) for problem in self.problems))


def broken(message: str, line: int | None = None, field: str = "") -> BrokenDocument:
    """An exception with a single problem."""
    return BrokenDocument([Problem(message, line, field)])
