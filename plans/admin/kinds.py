"""What the page of a bot holds, by its kind of interview: a table with an entry for each."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse

from plans.admin import pages
from plans.admin.ladders.facts import ladder_facts
from plans.admin.ladders.previewing import bot_preview as ladder_preview
from plans.admin.topic import DataFieldInline, TopicInline
from plans.forms.bot import GUIDE, OwnTab, option_names
from plans.forms.guides import GUIDE_FILE
from plans.forms.options import field_name
from plans.handover import handover_facts
from plans.models import Bot
from plans.outline import facts

OwnTabs = list[OwnTab]


@dataclass(frozen=True)
class Page:
    """The tabs, rows and actions that only bots of this kind have.

    `begins_with` are the fields and `options` the options that a new bot is asked for; `facts` is
    what its page says above the form.
    """

    begins_with: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    tabs: Callable[[Bot], OwnTabs] = lambda bot: [OwnTab("Interview", ["minutes", "persona"])]
    inlines: tuple[type[Any], ...] = ()
    actions: frozenset[str] = frozenset()
    preview: Callable[[HttpRequest, Bot], HttpResponse] = pages.bot_preview
    facts: Callable[[Bot], Any] = lambda bot: None
    facts_template: str = "admin/plans/bot/facts.html"


# What the tabs of an assessment hold; rules, and all else, come under Judging.
BEGINNING = ("position", "grade", "ask_experience", "default_topic")
ASKING = ("questions_by", "max_turns", "history", "attempts", "interviewer_seconds", "reasoning")
RULES_NOTE = (
    "Each answer gets a score for correctness and one for confidence, from 0 to 1. <b>Strong "
    "Hire</b> needs both of its values below, nothing made up, and a level at or above the grade. "
    "<b>Hire</b> needs both of its own, nothing made up, and gaps that were admitted. Everything "
    "else is <b>No Hire</b>. It is advice: a person accepts or amends every report."
)


def _life_story_tabs(bot: Bot) -> OwnTabs:
    asking, reward = _options(bot)
    return [OwnTab("Interview", ["scripts", "minutes", "persona", *asking]), reward]


def _options(bot: Bot) -> tuple[list[str], OwnTab]:
    """The fields of its options, and those about its reward in a tab of their own."""
    names = option_names(bot)
    reward = [name for name in names if name.startswith(REWARD)]
    return [name for name in names if name not in reward], OwnTab("Reward", reward)


def _topic_tabs(bot: Bot) -> OwnTabs:
    names, reward = _options(bot)
    of = {start: [n for n in names if n.startswith(f"option__{start}")] for start in TOPIC_OPTIONS}
    return [
        OwnTab("Interview", ["minutes", *of["languages"], *of["goal"], "persona"]),
        OwnTab("Guide", [GUIDE, GUIDE_FILE]),
        OwnTab("Consent for data", of["data"]),
        reward,
    ]


def _assessment_tabs(bot: Bot) -> OwnTabs:
    beginning, asking = ([field_name(name) for name in names] for names in (BEGINNING, ASKING))
    names, reward = _options(bot)
    rest = [name for name in names if name not in (*beginning, *asking)]
    judging = sorted(rest, key=lambda name: not name.startswith(field_name("rules")))
    return [
        OwnTab("Interview", ["scripts", *beginning, "minutes", "persona"]),
        OwnTab("Questions", asking),
        OwnTab("Judging", judging, RULES_NOTE),
        reward,
    ]


def _knowledge_tabs(bot: Bot) -> OwnTabs:
    asking, reward = _options(bot)
    return [OwnTab("Interview", ["minutes", "persona", *asking]), reward]


def _laddering_tabs(bot: Bot) -> OwnTabs:
    asking, reward = _options(bot)
    return [OwnTab("Interview", [*FILES, *asking, "minutes", "persona"]), reward]


REWARD = field_name("reward")
FILES = ("concept", "methodology")
TOPIC_OPTIONS = ("languages", "goal", "data")

PAGES: dict[str, Page] = {
    "life_story": Page(begins_with=("scripts",), tabs=_life_story_tabs),
    "topic_exploration": Page(
        options=("languages", "goal"),
        tabs=_topic_tabs,
        inlines=(TopicInline, DataFieldInline),
        actions=frozenset({"intelligence", "make_again", "export_topics", "import_topics"}),
        preview=pages.topics_preview,
        facts=facts,
    ),
    "technical_assessment": Page(
        begins_with=("scripts",),
        options=("position", "grade"),
        tabs=_assessment_tabs,
        preview=pages.assessment_preview,
    ),
    "knowledge_transfer": Page(
        options=("languages", "project"),
        tabs=_knowledge_tabs,
        actions=frozenset(
            {"documents", "backlog", "summary", "summary_again"}
            | {"import_backlog", "export_backlog"}
        ),
        preview=pages.handover_preview,
        facts=handover_facts,
        facts_template="admin/plans/knowledge/facts.html",
    ),
    "laddering": Page(
        begins_with=FILES,
        options=("languages", "mode"),
        tabs=_laddering_tabs,
        preview=ladder_preview,
        facts=ladder_facts,
        facts_template="admin/plans/ladder/facts.html",
    ),
}
OWN_ACTIONS = frozenset().union(*(page.actions for page in PAGES.values()))


def page_of(bot: Bot) -> Page:
    """The page of the bot's kind."""
    return PAGES.get(bot.protocol, Page())
