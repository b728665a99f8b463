"""A mail server of our own that speaks SMTP and misbehaves on demand.

with PostOffice() as office:
    office.behave({"RCPT": "550 no such person"}, {"end": DROP})  # one connection after the other
    ...
    office.letters

Steps: greeting, EHLO, MAIL, RCPT, DATA, end (what is said after the letter was taken in).
"""

import asyncio
import threading
from collections import deque
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Self

DROP = "drop"  # the line is cut
STALL = "stall"  # nothing more is said
USUAL = {
    "greeting": "220 post office",
    "EHLO": "250 post office",
    "DATA": "354 go on",
    "QUIT": "221 bye",
}
Manner = dict[str, str]


@dataclass(frozen=True)
class Letter:
    """What was taken in."""

    sender: str
    to: list[str]
    message: EmailMessage

    @property
    def words(self) -> str:
        """Its text."""
        return self.message.get_content()


class Cut(Exception):
    """The line is to be cut."""


class PostOffice:
    """Serves on a port of its own from a thread of its own."""

    def __init__(self) -> None:
        self.letters: list[Letter] = []
        self.calls = 0  # connections
        self._manners: deque[Manner] = deque()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        serving = asyncio.start_server(self._serve, "127.0.0.1", 0)
        server = asyncio.run_coroutine_threadsafe(serving, self._loop).result(10)
        self.port = server.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_args: object) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    async def _close(self) -> None:
        """Whoever is still kept waiting is let go."""
        waiting = asyncio.all_tasks() - {asyncio.current_task()}
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    @property
    def url(self) -> str:
        """As EMAIL_URL takes it."""
        return f"smtp://127.0.0.1:{self.port}"

    def behave(self, *manners: Manner) -> None:
        """So the next connections are met; those after them as usual."""
        self._manners.extend(manners)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.calls += 1
        manner = {**USUAL, **(self._manners.popleft() if self._manners else {})}
        try:
            await self._say(writer, manner["greeting"])
            await self._talk(reader, writer, manner)
        except (Cut, ConnectionError):
            writer.transport.abort()
        else:
            writer.close()

    async def _talk(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, manner: Manner
    ) -> None:
        sender, to = "", []
        while line := (await reader.readline()).decode():
            step = line[:4].upper()
            if step == "MAIL":
                sender = _address(line)
            if step == "RCPT":
                to.append(_address(line))
            await self._say(writer, manner.get(step, "250 ok"))
            if step == "DATA" and manner["DATA"].startswith("354"):
                await self._take_in(reader, sender, to)
                await self._say(writer, manner.get("end", "250 taken"))
            if step == "QUIT":
                return

    async def _take_in(self, reader: asyncio.StreamReader, sender: str, to: list[str]) -> None:
        raw = await reader.readuntil(b"\r\n.\r\n")
        message = message_from_bytes(raw.removesuffix(b".\r\n"), policy=policy.default)
        self.letters.append(Letter(sender, list(to), message))

    async def _say(self, writer: asyncio.StreamWriter, words: str) -> None:
        if words == DROP:
            raise Cut
        if words == STALL:
            await asyncio.sleep(3600)
        writer.write(f"{words}\r\n".encode())
        await writer.drain()


def _address(line: str) -> str:
    return line.partition("<")[2].partition(">")[0]
