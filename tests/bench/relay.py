"""What a chat costs at the least: Channels on Daphne that passes a model's words on, and no more.

No database, no session, no page: a POST starts a reply, which goes to the websocket as it comes.
"""

import asyncio
import os

import anthropic
import django
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.layers import get_channel_layer
from channels.routing import ProtocolTypeRouter, URLRouter
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path

settings.configure(
    SECRET_KEY="relay",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    CHANNEL_LAYERS={"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}},
)
django.setup()
DONE = "\0"  # after the last word
_model = anthropic.AsyncAnthropic(api_key="bench", base_url=os.environ["ANTHROPIC_BASE_URL"])
_replies: set[asyncio.Task[None]] = set()


class Words(AsyncWebsocketConsumer):
    """Passes on what its group is sent."""

    async def connect(self) -> None:
        await self.accept()
        await self.channel_layer.group_add(_group(self.scope), self.channel_name)

    async def words(self, event: dict[str, str]) -> None:
        await self.send(text_data=event["text"])


def _group(scope: dict[str, dict[str, dict[str, str]]]) -> str:
    return f"chat.{scope['url_route']['kwargs']['chat']}"


async def answer(request: HttpRequest, chat: str) -> HttpResponse:
    reply = asyncio.get_running_loop().create_task(_reply(chat, request.POST["text"]))
    _replies.add(reply)
    reply.add_done_callback(_replies.discard)
    return HttpResponse()


async def _reply(chat: str, text: str) -> None:
    layer = get_channel_layer()
    stream = await _model.messages.create(
        model="relay", max_tokens=200, messages=[{"role": "user", "content": text}], stream=True
    )
    async for event in stream:
        if event.type == "content_block_delta" and event.delta.type == "text_delta":
            await layer.group_send(f"chat.{chat}", {"type": "words", "text": event.delta.text})
    await layer.group_send(f"chat.{chat}", {"type": "words", "text": DONE})


urlpatterns = [path("answer/<str:chat>/", answer)]
application = ProtocolTypeRouter(
    {
        "http": get_asgi_application(),
        "websocket": URLRouter([path("words/<str:chat>/", Words.as_asgi())]),
    }
)
