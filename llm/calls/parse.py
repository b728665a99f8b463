"""Turns a model's whole reply into a value, or into the reason why there is none."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar, cast

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from llm.providers.base import ModelRequest, Stop
from llm.tasks.records import CallOutcome
from llm.tasks.task import Message

Out = TypeVar("Out")
Plain = Callable[[str], Out | None]

TRIES = 20  # places at which an object may start
ERRORS = 8  # reported to the model
QUESTION_MARKS = ("?", "？", "؟")
NULS = re.compile(r"(?<!\\)((?:\\\\)*)\\u0000")


@dataclass(frozen=True, slots=True)
class Usable(Generic[Out]):
    value: Out


@dataclass(frozen=True, slots=True)
class Unusable:
    """Why a reply can't be used; `errors` goes to the model or the log."""

    outcome: CallOutcome
    errors: str


def clean(text: str) -> str:
    """Replace what databases can't store: NUL and lone surrogates."""
    text = text.replace("\x00", " ")
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def read(
    text: str, stop: Stop, output: type[Out], plain: Plain[Out] | None = None, needed: str = ""
) -> Usable[Out] | Unusable:
    """Read a reply as `output`: a Pydantic model, or `str` for plain text.

    `plain` may make a value of a reply without an object, or return None. After a silence, a text
    is whole if it ends with a question, and an object if its field `needed` is whole.
    """
    if stop is Stop.REFUSAL:
        return Unusable(CallOutcome.REFUSED, "the model refused")
    if not text.strip():
        return Unusable(CallOutcome.EMPTY, "the reply is empty")
    if stop is Stop.SILENCE:
        return _read_unfinished(NULS.sub(r"\1", text), output, needed)
    if output is str:
        return _truncated() if stop is Stop.LENGTH else Usable(cast(Out, text.strip()))
    result = _read_object(NULS.sub(r"\1 ", text), output)
    if isinstance(result, Unusable) and stop is Stop.LENGTH:
        return _truncated()
    if isinstance(result, Unusable) and plain and "{" not in text:
        value = plain(text.strip())
        return result if value is None else Usable(value)
    return result


def _truncated() -> Unusable:
    return Unusable(CallOutcome.TRUNCATED, "the reply was cut off at the length limit")


def _read_unfinished(text: str, output: type[Out], needed: str) -> Usable[Out] | Unusable:
    if output is str:
        whole = text.rstrip().endswith(QUESTION_MARKS)
        return Usable(cast(Out, text.strip())) if whole else _unfinished()
    if extract_object(text):
        return _read_object(text, output)
    model = cast(type[BaseModel], output)
    try:
        found = from_json(text[text.find("{") :], allow_partial=True)
        return Usable(cast(Out, model.model_validate(found))) if needed in found else _unfinished()
    except ValueError:
        return _unfinished()


def _unfinished() -> Unusable:
    return Unusable(CallOutcome.TIMEOUT, "the model fell silent before the end")


def _read_object(text: str, output: type[Out]) -> Usable[Out] | Unusable:
    found = extract_object(text)
    if found is None:
        return Unusable(CallOutcome.INVALID, "there is no complete JSON object in it")
    model = cast(type[BaseModel], output)
    try:
        return Usable(cast(Out, model.model_validate_json(found)))
    except ValidationError as error:
        return Unusable(CallOutcome.INVALID, _error_list(error))


def extract_object(text: str) -> str | None:
    """Return the first complete JSON object in a text, without fences or prose around it.

    After a broken object the search continues behind the break, since an object inside it isn't
    the answer.
    """
    start = text.find("{")
    for _ in range(TRIES):
        if start < 0:
            return None
        try:
            return text[start : _DECODER.raw_decode(text, start)[1]]
        except json.JSONDecodeError as error:
            start = text.find("{", max(error.pos, start + 1))
        except (RecursionError, ValueError):  # nested too deep, or a number of thousands of digits
            return None
    return None


_DECODER = json.JSONDecoder()


def _error_list(error: ValidationError) -> str:
    lines = []
    for one in error.errors(include_url=False)[:ERRORS]:
        place = ".".join(map(str, one["loc"])) or "the object"
        lines.append(f"- {place}: {one['msg']}")
    return "\n".join(lines)


MAX_REPLY = 8_000  # characters of the bad reply that are sent back


def repair_request(request: ModelRequest, reply: str, why: Unusable) -> ModelRequest | None:
    """Return a request with the reply and its errors, or None if that wouldn't help."""
    if why.outcome is CallOutcome.REFUSED:
        return None
    if why.outcome is CallOutcome.EMPTY:  # there is nothing to send back
        return request
    bad_reply = Message("assistant", reply[:MAX_REPLY].rstrip())
    prompt = Message("user", _repair_prompt(request, why))
    factor = 2 if why.outcome is CallOutcome.TRUNCATED else 1
    return replace(
        request,
        messages=(*request.messages, bad_reply, prompt),
        max_tokens=request.max_tokens * factor,
    )


def _repair_prompt(request: ModelRequest, why: Unusable) -> str:
    form = "with one complete JSON object and nothing else" if request.shape else "in full"
    short = " Keep it short." if why.outcome is CallOutcome.TRUNCATED else ""
    return f"This reply could not be used:\n{why.errors}\nReply again, {form}.{short}"
