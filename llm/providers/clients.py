"""SDK clients, kept for their event loop so that connections are used again."""

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
    """One for all clients: reading the certificates takes as long as some replies."""
    return httpx2.create_ssl_context()


def client(key: Hashable, make: Callable[[], C]) -> C:
    """The running loop's client for `key` (address and credentials), made on first use."""
    kept = _CLIENTS.get()
    if key not in kept:
        kept[key] = make()
    return cast(C, kept[key])
