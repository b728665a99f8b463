"""What comes too often from one address is refused before anything is read or written for it.

Whatever is sent is counted here, by page or API; so are keys that open nothing, and wrong passwords
of the admin. Looking at pages isn't counted.
"""

import asyncio
from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse

from interviews.security import client_ip
from interviews.security.ratelimits import limits
from interviews.validation import RequestRefused

Next = Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]
LOOKING = ("GET", "HEAD", "OPTIONS")
IN_VAIN = {limits.WRONG_KEYS: 404, limits.LOGINS: 200}  # the status; who may come in is led on


class Floods:
    """Counts by address; 429 with `Retry-After` for what is too much."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Next) -> None:
        self._next = get_response
        self._is_async = iscoroutinefunction(get_response)
        if self._is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        if self._is_async:
            return self._later(request)
        if seconds := seconds_to_wait(request):
            return refusal(request, seconds)
        response = self._next(request)
        assert isinstance(response, HttpResponseBase)  # noqa: S101  the chain is synchronous
        count_in_vain(request, response.status_code)
        return response

    async def _later(self, request: HttpRequest) -> HttpResponseBase:
        if seconds := await _aside(lambda: seconds_to_wait(request)):
            return refusal(request, seconds)
        response = self._next(request)
        assert not isinstance(response, HttpResponseBase)  # noqa: S101  the chain is asynchronous
        found = await response
        await _aside(lambda: count_in_vain(request, found.status_code))
        return found


async def _aside(ask: Callable[[], int]) -> int:
    """In a thread where Redis has to be asked; what is in memory is there at once."""
    return await asyncio.to_thread(ask) if settings.REDIS_URL else ask()


def seconds_to_wait(request: HttpRequest) -> int:
    """Counts what is sent: 0 where it may go on, else the seconds until it may."""
    if request.method in LOOKING:
        return 0
    address, guarded = client_ip.of_request(request), _guarded(request)
    too_often = limits.take(limits.POSTS, address)
    return too_often or (limits.wait(guarded, address) if guarded else 0)


def count_in_vain(request: HttpRequest, status: int) -> int:
    """Counts a key or a password that was wrong."""
    guarded = "" if request.method in LOOKING else _guarded(request)
    if guarded and status == IN_VAIN[guarded]:
        return limits.take(guarded, client_ip.of_request(request))
    return 0


def _guarded(request: HttpRequest) -> str:
    """The limit on trying in vain what is asked for here, if there is one."""
    if request.path.endswith("/enter/"):
        return limits.WRONG_KEYS
    return limits.LOGINS if request.path == reverse("admin:login") else ""


def refusal(request: HttpRequest, seconds: int) -> HttpResponse:
    """In the API's shape, or as a page that keeps the words."""
    refused = limits.too_many(seconds)
    response = _problem(refused) if request.path.startswith("/api/") else _page(request, refused)
    response["Retry-After"] = str(seconds)
    response["Cache-Control"] = "no-store"
    return response


def _problem(refused: RequestRefused) -> HttpResponse:
    problem = {"error": refused.code, "message": refused.message, "details": []}
    return JsonResponse(problem, status=refused.status)


def _page(request: HttpRequest, refused: RequestRefused) -> HttpResponse:
    """A page's script keeps the words itself, and reads the headers alone."""
    if "HX-Request" in request.headers:
        return HttpResponse(status=refused.status)
    words = request.POST.get("text", "")[: settings.MAX_ANSWER]
    told = {"minutes": -(-refused.retry_after // 60), "words": words}
    return render(request, "429.html", told, status=refused.status)
