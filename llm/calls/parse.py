"""From a model's whole reply to a value, or to the reason why there is none."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from pydantic import BaseModel, ValidationError

from llm.providers.base import Stop
from llm.tasks.records import CallOutcome

Out = TypeVar("Out")
Plain = Callable[[str], Out | None]

TRIES = 20  # places at which an object may begin
ERRORS = 8  # told to the model
NULS = re.compile(r"(?<!\\)((?:\\\\)*)\\u0000")


@dataclass(frozen=True, slots=True)
class Usable(Generic[Out]):
    """The reply is what was asked for."""

    value: Out


@dataclass(frozen=True, slots=True)
class Unusable:
    """It is not; `errors` is what to tell the model, or the log."""

    outcome: CallOutcome
    errors: str


def clean(text: str) -> str:
    """Text that every database stores: no NUL, no lone surrogates."""
    text = text.replace("\x00", "")
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def read(
    text: str, stop: Stop, output: type[Out], plain: Plain[Out] | None = None
) -> Usable[Out] | Unusable:
    """Read a reply as `output` (a Pydantic model, or `str` for plain text).

    `plain` may make a value of a whole reply that holds no object; None where it can't.
    """
    if stop is Stop.REFUSAL:
        return Unusable(CallOutcome.REFUSED, "the model refused")
    if not text.strip():
        return Unusable(CallOutcome.EMPTY, "the reply is empty")
    if output is str:
        return _truncated() if stop is Stop.LENGTH else Usable(cast(Out, text.strip()))
    result = _object(NULS.sub(r"\1", text), output)
    if isinstance(result, Unusable) and stop is Stop.LENGTH:
        return _truncated()
    if isinstance(result, Unusable) and plain and "{" not in text:
        value = plain(text.strip())
        return result if value is None else Usable(value)
    return result


def _truncated() -> Unusable:
    return Unusable(CallOutcome.TRUNCATED, "the reply was cut off at the length limit")


def _object(text: str, output: type[Out]) -> Usable[Out] | Unusable:
    found = cut_out(text)
    if found is None:
        return Unusable(CallOutcome.INVALID, "there is no complete JSON object in it")
    model = cast(type[BaseModel], output)
    try:
        return Usable(cast(Out, model.model_validate_json(found)))
    except ValidationError as error:
        return Unusable(CallOutcome.INVALID, _listed(error))


def cut_out(text: str) -> str | None:
    """The first whole JSON object in a text, without the fences or prose around it.

    After a broken one the search goes on behind the break: an object inside it is not the answer.
    """
    start = text.find("{")
    for _ in range(TRIES):
        if start < 0:
            return None
        try:
            return text[start : _DECODER.raw_decode(text, start)[1]]
        except json.JSONDecodeError as error:
            start = text.find("{", max(error.pos, start + 1))
        except RecursionError:
            return None
    return None


_DECODER = json.JSONDecoder()


def _listed(error: ValidationError) -> str:
    lines = [f"- {_place(one['loc'])}: {one['msg']}" for one in error.errors(include_url=False)]
    return "\n".join(lines[:ERRORS])


def _place(loc: tuple[Any, ...]) -> str:
    return ".".join(str(part) for part in loc) or "the object"
