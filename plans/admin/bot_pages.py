"""The pages of bots by protocol, each from the `admin_page` in its protocol's folder."""

from importlib import import_module

from django.http import HttpRequest

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
