"""The fake provider's side of a bench: what it is to reply, and one call without a site."""

import time
from collections.abc import Mapping
from typing import Any

import aiohttp
from pydantic import BaseModel

from llm import gateway
from llm.tasks.call_context import CallContext
from llm.tasks.task import Task

TRIES = 3  # a call may fail where tests run beside the bench


async def first_word(task: Task[Any, Any], data: BaseModel, name: str) -> float:
    """Seconds until that field of the reply has its first word."""
    began, at = await _asked(task, data, name)
    return at[name] - began


async def between(task: Task[Any, Any], data: BaseModel, first: str, last: str) -> float:
    """Seconds from the first word of one field of the reply to that of another."""
    _began, at = await _asked(task, data, first, last)
    return at[last] - at[first]


async def _asked(
    task: Task[Any, Any], data: BaseModel, *names: str
) -> tuple[float, dict[str, float]]:
    """Return when a call began, and when each of these fields of its reply did."""
    for _ in range(TRIES):
        at: dict[str, float] = {}

        def heard(partial: Mapping[str, Any], at: dict[str, float] = at) -> None:
            for name in names:
                if partial.get(name):
                    at.setdefault(name, time.perf_counter())

        began = time.perf_counter()
        await gateway.ask(task, data, CallContext(record=lambda _record: None), heard)
        if len(at) == len(names):
            return began, at
    raise RuntimeError(f"{task.name} gave no {' and '.join(names)} in {TRIES} tries")


async def queue(
    http: aiohttp.ClientSession, url: str, reply: dict[str, object], schema: str
) -> None:
    """The provider's next reply to that schema."""
    async with http.post(f"{url}/_control", json={"replies": {schema: [reply]}}) as response:
        response.raise_for_status()
