"""SDK clients, cached per event loop so that connections are reused."""

import ssl
from collections.abc import Callable, Hashable
from functools import cache
from typing import TypeVar, cast

import httpx2

from llm.concurrency.loops import PerLoop

C = TypeVar("C")

_CLIENTS = PerLoop[dict[Hashable, object]](dict)


@cache
def tls() -> ssl.SSLContext:
    """Return a context for all clients: reading the certificates is as slow as some replies."""
    return httpx2.create_ssl_context()


def client(key: Hashable, make: Callable[[], C]) -> C:
    """Return the running loop's client for `key` (address and credentials)."""
    clients = _CLIENTS.get()
    if key not in clients:
        clients[key] = make()
    return cast(C, clients[key])
