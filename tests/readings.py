"""What tests let a model say first of an answer: what it has heard."""

from collections.abc import Mapping
from typing import Any

from interviews.engine.reading import as_read


def heard(intent: str = "answer", care: str = "none", closed_subject: str = "") -> dict[str, str]:
    """Return the field that opens every reading call, for an answer that is one thing only."""
    read = as_read(intent)
    said = " ".join((read["answers"], *read["wishes"], *((care,) if care != "none" else ())))
    return {"heard": f"{said}: {closed_subject}" if closed_subject else said}


READ = heard()


def as_heard(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return a model's fields with what was heard in place of `intent`, `care` and the like."""
    read = {name: fields[name] for name in ("intent", "care", "closed_subject") if name in fields}
    rest = {name: value for name, value in fields.items() if name not in read}
    return {**heard(**read), **rest} if read else rest


def follows_up(words: str) -> dict[str, str]:
    """A life story's plan that stays with the question in these words."""
    plan = {"action": "FOLLOW_UP", "next_utterance": words, "transition": ""}
    return READ | plan | {"assessment": "thin", "reason": "there is more"}
