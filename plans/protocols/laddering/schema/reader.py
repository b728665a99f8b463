from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from plans.portability.decoder import checked, decode
from plans.portability.problems import BrokenDocument, Problem, broken
from plans.portability.tree import Loc, Tree, read_json, read_yaml
from plans.portability.validation import message
from plans.protocols.laddering.schema import concept as concepts
from plans.protocols.laddering.schema import methodology as methodologies
from plans.protocols.laddering.schema.concept import Concept
from plans.protocols.laddering.schema.consistency import (
    Problems,
    concept_problems,
    methodology_problems,
)
from plans.protocols.laddering.schema.methodology import Methodology
from plans.protocols.laddering.schema.vocabulary import Term, registered_terms

Shape = TypeVar("Shape", bound=BaseModel)
FIELDS = sorted(
    {
        name
        for module in (concepts, methodologies)
        for shape in vars(module).values()
        if isinstance(shape, type) and issubclass(shape, BaseModel)
        for name in shape.model_fields
    }
)
NUMBERS = ("float_parsing", "float_type", "finite_number")


@dataclass(frozen=True)
class FileProblem(Problem):
    file: str = ""  # in which the problem is

    def __str__(self) -> str:
        place = super().__str__()
        return f"{self.file}, {place}" if self.file else place


def read_concept(content: str | bytes, name: str = "") -> Concept:
    """Read a concept from YAML or JSON; `name` is the file's. Raises BrokenDocument."""
    return _read(content, name, Concept, concept_problems)


def read_methodology(
    content: str | bytes, name: str = "", terms: Mapping[str, Term] | None = None
) -> Methodology:
    """Read a methodology from YAML or JSON; `name` is the file's. Raises BrokenDocument.

    `terms` are the signals that its weights may name, by default the registered ones.
    """
    known = registered_terms() if terms is None else terms
    return _read(content, name, Methodology, lambda made: methodology_problems(made, known))


def concept_within(tree: Tree, at: str) -> Concept:
    """Read the concept in another file's field `at`. Raises BrokenDocument."""
    return _check(_part(tree, at), Concept, concept_problems)


def methodology_within(tree: Tree, at: str) -> Methodology:
    known = registered_terms()
    return _check(_part(tree, at), Methodology, lambda made: methodology_problems(made, known))


def _read(
    content: str | bytes, name: str, shape: type[Shape], problems: Callable[[Shape], Problems]
) -> Shape:
    try:
        return _check(_tree(content, name), shape, problems)
    except BrokenDocument as error:
        raise BrokenDocument(
            FileProblem(p.message, p.line, p.field, name) for p in error.problems
        ) from error


def _check(tree: Tree, shape: type[Shape], problems: Callable[[Shape], Problems]) -> Shape:
    content = _validate(shape, tree)
    found = [_problem(loc, what, tree) for loc, what in problems(content)]
    if found:
        raise BrokenDocument(found)
    return content


def _part(tree: Tree, at: str) -> Tree:
    lines = {loc[1:]: line for loc, line in tree.lines.items() if loc[:1] == (at,)}
    return Tree(tree.data[at], lines, lambda loc: tree.name((at, *loc)))


def _tree(content: str | bytes, name: str) -> Tree:
    text = decode(content) if isinstance(content, bytes) else checked(content)
    if not text.strip():
        raise broken("There is nothing in it.")
    is_json = name.lower().endswith(".json") or text.lstrip().startswith("{")
    tree = read_json(text) if is_json else read_yaml(text)
    if not isinstance(tree.data, dict):
        raise broken("must be a block of named fields, beginning with format and version", 1)
    return tree


def _validate(shape: type[Shape], tree: Tree) -> Shape:
    try:
        return shape.model_validate(tree.data)
    except ValidationError as error:
        raise BrokenDocument(_problem_of(detail, tree) for detail in _root_errors(error)) from error


def _root_errors(error: ValidationError) -> list[ErrorDetails]:
    """Drop errors that only follow: a list is also called too short for its broken entries."""
    details = error.errors()
    places = {detail["loc"] for detail in details}
    within = {place[:end] for place in places for end in range(len(place))}
    return [one for one in details if one["type"] != "too_short" or one["loc"] not in within]


def _problem_of(detail: ErrorDetails, tree: Tree) -> Problem:
    loc: Loc = tuple(part for part in detail["loc"] if part != "[key]")
    return _problem(loc, _message(detail), tree)


def _message(detail: ErrorDetails) -> str:
    if detail["type"] in NUMBERS:
        return "must be a number"
    if detail["type"] == "tuple_type":
        return "must be a list"
    if detail["type"] == "extra_forbidden":
        close = get_close_matches(str(detail["loc"][-1]), FIELDS, 1)
        return "is not a known field" + (f"; did you mean “{close[0]}”?" if close else "")
    if detail["type"] == "too_short":
        return "may not be empty" if not detail["input"] else "has too few entries"
    return message(detail)


def _problem(loc: Loc, what: str, tree: Tree) -> Problem:
    return Problem(what, tree.line(loc), tree.name(loc))
