from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from plans.portability.documents import (
    BacklogDocument,
    BacklogQuestionDocument,
    BotDocument,
    DataFieldDocument,
    QuestionDocument,
    ScriptDocument,
    SectionDocument,
    SubGoalDocument,
    TopicDocument,
    TopicsDocument,
)
from plans.portability.problems import BrokenDocument, Problem
from plans.portability.tree import Loc, Tree

Document = TypeVar("Document", bound=BaseModel)
MODELS = (
    *(ScriptDocument, SectionDocument, QuestionDocument, BotDocument),
    *(TopicDocument, SubGoalDocument, DataFieldDocument, BacklogQuestionDocument),
)
FIELDS = sorted({name for model in MODELS for name in model.model_fields})


def check(shape: type[Document], tree: Tree) -> Document:
    """Return the document that the data describes. Raises BrokenDocument with every problem."""
    try:
        document = shape.model_validate(tree.data)
    except ValidationError as error:
        raise BrokenDocument(_problem(detail, tree) for detail in error.errors()) from error
    twice = [Problem(what, tree.line(loc), tree.name(loc)) for loc, what in _repeated(document)]
    if twice:
        raise BrokenDocument(twice)
    return document


def _problem(detail: ErrorDetails, tree: Tree) -> Problem:
    loc = _as_written(tuple(part for part in detail["loc"] if part != "[key]"), tree.data)
    return Problem(message(detail), tree.line(loc), tree.name(loc))


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


def message(detail: ErrorDetails) -> str:
    """Return a pydantic error in words for the author of the file."""
    if describe := MESSAGES.get(detail["type"]):
        return describe(detail, detail.get("ctx", {}))
    return detail["msg"].removeprefix("Value error, ")


def _unknown_field(detail: ErrorDetails, _: dict[str, Any]) -> str:
    name = str(detail["loc"][-1])
    close = get_close_matches(name, FIELDS, 1)
    return "is not a known field" + (f"; did you mean “{close[0]}”?" if close else "")


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
    "extra_forbidden": _unknown_field,
    "string_type": lambda d, c: "must be text",
    "string_unicode": lambda d, c: "holds half a character (a lone surrogate)",
    "string_pattern_mismatch": _pattern_mismatch,
    "string_too_long": lambda d, c: f"may have at most {c['max_length']} characters",
    "too_long": lambda d, c: f"may have at most {c['max_length']} {_unit(c)}",
    "int_parsing": lambda d, c: "must be a whole number",
    "int_type": lambda d, c: "must be a whole number",
    "int_from_float": lambda d, c: "must be a whole number",
    "int_parsing_size": lambda d, c: "is too large",
    "bool_parsing": lambda d, c: "must be yes or no",
    "bool_type": lambda d, c: "must be yes or no",
    "greater_than_equal": lambda d, c: f"must be at least {c['ge']}",
    "less_than_equal": lambda d, c: f"must be at most {c['le']}",
    "list_type": lambda d, c: "must be a list",
    "dict_type": lambda d, c: "must be a block of named fields",
    "model_type": lambda d, c: "must be a block of named fields",
    "model_attributes_type": lambda d, c: "must be a block of named fields",
    "literal_error": lambda d, c: f"must be {c['expected']}",
}


def _repeated(document: BaseModel) -> Iterator[tuple[Loc, str]]:
    if isinstance(document, ScriptDocument):
        yield from _repeated_in_script(document, ())
    if isinstance(document, BotDocument):
        for i, script in enumerate(document.scripts):
            yield from _repeated_in_script(script, ("scripts", i))
        for i, _ in _repeats(script.language for script in document.scripts):
            yield ("scripts", i, "language"), "another script is in this language already"
        for i, _ in _repeats(field.key for field in document.data_fields):
            yield ("data_fields", i, "key"), "another field has this key"
        yield from _repeated_keys(document.backlog, "backlog")
    if isinstance(document, BacklogDocument):
        yield from _repeated_keys(document.questions, "questions")
    if isinstance(document, BotDocument | TopicsDocument):
        yield from _repeated_in_topics(document.topics)


def _repeated_keys(
    questions: Sequence[BacklogQuestionDocument], name: str
) -> Iterator[tuple[Loc, str]]:
    for i, key in _repeats(question.key for question in questions):
        yield (name, i, "key"), f"“{key}” is used by another question"


def _repeated_in_topics(topics: Sequence[TopicDocument]) -> Iterator[tuple[Loc, str]]:
    for i, key in _repeats(topic.key for topic in topics):
        yield ("topics", i, "key"), f"“{key}” is used by another topic"
    for i, topic in enumerate(topics):
        for j, _ in _repeats(goal.text for goal in topic.sub_goals):
            yield ("topics", i, "sub_goals", j), "stands in this topic already"


def _repeated_in_script(script: ScriptDocument, at: Loc) -> Iterator[tuple[Loc, str]]:
    for i, key in _repeats(section.key for section in script.sections):
        yield (*at, "sections", i, "key"), f"“{key}” is used by another section"
    for i, section in enumerate(script.sections):
        for j, key in _repeats(question.key for question in section.questions):
            loc = (*at, "sections", i, "questions", j, "key")
            yield loc, f"“{key}” is used by another question of this section"


def _repeats(values: Iterable[str]) -> Iterator[tuple[int, str]]:
    seen = set[str]()
    for i, value in enumerate(values):
        if value in seen:
            yield i, value
        seen.add(value)
