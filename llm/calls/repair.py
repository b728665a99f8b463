"""Asking once more after a reply that could not be used."""

from dataclasses import replace

from llm.calls.parse import Unusable
from llm.providers.base import ModelRequest
from llm.tasks.records import CallOutcome
from llm.tasks.task import Message

MAX_REPLY = 8_000  # characters of the bad reply that are sent back


def repaired(request: ModelRequest, reply: str, why: Unusable) -> ModelRequest | None:
    """The request that sends the reply back with its errors; None where that is no use."""
    if why.outcome is CallOutcome.REFUSED:
        return None
    if why.outcome is CallOutcome.EMPTY:  # there is nothing to send back
        return request
    said = Message("assistant", reply[:MAX_REPLY].rstrip())
    again = Message("user", _errors(request, why))
    longer = 2 if why.outcome is CallOutcome.TRUNCATED else 1
    return replace(
        request,
        messages=(*request.messages, said, again),
        max_tokens=request.max_tokens * longer,
    )


def _errors(request: ModelRequest, why: Unusable) -> str:
    form = "with one complete JSON object and nothing else" if request.shape else "in full"
    short = " Keep it short." if why.outcome is CallOutcome.TRUNCATED else ""
    return f"This reply could not be used:\n{why.errors}\nReply again, {form}.{short}"
