"""SDK clients, cached per event loop so that connections are reused."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Hashable
from typing import Protocol, TypeVar, cast

import httpx2

from llm.concurrency.loops import PerLoop


class Client(Protocol):
    async def close(self) -> None: ...


C = TypeVar("C", bound=Client)

# for all clients, and read with this module: the certificates take as long as some replies
TLS = httpx2.create_ssl_context()
_CLIENTS = PerLoop[dict[Hashable, "_OpenClient"]](dict)


def client(key: Hashable, make: Callable[[], C]) -> C:
    """Return the running loop's client for `key` (address and credentials)."""
    clients = _CLIENTS.get()
    if key not in clients:
        clients[key] = _OpenClient(make())
    return cast(C, clients[key].client)


class _OpenClient:
    """A client whose connections are closed with its loop, which ends unfinished generators."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._closing = self._close()
        self._begun = asyncio.ensure_future(anext(self._closing))

    async def _close(self) -> AsyncGenerator[None, None]:
        try:
            yield
        finally:
            await self.client.close()
