"""The policies that tell browsers what each part of the site may do."""

from csp.middleware import CSPMiddleware, PolicyParts
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse


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
