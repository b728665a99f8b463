"""What tests let a model say first of an answer: what it has heard."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from interviews.engine.reading import as_read


def heard(intent: str = "answer", care: str = "none", closed_subject: str = "") -> dict[str, str]:
    """Return the field that opens every reading call, for an answer that is one thing only."""
    read = as_read(intent)
    said = " ".join((read["answers"], *read["wishes"], *((care,) if care != "none" else ())))
    return {"heard": f"{said}: {closed_subject}" if closed_subject else said}


READ = heard()
MOVE = re.compile(r'^(\w[\w.]*): (only if )?(.*?)(?: As written: "(.*)")?$', re.M)


class Offered(NamedTuple):
    """A move as a model reads it."""

    id: str
    seldom: bool  # only for rare cases
    aim: str
    written: str


def offered(moves: str) -> list[Offered]:
    """Return the moves that a prompt offers, a line each."""
    return [Offered(name, bool(only), *rest) for name, only, *rest in MOVE.findall(moves)]


def as_heard(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return a model's fields with what was heard in place of `intent`, `care` and the like."""
    read = {name: fields[name] for name in ("intent", "care", "closed_subject") if name in fields}
    rest = {name: value for name, value in fields.items() if name not in read}
    return {**heard(**read), **rest} if read else rest


def follows_up(words: str) -> dict[str, str]:
    """Return what leads an interview that stays with the answer, in these words."""
    return {"heard": "fully stay", "say": words}
