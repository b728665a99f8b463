"""Providers reached through an SDK.

SDKs take a second or two to import, for which neither the first page nor a site without a model
should wait. So each is imported in a thread, as part of a process's warming up.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from importlib import import_module
from typing import Any

from django.conf import settings

from llm.providers import structured
from llm.providers.base import Address, Event, Fault, ModelRequest, ProviderError
from llm.tasks.task import Tier

CHECK_TIMEOUT = 15.0  # seconds


class SDKProvider:
    """A server configured by the settings with `prefix`, reached by the functions of `module`."""

    def __init__(self, prefix: str, module: str) -> None:
        self._prefix = prefix
        self._module = module
        self._wire: Any = None

    def model(self, tier: Tier) -> str:
        return self._setting("CHAT_MODEL" if tier is Tier.MAIN else "FAST_MODEL")

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Event, None]:
        wire = await self._loaded()
        sdk = wire.client_for(self._address())
        server = structured.Server(str(sdk.base_url), request.model)
        while True:
            try:
                async with aclosing(_stream(wire, sdk, server, request)) as events:
                    async for event in events:
                        yield event
                return
            except ProviderError as error:
                if not structured.refuses_schema(server, request, error):
                    raise

    async def check(self) -> None:
        """Ask for the list of models, which is free. Raises ProviderError."""
        wire = await self._loaded()
        try:
            models = wire.client_for(self._address()).models
            await models.with_raw_response.list(timeout=CHECK_TIMEOUT)
        except Exception as error:
            raise wire.provider_error(error) from error

    def _address(self) -> Address:
        return Address(self._setting("BASE_URL"), self._setting("API_KEY") or "none")

    async def _loaded(self) -> Any:
        # not from sys.modules: a module that another thread still imports is in there, too
        return self._wire or await asyncio.to_thread(self.load)

    def load(self) -> Any:
        self._wire = import_module(self._module)
        return self._wire

    def _setting(self, name: str) -> str:
        return str(getattr(settings, f"{self._prefix}_{name}"))


async def _stream(
    wire: Any, sdk: Any, server: structured.Server, request: ModelRequest
) -> AsyncGenerator[Event, None]:
    reply = wire.Reply()
    try:
        async with await wire.create(sdk, server, request) as parts:
            async for part in parts:
                for event in reply.events(part):
                    yield event
    except Exception as error:
        raise wire.provider_error(error) from error
    for event in reply.end():
        yield event


class OfflineProvider:
    """No model at all, so that the fallbacks answer."""

    def model(self, tier: Tier) -> str:
        return ""

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Event, None]:
        raise ProviderError(Fault.ACCESS, "no model is set up")
        yield  # makes this a generator, as the other providers' streams are
