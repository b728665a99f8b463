"""Middleware without a thread for each of its steps, in the asynchronous application.

What they do takes microseconds; to hand it to a thread and back takes longer than most views.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest
from django.utils.deprecation import MiddlewareMixin
from whitenoise.middleware import WhiteNoiseMiddleware


def install() -> None:
    """Change Django's middleware in place, since its deployment checks look for it by name."""
    MiddlewareMixin.__acall__ = _run_in_loop  # type: ignore[method-assign]


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
