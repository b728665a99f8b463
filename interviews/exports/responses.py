import asyncio
from collections.abc import AsyncIterator, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor

from django.core.handlers.asgi import ASGIRequest
from django.db import connections
from django.http import HttpRequest, StreamingHttpResponse


def streaming_response(
    request: HttpRequest, chunks: Iterator[bytes], content_type: str, name: str
) -> StreamingHttpResponse:
    """Return a download that is sent while it is being read, under ASGI as under WSGI."""
    body = read_in_thread(chunks) if isinstance(request, ASGIRequest) else chunks
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingHttpResponse(body, content_type=content_type, headers=headers)


async def read_in_thread(chunks: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the same chunks, each read in one and the same thread.

    One thread, because a database connection and its open transaction belong to one. When the
    client goes away, the transaction ends at once.
    """
    thread = ThreadPoolExecutor(1, thread_name_prefix="export")
    loop = asyncio.get_running_loop()
    try:
        while chunk := await loop.run_in_executor(thread, next, chunks, b""):
            yield chunk
    finally:
        thread.submit(_close, chunks)
        thread.shutdown(wait=False)


def _close(chunks: Iterator[bytes]) -> None:
    if isinstance(chunks, Generator):
        chunks.close()
    connections.close_all()
