from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    message: str
    line: int | None = None
    field: str = ""
    file: str = ""  # where several are read

    def __str__(self) -> str:
        place = ", ".join(filter(None, (f"line {self.line}" if self.line else "", self.field)))
        text = f"{place}: {self.message}" if place else self.message
        return f"{self.file}, {text}" if self.file else text


class BrokenDocument(Exception):
    """A file that can't be read. `problems` holds everything found, sorted by line."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = sorted(problems, key=lambda problem: problem.line or 0)
        super().__init__("\n".join(str(problem) for problem in self.problems))


def broken(message: str, line: int | None = None, field: str = "") -> BrokenDocument:
    return BrokenDocument([Problem(message, line, field)])
