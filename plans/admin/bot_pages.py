"""The pages of bots by protocol, each from the `admin_page` in its protocol's folder."""

from importlib import import_module
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

from plans.admin.base import StudyAdmin
from plans.admin.bot_page import Action, BotPage
from plans.models import Bot
from plans.protocols import PROTOCOLS

PAGES: dict[str, BotPage] = {
    name: import_module(f"plans.protocols.{name}.admin_page").PAGE for name in PROTOCOLS
}
BUTTONS: tuple[Action, ...] = sum((page.buttons for page in PAGES.values()), ())
MENU: tuple[Action, ...] = sum((page.menu for page in PAGES.values()), ())
OWN_ACTIONS = frozenset().union(*(page.actions for page in PAGES.values()))


def page_of(bot: Bot) -> BotPage:
    return PAGES.get(bot.protocol, BotPage())


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
