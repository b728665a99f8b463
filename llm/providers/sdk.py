"""Providers reached through an SDK.

SDKs take a second or two to import, for which neither the first page nor a site without a model
should wait. So each is imported in a thread when it is first needed, or by `warm_up`.
"""

import asyncio
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from importlib import import_module
from typing import cast

from django.conf import settings

from llm.providers.base import Address, Event, ModelRequest
from llm.tasks.task import Tier

Stream = Callable[[Address, ModelRequest], AsyncGenerator[Event, None]]


class SDKProvider:
    """A server configured by the settings with `prefix`, reached by `module.stream`."""

    def __init__(self, prefix: str, module: str) -> None:
        self._prefix = prefix
        self._module = module

    def model(self, tier: Tier) -> str:
        return self._setting("CHAT_MODEL" if tier is Tier.MAIN else "FAST_MODEL")

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Event, None]:
        if self._module not in sys.modules:
            await asyncio.to_thread(self.load)
        address = Address(self._setting("BASE_URL"), self._setting("API_KEY") or "none")
        async with aclosing(self.load()(address, request)) as events:
            async for event in events:
                yield event

    def load(self) -> Stream:
        return cast(Stream, import_module(self._module).stream)

    def _setting(self, name: str) -> str:
        return str(getattr(settings, f"{self._prefix}_{name}"))
