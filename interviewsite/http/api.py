"""The JSON API, composed of the apps' routers; every error is JSON."""

import logging
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from ninja.openapi.docs import Swagger
from ninja.parser import Parser

from interviews.api.authentication import check_sender
from interviews.api.exports import router as exports
from interviews.api.router import router as chat
from interviews.security.access import AccessDenied
from interviews.validation import RequestRefused, unavailable
from reflections.api.routes import router as reflections

log = logging.getLogger(__name__)


class JsonObject(Parser):
    """Takes only objects: ninja would read the attributes of null, numbers and lists."""

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        data = super().parse_body(request)
        if not isinstance(data, dict):
            raise TypeError
        return data


api = NinjaAPI(
    title="Interviewsite",
    version="1",
    description="AI-led interviews: start one, answer, read what was said. A session's token opens "
    "it from anywhere: `Authorization: Bearer …`. The participant's cookie counts only for reading "
    "and on pages of this site: without a token, what is sent must be JSON "
    "(`Content-Type: application/json`) and must not come from a page of another site. "
    "Exports take an export token of the admin in the same header.",
    docs=Swagger({"validatorUrl": None, "supportedSubmitMethods": []}),  # to read, from here alone
    auth=check_sender,
    parser=JsonObject(),
    urls_namespace="api",
)
api.add_router("", chat)
api.add_router("", exports)
api.add_router("", reflections)


def _error(
    request: HttpRequest, status: int, code: str, message: str, details: list[Any] | None = None
) -> HttpResponse:
    problem = {"error": code, "message": message, "details": details or []}
    return api.create_response(request, problem, status=status)


@api.exception_handler(AccessDenied)
def _on_access_denied(request: HttpRequest, error: AccessDenied) -> HttpResponse:
    return _error(request, 404, "not_found", _("There’s nothing at this address."))


@api.exception_handler(RequestRefused)
def _on_refusal(request: HttpRequest, error: RequestRefused) -> HttpResponse:
    response = _error(request, error.status, error.code, error.message)
    if error.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    if error.retry_after:
        response.headers["Retry-After"] = str(error.retry_after)
    return response


@api.exception_handler(ValidationError)
def _on_validation_error(request: HttpRequest, error: ValidationError) -> HttpResponse:
    details = [{"field": ".".join(map(str, e["loc"])), "message": e["msg"]} for e in error.errors]
    return _error(request, 422, "invalid", _("This request isn’t valid."), details)


@api.exception_handler(HttpError)
def _on_http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    unreadable = error.status_code == 400
    message = _("The body must be a JSON object.") if unreadable else str(error)
    return _error(request, error.status_code, "bad_request", message)


@api.exception_handler(RequestDataTooBig)
def _on_too_big(request: HttpRequest, error: RequestDataTooBig) -> HttpResponse:
    return _error(request, 413, "too_long", _("This is too long to send."))


@api.exception_handler(OperationalError)
@api.exception_handler(InterfaceError)
def _on_database_error(request: HttpRequest, error: Exception) -> HttpResponse:
    log.error("the database is away", exc_info=error)
    return _on_refusal(request, unavailable())


@api.exception_handler(Exception)
def _on_exception(request: HttpRequest, error: Exception) -> HttpResponse:
    log.exception("API request failed", exc_info=error)
    return _error(request, 500, "fault", _("Something went wrong here. Please try again."))
