from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

from plans.admin.base import StudyAdmin
from plans.protocols import PROTOCOLS


def chosen_kind(request: HttpRequest) -> str:
    """Return the kind that the request names, or the only one; empty if none was chosen."""
    named = request.POST.get("protocol") or request.GET.get("protocol") or ""
    if named in PROTOCOLS:
        return named
    return next(iter(PROTOCOLS)) if len(PROTOCOLS) == 1 else ""


def choose_kind(admin: StudyAdmin, request: HttpRequest) -> HttpResponse:
    if not admin.has_add_permission(request):
        raise PermissionDenied
    context: dict[str, Any] = {"title": "How should it lead the interview?", "kinds": PROTOCOLS}
    return admin.page(request, "admin/plans/bot/kinds.html", None, **context)
