"""Limits on open websockets and new ones, by client address and by page, and on open requests.

Each process counts for itself, since a count of what is open mustn't outlive a process that dies.
A page whose socket is refused polls instead.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from channels.security.websocket import WebsocketDenier
from django.conf import settings

from interviews.security import client_ip
from interviews.security.ratelimits import limits

Application = Callable[[dict[str, Any], Any, Any], Awaitable[Any]]
_open: Counter[tuple[str, str]] = Counter()


class ConnectionLimit:
    """Refuse a handshake (403) if too many sockets are open or have been opened."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> Any:
        address = client_ip.of_scope(scope)
        if _is_full(address, scope["path"]) or await limits.atake(limits.SOCKETS, address):
            return await WebsocketDenier()(scope, receive, send)
        with _count_open(("address", address), ("path", scope["path"])):
            return await self.application(scope, receive, send)


class RequestLimit:
    """Refuse a request (429) if too many from its address are being answered."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> Any:
        mine = ("request", client_ip.of_scope(scope))
        if _open[mine] >= settings.SOCKETS_PER_ADDRESS:
            headers = [(b"retry-after", b"5"), (b"cache-control", b"no-store")]
            await send({"type": "http.response.start", "status": 429, "headers": headers})
            return await send({"type": "http.response.body", "body": b""})
        with _count_open(mine):
            return await self.application(scope, receive, send)


def _is_full(address: str, path: str) -> bool:
    per_address: bool = _open["address", address] >= settings.SOCKETS_PER_ADDRESS
    return per_address or bool(_open["path", path] >= settings.SOCKETS_PER_SESSION)


@contextmanager
def _count_open(*keys: tuple[str, str]) -> Iterator[None]:
    _open.update(keys)
    try:
        yield
    finally:
        for key in keys:
            _open[key] -= 1
            if not _open[key]:
                del _open[key]
