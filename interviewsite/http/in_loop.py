"""Requests without a thread for each step around the view, in the asynchronous application.

What these steps do takes microseconds; to hand it to a thread and back takes longer than most
views.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from asgiref.sync import SyncToAsync, iscoroutinefunction, markcoroutinefunction, sync_to_async
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.handlers import asgi
from django.core.handlers.asgi import ASGIHandler
from django.core.signals import request_started
from django.db import close_old_connections, reset_queries
from django.http import HttpRequest
from django.utils.deprecation import MiddlewareMixin
from whitenoise.middleware import WhiteNoiseMiddleware

P = ParamSpec("P")
T = TypeVar("T")
# CPython keeps frames in chunks of 16 KB. 3.11, 3.12 and early releases of 3.13 and 3.14 get one
# from the system, and free it, each time a call crosses from one to the next (gh-142183 of
# python/cpython): a thousand times for a page of the admin, an eighth of its processor time.
# This frame takes just over 1 MB, so its chunk has 2 MB, and the rest is left for the calls within.
# The system provides memory only for what is used.
VALUES_OF_FRAME = 2**17


def with_room(function: Callable[P, T]) -> Callable[P, T]:
    """Return the function, wrapped so that the frames of all calls within it fit in one chunk."""

    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        return function(*args, **kwargs)

    call.__code__ = call.__code__.replace(co_stacksize=VALUES_OF_FRAME)
    return wraps(function)(call)


_handle_in_thread = with_room(SyncToAsync.thread_handler)


def install() -> None:
    """Change Django's middleware in place, since its deployment checks look for it by name."""
    MiddlewareMixin.__acall__ = _run_in_loop  # type: ignore[method-assign]
    asgi.sync_to_async = _close_in_loop  # type: ignore[attr-defined]
    SyncToAsync.thread_handler = _handle_in_thread  # type: ignore[method-assign]
    for receiver in (reset_queries, close_old_connections):
        # a request's thread begins with it, and without connections
        request_started.disconnect(receiver)


def _close_in_loop(close: Callable[[], None]) -> Callable[[], Awaitable[None]]:
    """Close a response in the request's thread if it has one, whose connection then closes too."""

    async def closed() -> None:
        request = SyncToAsync.thread_sensitive_context.get(None)
        if request in SyncToAsync.context_to_thread_executor:
            await sync_to_async(close)()
        else:
            close()

    return closed


async def _run_in_loop(self: Any, request: HttpRequest) -> Any:
    response = self.process_request(request) if hasattr(self, "process_request") else None
    response = response or await self.get_response(request)
    if not hasattr(self, "process_response"):
        return response
    if any(isinstance(self, kind) and waits(request) for kind, waits in WAITING.items()):
        return await asyncio.to_thread(self.process_response, request, response)
    return self.process_response(request, response)


def _is_changed(request: HttpRequest) -> bool:
    return bool(request.session.modified)


def _has_messages(request: HttpRequest) -> bool:
    messages = getattr(request, "_messages", None)
    return messages is not None and (messages.used or messages.added_new)


# what is kept in the database afterwards, if there is anything to keep
WAITING: dict[type, Callable[[HttpRequest], bool]] = {
    SessionMiddleware: _is_changed,
    MessageMiddleware: _has_messages,
}


class Pages(ASGIHandler):
    """Django's application, where a form's token is checked without a thread for an async view."""

    _view_middleware: list[Any]

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async)
        self._view_middleware = [_check_in_loop(step) for step in self._view_middleware]


def _check_in_loop(step: SyncToAsync[..., Any]) -> Callable[..., Awaitable[Any]]:
    async def check(request: HttpRequest, view: Callable[..., Any], *args: Any) -> Any:
        # to read an uploaded file takes long
        if iscoroutinefunction(view) and request.content_type != "multipart/form-data":
            return step.func(request, view, *args)
        return await step(request, view, *args)

    return check


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # it has no types
    """WhiteNoise, which alone would give every request a thread as long as it lasts."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Any) -> None:
        super().__init__(get_response)
        self._is_async = iscoroutinefunction(get_response)
        if self._is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Any:
        return self._acall(request) if self._is_async else super().__call__(request)

    async def _acall(self, request: HttpRequest) -> Any:
        if not request.path_info.startswith(self.static_prefix):
            return await self.get_response(request)
        return await asyncio.to_thread(self._find, request) or await self.get_response(request)

    def _find(self, request: HttpRequest) -> Any:
        find = self.find_file if self.autorefresh else self.files.get
        found = find(request.path_info)
        return None if found is None else self.serve(found, request)
