"""Asks once more after a reply that can't be used."""

from dataclasses import replace

from llm.calls.parse import Unusable
from llm.providers.base import ModelRequest
from llm.tasks.records import CallOutcome
from llm.tasks.task import Message

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
