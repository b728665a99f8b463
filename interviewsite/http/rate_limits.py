"""Refuses what comes too often from one address before anything is read or written for it.

Counts everything that is sent to pages or API, keys that open nothing, and wrong passwords of the
admin, which are counted by account as well. Reading pages isn't counted.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin

from interviews.security import client_ip
from interviews.security.ratelimits import limits
from interviews.validation import RequestRefused
from interviewsite.http import accounts

READS = ("GET", "HEAD", "OPTIONS")


class RateLimitMiddleware(MiddlewareMixin):
    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        if self.async_mode:
            return self.__acall__(request)
        if seconds := seconds_to_wait(request):
            return refuse(request, seconds)
        response = self.get_response(request)
        assert isinstance(response, HttpResponseBase)  # noqa: S101  the chain is synchronous
        count_attempt(request, response)
        return response

    async def __acall__(self, request: HttpRequest) -> HttpResponseBase:
        if request.method not in READS and (seconds := await _ask(seconds_to_wait, request)):
            return refuse(request, seconds)
        response = self.get_response(request)
        assert not isinstance(response, HttpResponseBase)  # noqa: S101  the chain is asynchronous
        result = await response
        if _attempt_limit(request):
            await _ask(count_attempt, request, result)
        return result


async def _ask(function: Callable[..., int], *args: Any) -> int:
    return await asyncio.to_thread(function, *args) if settings.REDIS_URL else function(*args)


def seconds_to_wait(request: HttpRequest) -> int:
    """Count a request; return 0, or the seconds until it would be allowed."""
    if request.method in READS:
        return 0
    address, limit = client_ip.of_request(request), _attempt_limit(request)
    seconds = limits.take(limits.POSTS, address)
    seconds = seconds or (limits.wait(limit, address) if limit else 0)
    return seconds or (accounts.take(request) if limit == limits.LOGINS else 0)


def count_attempt(request: HttpRequest, response: HttpResponseBase) -> int:
    limit, status = _attempt_limit(request), response.status_code
    if limit == limits.LOGINS and status == 302:  # a success redirects
        accounts.signed_in(request, response)
        return 0
    failed = limit and (status == 404 or limit == limits.LOGINS)
    return limits.take(limit, client_ip.of_request(request)) if failed else 0


def _attempt_limit(request: HttpRequest) -> str:
    """Return the name of the limit on failed attempts for this request, or ""."""
    if request.method in READS:
        return ""
    if request.path.endswith("/enter/"):
        return limits.WRONG_KEYS
    index = reverse("admin:index")
    signs_in = request.path.startswith((f"{index}login/", f"{index}sign-in/"))
    return limits.LOGINS if signs_in else ""


def refuse(request: HttpRequest, seconds: int) -> HttpResponse:
    refused = limits.too_many(seconds)
    response: HttpResponse
    if request.path.startswith("/api/"):
        error = {"error": refused.code, "message": refused.message, "details": []}
        response = JsonResponse(error, status=refused.status)
    else:
        response = _page(request, refused)
    response["Retry-After"] = str(seconds)
    response["Cache-Control"] = "no-store"
    return response


def _page(request: HttpRequest, refused: RequestRefused) -> HttpResponse:
    if "HX-Request" in request.headers:  # the page's script keeps the words itself
        return HttpResponse(status=refused.status)
    words = request.POST.get("text", "")[: settings.MAX_ANSWER]
    context = {"minutes": -(-refused.retry_after // 60), "words": words}
    return render(request, "429.html", context, status=refused.status)
