from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from unfold.decorators import action

from plans.admin import exports, imports
from plans.admin.bot_page import BotPage, split_options
from plans.admin.topic import DataFieldInline, TopicInline
from plans.bots.reward_codes import pool
from plans.forms.bot import GUIDE, OwnTab
from plans.forms.options import GUIDE_FILE
from plans.models import Bot, SubGoal
from plans.portability.topics import topics_document
from plans.protocols import RewardOptions
from plans.protocols.topic_exploration.content import options_of, turn_budget
from plans.protocols.topic_exploration.topic_guides.admin import intelligence, make_again
from plans.protocols.topic_exploration.topic_guides.job import current_guides

TOPIC_OPTIONS = ("languages", "goal", "data")
LONGEST = 10_000  # minutes
REWARDS = {
    "none": "",
    "fixed": "Everybody gets the same code.",
    "pool": "Everybody gets their own code.",
    "redirect": "Everybody is sent to another address.",
}
EARLY = {
    "none": "nothing.",
    "fixed": "a code for all of these.",
    "pool": "their own code.",
    "redirect": "an address for all of these.",
}


def _tabs(bot: Bot) -> list[OwnTab]:
    names, reward = split_options(bot)
    by_start = {
        start: [n for n in names if n.startswith(f"option__{start}")] for start in TOPIC_OPTIONS
    }
    return [
        OwnTab("Interview", ["minutes", *by_start["languages"], *by_start["goal"], "persona"]),
        OwnTab("Guide", [GUIDE, GUIDE_FILE]),
        OwnTab("Consent for contact data", by_start["data"], place="Ending"),
        reward,
    ]


def _reward_text(reward: RewardOptions) -> str:
    early = reward.due(early=True)
    if reward.kind == "none" or early == reward:
        return REWARDS[reward.kind]
    return f"{REWARDS[reward.kind]} Ending early: {EARLY[early.kind]}"


def topic_facts(bot: Bot) -> dict[str, Any]:
    options, topics = options_of(bot), bot.topics.count()
    reward = options.reward
    return {
        "topics": topics,
        "goals": SubGoal.objects.filter(topic__bot=bot).count(),
        "budget": turn_budget(bot.minutes, topics),
        "intelligence": current_guides(bot),
        "guided": bool(options.manual_guide),
        "pool": pool(bot) if "pool" in (reward.kind, reward.due(early=True).kind) else None,
    }


def road_map(bot: Bot) -> dict[str, Any]:
    options = options_of(bot)
    topics = list(bot.topics.prefetch_related("sub_goals"))
    return {
        "topics": topics,
        "fields": list(bot.data_fields.all()),
        "budget": turn_budget(bot.minutes, len(topics)),
        "purpose": options.data_purpose,
        "kept": options.data_kept,
        "reward": _reward_text(options.reward),
    }


def topics_preview(request: HttpRequest, bot: Bot) -> HttpResponse:
    return render(request, "plans/road_map.html", {"title": bot.title, "map": road_map(bot)})


@action(description="Export topics as CSV", icon="download", permissions=["view"])
def export_topics(admin: Any, request: HttpRequest, object_id: str) -> HttpResponse:
    bot = admin.having(request, object_id, "topics")
    return exports.document_file(f"{exports.file_name(bot)}-topics", "csv", topics_document(bot))


@action(description="Import topics from CSV", icon="upload", permissions=["change"])
def import_topics(admin: Any, request: HttpRequest, object_id: str) -> HttpResponse:
    bot = admin.having(request, object_id, "topics")
    return imports.import_page(admin, request, imports.TOPICS, bot)


def budget_part(admin: Any, request: HttpRequest, object_id: int) -> HttpResponse:
    """Render each topic's share of ?minutes=, or of the stored minutes if that is no number."""
    bot = admin.having(request, str(object_id), "topics")
    typed = request.GET.get("minutes", "")
    minutes = int(typed) if typed.isdecimal() and 0 < int(typed) <= LONGEST else bot.minutes
    context = {"budget": turn_budget(minutes, bot.topics.count())}
    return render(request, "admin/plans/bot/budget.html", context)


PAGE = BotPage(
    options=("languages", "goal"),
    tabs=_tabs,
    inlines=(TopicInline, DataFieldInline),
    buttons=(intelligence,),
    menu=(make_again, export_topics, import_topics),
    urls={"budget": budget_part},
    preview=topics_preview,
    facts=topic_facts,
)
