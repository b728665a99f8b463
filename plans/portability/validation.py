from collections.abc import Callable, Collection, Iterable, Iterator
from difflib import get_close_matches
from functools import cache
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from plans.portability.documents import (
    BacklogQuestionDocument,
    DataFieldDocument,
    QuestionDocument,
    ScriptDocument,
    SectionDocument,
    SubGoalDocument,
    TopicDocument,
)
from plans.portability.problems import BrokenDocument, Problem
from plans.portability.tree import Loc, Tree

Document = TypeVar("Document", bound=BaseModel)
UNIQUE: dict[type[BaseModel], tuple[str, str]] = {  # within a list: by which field, and what to say
    ScriptDocument: ("language", "another script is in this language already"),
    SectionDocument: ("key", "“{}” is used by another section"),
    QuestionDocument: ("key", "“{}” is used by another question of this section"),
    TopicDocument: ("key", "“{}” is used by another topic"),
    SubGoalDocument: ("text", "stands in this topic already"),
    DataFieldDocument: ("key", "another field has this key"),
    BacklogQuestionDocument: ("key", "“{}” is used by another question"),
}


def repeated(part: BaseModel, at: Loc = ()) -> Iterator[tuple[Loc, str]]:
    """Yield the items of the document's lists that repeat an earlier one, each with its place."""
    for name, items in part:
        seen = set[str]()
        for place, item in enumerate(items if isinstance(items, list) else ()):
            if type(item) in UNIQUE:
                by, message = UNIQUE[type(item)]
                value = getattr(item, by)
                if value in seen:
                    yield (*at, name, place, by), message.format(value)
                seen.add(value)
                yield from repeated(item, (*at, name, place))


def check(
    shape: type[Document],
    tree: Tree,
    contradictions: Callable[[Document], Iterable[tuple[Loc, str]]] = repeated,
) -> Document:
    """Return the document that the data describes. Raises BrokenDocument with every problem."""
    try:
        document = shape.model_validate(tree.data)
    except ValidationError as error:
        fields = _field_names(shape)
        raise BrokenDocument(
            _problem(detail["loc"], message(detail, fields), tree) for detail in _root_errors(error)
        ) from error
    found = [_problem(loc, what, tree) for loc, what in contradictions(document)]
    if found:
        raise BrokenDocument(found)
    return document


def _root_errors(error: ValidationError) -> list[ErrorDetails]:
    """Drop errors that only follow: a list is also called too short for its broken entries."""
    details = error.errors()
    places = {detail["loc"] for detail in details}
    within = {place[:end] for place in places for end in range(len(place))}
    return [one for one in details if one["type"] != "too_short" or one["loc"] not in within]


def _problem(loc: Loc, what: str, tree: Tree) -> Problem:
    loc = _as_written(tuple(part for part in loc if part != "[key]"), tree.data)
    return Problem(what, tree.line(loc), tree.name(loc))


def _as_written(loc: Loc, data: Any) -> Loc:
    """Cut the location at a plain text, which a file may hold in place of a block."""
    for depth, part in enumerate(loc):
        if isinstance(data, str):
            return loc[:depth]
        try:
            data = data[part]
        except (LookupError, TypeError):
            break
    return loc


@cache
def _field_names(shape: type[BaseModel]) -> list[str]:
    """Return the names of its fields and of those of its parts."""
    schema = shape.model_json_schema()
    parts = (schema, *schema.get("$defs", {}).values())
    return sorted({name for part in parts for name in part.get("properties", ())})


def message(detail: ErrorDetails, fields: Collection[str] = ()) -> str:
    """Return a pydantic error in words for the author of the file, which may have these fields."""
    if detail["type"] == "extra_forbidden":
        return f"is not a known field{did_you_mean(str(detail['loc'][-1]), fields)}"
    if describe := MESSAGES.get(detail["type"]):
        return describe(detail, detail.get("ctx", {}))
    return detail["msg"].removeprefix("Value error, ")


def did_you_mean(name: str, known: Collection[str]) -> str:
    close = get_close_matches(name, known, 1)
    return f"; did you mean “{close[0]}”?" if close else ""


def _pattern_mismatch(detail: ErrorDetails, _: dict[str, Any]) -> str:
    if not detail["input"]:
        return "may not be empty"
    if detail["loc"][-1] in ("language", "[key]"):
        return "must be a language tag such as en, it, ru or pt-BR"
    return "may hold only Latin letters, digits, - and _"


def _unit(context: dict[str, Any]) -> str:
    return "entries" if context.get("field_type") == "List" else "characters"


MESSAGES: dict[str, Callable[[ErrorDetails, dict[str, Any]], str]] = {
    "missing": lambda d, c: "is missing",
    "string_type": lambda d, c: "must be text",
    "string_unicode": lambda d, c: "holds half a character (a lone surrogate)",
    "string_pattern_mismatch": _pattern_mismatch,
    "string_too_long": lambda d, c: f"may have at most {c['max_length']} characters",
    "too_short": lambda d, c: "has too few entries" if d["input"] else "may not be empty",
    "too_long": lambda d, c: f"may have at most {c['max_length']} {_unit(c)}",
    "int_parsing": lambda d, c: "must be a whole number",
    "int_type": lambda d, c: "must be a whole number",
    "int_from_float": lambda d, c: "must be a whole number",
    "int_parsing_size": lambda d, c: "is too large",
    "float_parsing": lambda d, c: "must be a number",
    "float_type": lambda d, c: "must be a number",
    "finite_number": lambda d, c: "must be a number",
    "bool_parsing": lambda d, c: "must be yes or no",
    "bool_type": lambda d, c: "must be yes or no",
    "greater_than_equal": lambda d, c: f"must be at least {c['ge']}",
    "less_than_equal": lambda d, c: f"must be at most {c['le']}",
    "list_type": lambda d, c: "must be a list",
    "tuple_type": lambda d, c: "must be a list",
    "dict_type": lambda d, c: "must be a block of named fields",
    "model_type": lambda d, c: "must be a block of named fields",
    "model_attributes_type": lambda d, c: "must be a block of named fields",
    "literal_error": lambda d, c: f"must be {c['expected']}",
}
