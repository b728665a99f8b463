"""Websocket addresses, and who may open one."""

from collections.abc import Awaitable, Callable
from typing import Any

from channels.routing import URLRouter
from channels.security.websocket import WebsocketDenier
from channels.sessions import CookieMiddleware
from django.urls import path

from interviews.participant.consumers import ChatConsumer
from interviews.participant.voice.consumers import VoiceConsumer
from interviews.security.origin import is_own
from interviews.security.ratelimits.connections import ConnectionLimit

Application = Callable[[dict[str, Any], Any, Any], Awaitable[Any]]


class SameOrigin:
    """Refuses a handshake (403) that doesn't come from a page of this very site.

    Browsers send cookies with a websocket to any site; only its Origin tells who asked for it.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> Any:
        headers = dict(scope.get("headers", ()))
        origin, host = _text(headers, b"origin"), _text(headers, b"host")
        chosen = self.application if is_own(origin, host) else WebsocketDenier()
        return await chosen(scope, receive, send)


def _text(headers: dict[bytes, bytes], name: bytes) -> str:
    return headers.get(name, b"").decode("latin1")


websocket_urlpatterns = [
    path("ws/s/<uuid:session_id>/", ChatConsumer.as_asgi()),
    path("ws/s/<uuid:session_id>/voice/", VoiceConsumer.as_asgi()),
]
websockets = SameOrigin(ConnectionLimit(CookieMiddleware(URLRouter(websocket_urlpatterns))))
