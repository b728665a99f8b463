from typing import Any

from channels.routing import URLRouter
from channels.security.websocket import WebsocketDenier
from channels.sessions import CookieMiddleware
from django.urls import path

from interviews.participant.consumers import ChatConsumer
from interviews.participant.voice.consumers import VoiceConsumer
from interviews.security.origin import is_own
from interviews.security.ratelimits.connections import Application, ConnectionLimit


class SameOrigin:
    """Refuses handshakes (403) that don't come from a page of this site.

    Browsers send cookies with a websocket to any site; only Origin says who opened it.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> Any:
        headers = dict(scope.get("headers", ()))
        origin, host = (headers.get(name, b"").decode("latin1") for name in (b"origin", b"host"))
        application = self.application if is_own(origin, host) else WebsocketDenier()
        return await application(scope, receive, send)


websocket_urlpatterns = [
    path("ws/s/<uuid:session_id>/", ChatConsumer.as_asgi()),
    path("ws/s/<uuid:session_id>/voice/", VoiceConsumer.as_asgi()),
]
websockets = SameOrigin(ConnectionLimit(CookieMiddleware(URLRouter(websocket_urlpatterns))))
