"""How well hurried answers are found, in talks labelled by hand: precision and recall.

python -m tests.interviews.effort_measure
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from interviews.measures.response_quality.score import Answer, Effort, rate_answers
from llm.tasks.yaml_files import read_yaml_file

TALKS = Path(__file__).parent / "effort_talks"
SETS = ("tuned", "held_out")


class Judged(NamedTuple):
    """One answer, what a reader says of it, and what the rules say."""

    language: str
    answer: Answer
    low: bool
    effort: Effort


@dataclass(frozen=True)
class Figures:
    """How the rules and a reader agree."""

    answers: int
    low: int
    found: int
    right: int

    @property
    def precision(self) -> float:
        """Of those found, how many a reader calls so too."""
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """Of those that a reader calls so, how many were found."""
        return self.right / self.low if self.low else 1.0


def judged(name: str) -> list[Judged]:
    """All answers of a set."""
    talks = read_yaml_file(TALKS / f"{name}.yaml")
    return [one for talk in talks for one in _judged(talk["language"], talk["turns"])]


def _judged(language: str, turns: list[dict[str, Any]]) -> Iterator[Judged]:
    answers = [
        Answer(turn["said"], turn["asked"], language, turn.get("s"), turn.get("pasted"))
        for turn in turns
    ]
    for turn, answer, effort in zip(turns, answers, rate_answers(answers), strict=True):
        yield Judged(language, answer, turn["low"], effort)


def figures(answers: Iterable[Judged]) -> Figures:
    """Of these answers."""
    all_of_them = list(answers)
    found = [one for one in all_of_them if one.effort.hurried]
    return Figures(
        answers=len(all_of_them),
        low=sum(one.low for one in all_of_them),
        found=len(found),
        right=sum(one.low for one in found),
    )


def main() -> None:
    """Prints the figures by set and language, and where the rules are wrong."""
    print(f"{'set':10}{'language':10}{'answers':>8}{'low':>6}{'precision':>11}{'recall':>8}")
    for name in SETS:
        answers = judged(name)
        for language in ("en", "it", "ru", ""):
            those = figures(one for one in answers if language in ("", one.language))
            print(
                f"{name:10}{language or 'all':10}{those.answers:8}{those.low:6}"
                f"{those.precision:11.2f}{those.recall:8.2f}"
            )
        for one in answers:
            if one.low != one.effort.hurried:
                print(f"  wrong: {one.answer.text[:60]!r} {one.effort}")


if __name__ == "__main__":
    main()
