"""A fake model: the provider "scripted" with queued replies.

    scripted.reply("life_story.lead", LifeStoryLed(...), "broken {", ProviderError(...))
    ...
    assert scripted.requests[0].task == "life_story.lead"
    scripted.clear()

A task with nothing queued gets its default (see `always`), else a permanent ProviderError, so that
its fallback answers.
"""

import asyncio
from collections import defaultdict, deque
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from pydantic import BaseModel

from llm.providers import PROVIDERS
from llm.providers.base import (
    Event,
    Fault,
    Finished,
    ModelRequest,
    ProviderError,
    Stop,
    TextDelta,
    Usage,
)
from llm.tasks.task import Tier

Says = str | BaseModel | BaseException


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply, the seconds before it starts, and those between its pieces of `chunk` letters.

    A negative `chunk` sends everything at once; `after` is raised once the text was sent.
    """

    says: Says
    delay: float = 0.0
    pause: float = 0.0
    chunk: int = -1
    stop: Stop = Stop.END
    after: BaseException | None = None


class ScriptedProvider:
    def __init__(self) -> None:
        self.requests: list[ModelRequest] = []
        self.in_a_row = 0  # replies that came to an end one after the other, each asked for later
        self._queues: dict[str, deque[Reply]] = defaultdict(deque)
        self._always: dict[str, Reply] = {}

    def reply(self, task: str, *says: Says | Reply) -> None:
        self._queues[task].extend(_as_reply(one) for one in says)

    def always(self, task: str, says: Says | Reply) -> None:
        """Set what the task gets whenever its queue is empty."""
        self._always[task] = _as_reply(says)

    def clear(self) -> None:
        self.requests.clear()
        self.in_a_row = 0
        self._queues.clear()
        self._always.clear()

    def asked(self, task: str) -> list[ModelRequest]:
        return [request for request in self.requests if request.task == task]

    def model(self, tier: Tier) -> str:
        return f"scripted-{tier}"

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Event, None]:
        self.requests.append(request)
        before = self.in_a_row
        reply = self._next(request.task)
        await asyncio.sleep(reply.delay)
        if isinstance(reply.says, BaseException):
            raise reply.says
        text = reply.says if isinstance(reply.says, str) else reply.says.model_dump_json()
        for piece in _pieces(text, reply.chunk):
            yield TextDelta(piece)
            await asyncio.sleep(reply.pause)
        if reply.after:
            raise reply.after
        self.in_a_row = max(self.in_a_row, before + 1)
        usage = Usage(input_tokens=len(request.system) // 4, output_tokens=len(text) // 4)
        yield Finished(reply.stop, usage, request.model)

    def _next(self, task: str) -> Reply:
        queue = self._queues[task]
        if queue:
            return queue.popleft()
        missing = Reply(ProviderError(Fault.BAD_REQUEST, f"nothing is scripted for {task}"))
        return self._always.get(task, missing)


def _as_reply(says: Says | Reply) -> Reply:
    return says if isinstance(says, Reply) else Reply(says)


def _pieces(text: str, size: int) -> list[str]:
    if size < 0:
        return [text]
    return [text[start : start + size] for start in range(0, len(text), size)]


scripted = PROVIDERS["scripted"] = ScriptedProvider()
