"""The page of a topic exploration's bot."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from unfold.decorators import action

from plans.admin import exports, imports
from plans.admin.bot_page import BotPage, split_options
from plans.admin.topic import DataFieldInline, TopicInline
from plans.forms.bot import GUIDE, OwnTab
from plans.forms.guides import GUIDE_FILE
from plans.models import Bot
from plans.protocols.topic_exploration.topic_guides.admin import intelligence, make_again
from plans.protocols.topic_exploration.topic_summary import facts, road_map
from plans.protocols.topic_exploration.turn_budget import budget

TOPIC_OPTIONS = ("languages", "goal", "data")
LONGEST = 10_000  # minutes


def _tabs(bot: Bot) -> list[OwnTab]:
    names, reward = split_options(bot)
    of = {start: [n for n in names if n.startswith(f"option__{start}")] for start in TOPIC_OPTIONS}
    return [
        OwnTab("Interview", ["minutes", *of["languages"], *of["goal"], "persona"]),
        OwnTab("Guide", [GUIDE, GUIDE_FILE]),
        OwnTab("Consent for data", of["data"]),
        reward,
    ]


def topics_preview(request: HttpRequest, bot: Bot) -> HttpResponse:
    """The way that an interview about the bot's topics takes."""
    return render(request, "plans/road_map.html", {"title": bot.title, "map": road_map(bot)})


@action(description="Export topics as CSV", icon="download", permissions=["view"])
def export_topics(admin: Any, request: HttpRequest, object_id: str) -> HttpResponse:
    """The bot's topics and sub-goals as a CSV file."""
    return exports.topics_file(admin.having(request, object_id, "topics"))


@action(description="Import topics from CSV", icon="upload", permissions=["change"])
def import_topics(admin: Any, request: HttpRequest, object_id: str) -> HttpResponse:
    """A CSV file that the bot's topics become equal to."""
    return imports.import_page(
        admin, request, imports.TOPICS, admin.having(request, object_id, "topics")
    )


def budget_part(admin: Any, request: HttpRequest, object_id: int) -> HttpResponse:
    """The share of each topic for the minutes asked about; the stored ones if that is no number."""
    bot = admin.having(request, str(object_id), "topics")
    typed = request.GET.get("minutes", "")
    minutes = int(typed) if typed.isdecimal() and 0 < int(typed) <= LONGEST else bot.minutes
    context = {"budget": budget(minutes, bot.topics.count())}
    return render(request, "admin/plans/bot/budget.html", context)


PAGE = BotPage(
    options=("languages", "goal"),
    tabs=_tabs,
    inlines=(TopicInline, DataFieldInline),
    buttons=(intelligence,),
    menu=(make_again, export_topics, import_topics),
    urls={"budget": budget_part},
    preview=topics_preview,
    facts=facts,
)
