"""A stream of bytes as a response, under ASGI as under WSGI."""

import asyncio
from collections.abc import AsyncIterator, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor

from django.core.handlers.asgi import ASGIRequest
from django.db import connections
from django.http import HttpRequest, StreamingHttpResponse


def streamed(
    request: HttpRequest, chunks: Iterator[bytes], media: str, name: str
) -> StreamingHttpResponse:
    """A download that is sent while it is being read."""
    body = in_a_thread(chunks) if isinstance(request, ASGIRequest) else chunks
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingHttpResponse(body, content_type=media, headers=headers)


async def in_a_thread(chunks: Iterator[bytes]) -> AsyncIterator[bytes]:
    """The same pieces, each asked for in one and the same thread, when there is room for it.

    One thread, since a database connection and its open transaction belong to one. When the reader
    goes away, the transaction ends there and then.
    """
    thread = ThreadPoolExecutor(1, thread_name_prefix="export")
    loop = asyncio.get_running_loop()
    try:
        while chunk := await loop.run_in_executor(thread, next, chunks, b""):
            yield chunk
    finally:
        thread.submit(_end, chunks)
        thread.shutdown(wait=False)


def _end(chunks: Iterator[bytes]) -> None:
    if isinstance(chunks, Generator):
        chunks.close()
    connections.close_all()
