"""Providers reached through an SDK.

SDKs take a second or two to import, for which neither the first page nor a site without a model
should wait. So each is imported in a thread when it is first needed, which is by `check`.
"""

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import aclosing
from importlib import import_module
from typing import Any

from django.conf import settings

from llm.providers.base import Address, Event, ModelRequest
from llm.tasks.task import Tier

CHECK_TIMEOUT = 15.0  # seconds


class SDKProvider:
    """A server configured by the settings with `prefix`, reached by the functions of `module`."""

    def __init__(self, prefix: str, module: str) -> None:
        self._prefix = prefix
        self._module = module

    def model(self, tier: Tier) -> str:
        return self._setting("CHAT_MODEL" if tier is Tier.MAIN else "FAST_MODEL")

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Event, None]:
        if self._module not in sys.modules:
            await asyncio.to_thread(self.load)
        async with aclosing(self.load().stream(self._address(), request)) as events:
            async for event in events:
                yield event

    async def check(self) -> None:
        """Ask for the list of models, which is free. Raises ProviderError."""
        wire = await asyncio.to_thread(self.load)
        try:
            models = wire.client_for(self._address()).models
            await models.with_raw_response.list(timeout=CHECK_TIMEOUT)
        except Exception as error:
            raise wire.provider_error(error) from error

    def _address(self) -> Address:
        return Address(self._setting("BASE_URL"), self._setting("API_KEY") or "none")

    def load(self) -> Any:
        return import_module(self._module)

    def _setting(self, name: str) -> str:
        return str(getattr(settings, f"{self._prefix}_{name}"))
