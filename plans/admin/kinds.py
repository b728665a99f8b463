"""What the page of a bot holds, by its kind of interview: a table with an entry for each."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse

from plans.admin import pages
from plans.admin.topic import DataFieldInline, TopicInline
from plans.forms.bot import GUIDE, option_names
from plans.forms.guides import GUIDE_FILE
from plans.models import Bot
from plans.outline import facts

OwnTabs = list[tuple[str, list[str]]]


@dataclass(frozen=True)
class Page:
    """The tabs, rows and actions that only bots of this kind have.

    `begins_with` are the fields and `options` the options that a new bot is asked for; `facts` is
    what its page says above the form.
    """

    begins_with: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    tabs: Callable[[Bot], OwnTabs] = lambda bot: [("Interview", ["minutes", "persona"])]
    inlines: tuple[type[Any], ...] = ()
    actions: frozenset[str] = frozenset()
    preview: Callable[[HttpRequest, Bot], HttpResponse] = pages.bot_preview
    facts: Callable[[Bot], Any] = lambda bot: None


def _life_story_tabs(bot: Bot) -> OwnTabs:
    return [("Interview", ["scripts", "minutes", "persona", *option_names(bot)])]


def _topic_tabs(bot: Bot) -> OwnTabs:
    names = option_names(bot)
    of = {start: [n for n in names if n.startswith(f"option__{start}")] for start in TOPIC_OPTIONS}
    return [
        ("Interview", ["minutes", *of["languages"], *of["goal"], "persona"]),
        ("Guide", [GUIDE, GUIDE_FILE]),
        ("Consent for data", of["data"]),
        ("Reward", of["reward"]),
    ]


TOPIC_OPTIONS = ("languages", "goal", "data", "reward")

PAGES: dict[str, Page] = {
    "life_story": Page(begins_with=("scripts",), tabs=_life_story_tabs),
    "topic_exploration": Page(
        options=("languages", "goal"),
        tabs=_topic_tabs,
        inlines=(TopicInline, DataFieldInline),
        actions=frozenset(
            {"intelligence", "make_again", "reward_codes", "export_topics", "import_topics"}
        ),
        preview=pages.topics_preview,
        facts=facts,
    ),
}
OWN_ACTIONS = frozenset().union(*(page.actions for page in PAGES.values()))


def page_of(bot: Bot) -> Page:
    """The page of the bot's kind."""
    return PAGES.get(bot.protocol, Page())
