"""One address before several sites: connections go to them in turn, past those that are down.

`python -m tests.services.proxy PORT TO` passes connections to PORT on to the port TO.
"""

import asyncio
import itertools
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError, asyncio.CancelledError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()


class _Balancer:
    def __init__(self, ports: list[int]) -> None:
        self._next = itertools.cycle(ports)
        self._tries = len(ports)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(self._tries):
            with suppress(OSError, asyncio.CancelledError):
                there = await asyncio.open_connection("127.0.0.1", next(self._next))
                await asyncio.gather(_pump(reader, there[1]), _pump(there[0], writer))
                return
        writer.close()


async def _cut_all() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


@contextmanager
def one_address(*ports: int) -> Iterator[str]:
    """The address, while the block runs."""
    loop = asyncio.new_event_loop()
    serving = asyncio.start_server(_Balancer(list(ports)).serve, "127.0.0.1", 0)
    server = loop.run_until_complete(serving)
    thread = threading.Thread(target=loop.run_forever, name="proxy", daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        asyncio.run_coroutine_threadsafe(_cut_all(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        server.close()
        loop.close()


async def _pass_on(port: int, to: int) -> None:
    async with await asyncio.start_server(_Balancer([to]).serve, "127.0.0.1", port) as server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_pass_on(*map(int, sys.argv[1:])))
