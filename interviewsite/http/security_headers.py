"""The policies that tell a browser what each part of the site may do."""

from csp.middleware import CSPMiddleware, PolicyParts
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse


class SecurityPolicy(CSPMiddleware):
    """The strict policy everywhere but in the admin, whose theme needs a wider one."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Sets the policy. Replies of an interview are kept by no cache, and refer to nothing."""
        if request.path.startswith("/api/chat"):
            response.headers.setdefault("Cache-Control", "no-store")
            response.headers.setdefault("Referrer-Policy", "no-referrer")
        response.headers.setdefault("Permissions-Policy", settings.PERMISSIONS_POLICY)
        return super().process_response(request, response)

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        """The parts of the policy, replaced whole for the admin."""
        parts: PolicyParts = super().get_policy_parts(request, response, report_only)
        if not report_only and _in_admin(request):
            parts.config = settings.ADMIN_CONTENT_SECURITY_POLICY
        return parts


def _in_admin(request: HttpRequest) -> bool:
    return request.path.startswith(reverse("admin:index"))
