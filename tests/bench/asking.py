"""The fake provider's side of a bench: what it is to reply, and one call without a site."""

import asyncio
import time
from collections.abc import Mapping
from typing import Any

import aiohttp
from pydantic import BaseModel

from llm import gateway
from llm.tasks.call_context import CallContext
from llm.tasks.task import Task


async def first_word(task: Task[Any, Any], data: BaseModel, name: str) -> float:
    """Seconds until that field of the reply has its first word."""
    first = asyncio.get_running_loop().create_future()

    def heard(partial: Mapping[str, Any]) -> None:
        if partial.get(name) and not first.done():
            first.set_result(time.perf_counter())

    began = time.perf_counter()
    await gateway.ask(task, data, CallContext(record=lambda _record: None), heard)
    return float(await first - began)


async def between(task: Task[Any, Any], data: BaseModel, first: str, last: str) -> float:
    """Seconds from the first word of one field of the reply to that of another."""
    at: dict[str, float] = {}

    def heard(partial: Mapping[str, Any]) -> None:
        for name in (first, last):
            if partial.get(name):
                at.setdefault(name, time.perf_counter())

    await gateway.ask(task, data, CallContext(record=lambda _record: None), heard)
    return at[last] - at[first]


async def queue(
    http: aiohttp.ClientSession, url: str, reply: dict[str, object], schema: str
) -> None:
    """The provider's next reply to that schema."""
    async with http.post(f"{url}/_control", json={"replies": {schema: [reply]}}) as response:
        response.raise_for_status()


async def requests(http: aiohttp.ClientSession, url: str) -> int:
    """How many calls it has had."""
    async with http.get(f"{url}/_requests") as response:
        return int((await response.json())["total"])
