"""The choice of a protocol, before the form of a new bot."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

from plans.protocols import PROTOCOLS


def chosen_kind(request: HttpRequest) -> str:
    """The kind that the request names, or the only one there is; empty if none was chosen."""
    every = PROTOCOLS
    named = request.POST.get("protocol") or request.GET.get("protocol") or ""
    return named if named in every else next(iter(every)) if len(every) == 1 else ""


def choose_kind(admin: Any, request: HttpRequest) -> HttpResponse:
    """A page that says what each kind is for."""
    if not admin.has_add_permission(request):
        raise PermissionDenied
    context = {"title": "How should it lead the interview?", "kinds": PROTOCOLS}
    page: HttpResponse = admin.page(request, "admin/plans/bot/kinds.html", None, **context)
    return page
