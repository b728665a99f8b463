"""The people as data: what each says, and what each line truly is."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from interviews.engine.context import Trigger
from interviews.engine.reading import Care, Intent
from llm.tasks.yaml_files import read_yaml_file

HERE = Path(__file__).parent
ENGLISH = "en"
RECENT = 2  # questions of which one may be answered, the latest first


@dataclass(frozen=True)
class Line:
    say: str = ""
    intent: Intent = "answer"
    care: Care = "none"
    closed: str = ""  # the subject that a refusal closes
    at: str = ""  # what the question must contain for this to answer it
    press: Trigger = "user_answer"
    confirm: "Line | None" = None  # said to "shall we stop?"
    worth: float | None = None  # of a technical answer, 0 to 1; None: by its length
    heard: str = ""  # what a model says first of it, where it is more than one thing

    @property
    def correctness(self) -> float:
        if self.intent != "answer" or self.care != "none":
            return 0.0
        return (0.8 if len(self.say.split()) > 12 else 0.4) if self.worth is None else self.worth


Step = Line | str  # "ordinary" and "own" stand for a line of words/PROTOCOL.yaml


@dataclass(frozen=True)
class Person:
    name: str
    who: str
    lines: tuple[Step, ...]
    care_replies: tuple[Line, ...]  # to the choice after the care text; the last one repeats
    worth: float | None  # of own technical answers
    languages: tuple[str, ...]  # of the interviews; none: all


@dataclass
class Words:
    """What is left to say of what fits one protocol."""

    own: list[Line]
    ordinary: list[Line]

    def next(self, step: str, asked: Sequence[str]) -> Line | None:
        """Take the line that answers the latest question, else one that fits anywhere."""
        left: list[Line] = getattr(self, step)
        found = next(
            (
                line
                for text in [*reversed(asked)][:RECENT]
                for line in left
                if line.at and re.search(line.at, text, re.I)
            ),
            None,
        )
        found = found or next((line for line in left if not line.at), next(iter(left), None))
        if found:
            left.remove(found)
        return found


@cache
def people() -> dict[str, Person]:
    return {name: _person(name, entry) for name, entry in _read("people").items()}


def played_in(language: str) -> list[Person]:
    return [one for one in people().values() if not one.languages or language in one.languages]


def in_words_of(language: str, line: Line) -> Line:
    """Return a line of people.yaml in this language; what confirms it stays as it is."""
    if language == ENGLISH:
        return line
    words = read_words(language, "people")
    said, closed = line.say and words[line.say], line.closed and words[line.closed]
    return replace(line, say=said, closed=closed)


def words_of(person: Person, protocol: str, language: str = ENGLISH) -> Words:
    found = read_words(language, protocol)
    own = [_line({"worth": person.worth, **one}) for one in found.get(person.name, ())]
    return Words(own, [_line(one) for one in found["ordinary"]])


def _person(name: str, entry: dict[str, Any]) -> Person:
    return Person(
        name=name,
        who=entry["who"],
        lines=tuple(one if isinstance(one, str) else _line(one) for one in entry["lines"]),
        care_replies=tuple(map(_line, entry.get("care_replies", ["Yes, let's go on."]))),
        worth=entry.get("worth"),
        languages=tuple(entry.get("languages", ())),
    )


def _line(entry: str | dict[str, Any]) -> Line:
    if isinstance(entry, str):
        return Line(entry)
    confirm = entry.get("confirm")
    return Line(**{**entry, "confirm": None if confirm is None else _line(confirm)})


def read_words(language: str, name: str) -> dict[str, Any]:
    return _read(f"words/{language}/{name}")


@cache
def _read(name: str) -> dict[str, Any]:
    content: dict[str, Any] = read_yaml_file(HERE / f"{name}.yaml")
    return content
