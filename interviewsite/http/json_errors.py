"""Errors under /api/ are JSON, also those that Django raises before the API is reached."""

from collections.abc import Awaitable, Callable
from http import HTTPStatus

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase

Next = Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]


class JsonErrorMiddleware:
    """Gives unknown paths, wrong methods and refused requests the shape of API errors."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Next) -> None:
        self._get_response = get_response
        self._is_async = iscoroutinefunction(get_response)
        if self._is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        if self._is_async:
            return self._acall(request)
        response = self._get_response(request)
        assert isinstance(response, HttpResponseBase)  # noqa: S101  the chain is synchronous
        return _to_json(request, response)

    async def _acall(self, request: HttpRequest) -> HttpResponseBase:
        response = self._get_response(request)
        assert not isinstance(response, HttpResponseBase)  # noqa: S101  the chain is asynchronous
        return _to_json(request, await response)


def _to_json(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    if response.status_code < 400 or not request.path.startswith("/api/"):
        return response
    if response.headers.get("Content-Type", "").startswith("application/json"):
        return response
    status = HTTPStatus(response.status_code)
    code = status.phrase.lower().replace(" ", "_")
    error = {"error": code, "message": status.description, "details": []}
    headers = {n: response.headers[n] for n in ("Allow", "Retry-After") if n in response.headers}
    return JsonResponse(error, status=status, headers=headers)
