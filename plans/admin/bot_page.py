from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest, HttpResponse

from plans.admin import pages
from plans.forms.bot import MASKS, OwnTab
from plans.forms.options import field_name, option_fields
from plans.models import Bot
from plans.protocols import protocol_of

Action = Callable[..., HttpResponse]
REWARD = field_name("reward")


@dataclass(frozen=True)
class BotPage:
    """The tabs, rows, actions and URLs that only bots of one protocol have.

    A new bot is asked for the fields `begins_with` and the `options`. `buttons`, `menu` (the menu
    “More”) and the views in `urls`, keyed by a path below the bot's, each take the admin, the
    request and an object_id. `facts` is the context of `facts_template`, shown above the form.
    """

    begins_with: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    tabs: Callable[[Bot], list[OwnTab]] = lambda bot: [OwnTab("Interview", ["minutes", "persona"])]
    inlines: tuple[type[Any], ...] = ()
    buttons: tuple[Action, ...] = ()
    menu: tuple[Action, ...] = ()
    urls: Mapping[str, Action] = field(default_factory=dict)
    preview: Callable[[HttpRequest, Bot], HttpResponse] = pages.bot_preview
    facts: Callable[[Bot], Any] = lambda bot: None
    facts_template: str = "admin/plans/bot/facts.html"

    @property
    def actions(self) -> frozenset[str]:
        return frozenset(names(self.buttons) + names(self.menu))


def names(actions: tuple[Action, ...]) -> list[str]:
    """Return the actions' names, by which Unfold finds them."""
    return [action.__name__ for action in actions]


def one_tab(bot: Bot, before: Iterable[str], after: Iterable[str] = ()) -> list[OwnTab]:
    """Return a tab of the bot's options between other fields, and one about its reward."""
    asking, reward = split_options(bot)
    return [OwnTab("Interview", [*before, *asking, *after]), reward]


def split_options(bot: Bot) -> tuple[list[str], OwnTab]:
    """Return the fields of its kind's options, and a tab of those about its reward."""
    options = option_fields(protocol_of(bot).content.options, bot.options, {})
    reward = [name for name in options if name.startswith(REWARD)]
    own = [name for name in options if name not in (*reward, MASKS)]
    return own, OwnTab("Reward", reward, place="Ending")
