"""What the site does with responses: JSON errors of the API, error pages, policies of browsers.

Errors under /api/ are JSON, also those that Django raises before the API is reached. The page of an
error of ours gives back what was written.
"""

import logging
import time
from contextlib import suppress
from http import HTTPStatus

from csp.middleware import CSPMiddleware, PolicyParts
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin

from interviews.validation import unavailable

log = logging.getLogger(__name__)


class JsonErrorMiddleware(MiddlewareMixin):
    """Gives unknown paths, wrong methods and refused requests the shape of API errors."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if response.status_code < 400 or not request.path.startswith("/api/"):
            return response
        if response.headers.get("Content-Type", "").startswith("application/json"):
            return response
        return _as_json(response)


def _as_json(response: HttpResponseBase) -> JsonResponse:
    status = HTTPStatus(response.status_code)
    code = status.phrase.lower().replace(" ", "_")
    error = {"error": code, "message": status.description, "details": []}
    headers = {n: response.headers[n] for n in ("Allow", "Retry-After") if n in response.headers}
    return JsonResponse(error, status=status, headers=headers)


def server_error(request: HttpRequest) -> HttpResponse:
    return render(request, "500.html", {"words": _sent_words(request)}, status=500)


def _sent_words(request: HttpRequest) -> str:
    with suppress(Exception):  # what was sent may itself be the trouble
        return request.POST.get("text", "")[: settings.MAX_ANSWER]
    return ""


class DatabaseAwayMiddleware(MiddlewareMixin):
    """Says in plain words that the database is away, and gives back what was written."""

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, OperationalError | InterfaceError):
            return None
        log.error("the database is away", exc_info=error)
        refused = unavailable()
        said = {"words": _sent_words(request), "message": refused.message}
        response = render(request, "500.html", said, status=refused.status)
        response.headers["Retry-After"] = str(refused.retry_after)
        return response


class IdleMiddleware(MiddlewareMixin):
    """Begins anew the time after which an idle session of staff ends."""

    RENEWED_EVERY = 300  # seconds

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        by_itself = request.method == "GET" and "HX-Request" in request.headers  # a page that polls
        session = request.session
        if not by_itself and session.accessed and SESSION_KEY in session:
            now = time.time()
            if now - session.get("active_at", 0) > self.RENEWED_EVERY:
                session["active_at"] = now
        return response


class SecurityHeadersMiddleware(CSPMiddleware):
    """The strict policy everywhere except in the admin, whose theme needs a wider one."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if request.path.startswith("/api/chat"):
            response.headers.setdefault("Cache-Control", "no-store")
            response.headers.setdefault("Referrer-Policy", "no-referrer")
        response.headers.setdefault("Permissions-Policy", settings.PERMISSIONS_POLICY)
        return super().process_response(request, response)

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        parts: PolicyParts = super().get_policy_parts(request, response, report_only)
        if not report_only and request.path.startswith(reverse("admin:index")):
            parts.config = settings.ADMIN_CONTENT_SECURITY_POLICY
        return parts
