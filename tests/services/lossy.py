"""The site with a channel layer that loses most of its messages."""

import random
from typing import Any

from channels.layers import InMemoryChannelLayer

from interviewsite.asgi import application as application

LOST = 0.6
_send = InMemoryChannelLayer.group_send
_chance = random.Random(7)


async def _group_send(self: Any, group: str, message: Any) -> None:
    if _chance.random() >= LOST:
        await _send(self, group, message)


InMemoryChannelLayer.group_send = _group_send
