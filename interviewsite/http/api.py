"""The JSON API, composed of the apps' routers; every error is JSON."""

import logging
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from interviews.api.router import router as chat
from interviews.security.access import AccessDenied
from interviews.validation import RequestRefused
from reflections.api.routes import router as reflections

log = logging.getLogger(__name__)
api = NinjaAPI(
    title="Interviewsite",
    version="1",
    description="AI-led interviews: start one, answer, read what was said.",
    docs_url=None,
    urls_namespace="api",
)
api.add_router("", chat)
api.add_router("", reflections)


def _error(
    request: HttpRequest, status: int, code: str, message: str, details: list[Any] | None = None
) -> HttpResponse:
    problem = {"error": code, "message": message, "details": details or []}
    return api.create_response(request, problem, status=status)


@api.exception_handler(AccessDenied)
def _on_access_denied(request: HttpRequest, error: AccessDenied) -> HttpResponse:
    return _error(request, 404, "not_found", _("There is nothing here for you."))


@api.exception_handler(RequestRefused)
def _on_refusal(request: HttpRequest, error: RequestRefused) -> HttpResponse:
    response = _error(request, error.status, error.code, error.message)
    if error.retry_after:
        response.headers["Retry-After"] = str(error.retry_after)
    return response


@api.exception_handler(ValidationError)
def _on_validation_error(request: HttpRequest, error: ValidationError) -> HttpResponse:
    details = [{"field": ".".join(map(str, e["loc"])), "message": e["msg"]} for e in error.errors]
    return _error(request, 422, "invalid", _("The request isn't as it should be."), details)


@api.exception_handler(HttpError)
def _on_http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    return _error(request, error.status_code, "bad_request", str(error))


@api.exception_handler(RequestDataTooBig)
def _on_too_big(request: HttpRequest, error: RequestDataTooBig) -> HttpResponse:
    return _error(request, 413, "too_long", _("This is too long to be sent."))


@api.exception_handler(OperationalError)
@api.exception_handler(InterfaceError)
def _on_database_error(request: HttpRequest, error: Exception) -> HttpResponse:
    log.error("the database is away", exc_info=error)
    message = _("The site can't get at its memory just now. Please send it again in a moment.")
    response = _error(request, 503, "unavailable", message)
    response.headers["Retry-After"] = "1"
    return response


@api.exception_handler(Exception)
def _on_exception(request: HttpRequest, error: Exception) -> HttpResponse:
    log.exception("API request failed", exc_info=error)
    return _error(request, 500, "fault", _("Something went wrong here. Please try again."))
