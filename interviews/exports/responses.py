import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from hashlib import sha256

from django.core.handlers.asgi import ASGIRequest
from django.db import connections
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response

WITH_ETAG = 4_000_000  # bytes; what is longer is sent as it is read


def streaming_response(
    request: HttpRequest, chunks: Iterator[bytes], content_type: str, name: str
) -> StreamingHttpResponse:
    """Return a download that is sent while it is being read, under ASGI as under WSGI."""
    body = read_in_thread(chunks) if isinstance(request, ASGIRequest) else chunks
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingHttpResponse(body, content_type=content_type, headers=headers)


async def conditional_response(
    request: HttpRequest, chunks: Iterator[bytes], content_type: str, name: str
) -> HttpResponseBase:
    """Return a long download streamed, a short one with an ETag, or 304 if the client has it."""
    body, head, size = read_in_thread(chunks), list[bytes](), 0
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    async for chunk in body:
        head.append(chunk)
        if (size := size + len(chunk)) > WITH_ETAG:
            return StreamingHttpResponse(
                _joined(head, body), content_type=content_type, headers=headers
            )
    content = b"".join(head)
    response = HttpResponse(content, content_type, headers=headers)
    response["ETag"] = etag = f'"{sha256(content).hexdigest()[:32]}"'
    return get_conditional_response(request, etag, response=response) or response


async def _joined(head: list[bytes], body: AsyncGenerator[bytes, None]) -> AsyncIterator[bytes]:
    async with aclosing(body):
        while head:
            yield head.pop(0)
        async for chunk in body:
            yield chunk


async def read_in_thread(chunks: Iterator[bytes]) -> AsyncGenerator[bytes, None]:
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
