"""Errors under /api/ are JSON, also those that Django answers before the API is asked."""

from collections.abc import Awaitable, Callable
from http import HTTPStatus

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase

Next = Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]


class JsonErrors:
    """Gives unknown paths, wrong methods and refused requests the shape of the API's problems."""

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
        response = self._next(request)
        assert isinstance(response, HttpResponseBase)  # noqa: S101  the chain is synchronous
        return _as_json(request, response)

    async def _later(self, request: HttpRequest) -> HttpResponseBase:
        response = self._next(request)
        assert not isinstance(response, HttpResponseBase)  # noqa: S101  the chain is asynchronous
        return _as_json(request, await response)


def _as_json(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    if response.status_code < 400 or not request.path.startswith("/api/"):
        return response
    if response.headers.get("Content-Type", "").startswith("application/json"):
        return response
    status = HTTPStatus(response.status_code)
    problem = {"error": status.phrase.lower().replace(" ", "_"), "message": status.description}
    return _with_headers(JsonResponse({**problem, "details": []}, status=status), response)


def _with_headers(problem: HttpResponse, response: HttpResponseBase) -> HttpResponse:
    for name in ("Allow", "Retry-After"):
        if name in response.headers:
            problem.headers[name] = response.headers[name]
    return problem
