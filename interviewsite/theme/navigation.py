"""The admin's navigation, grouped by task."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse

from llm.calls import model_state
from plans.bots.teams import visible
from plans.models import Bot

# by group, in this order: models and pages, each with its icon
LISTED = {
    "Studies": {
        "plans.Bot": "record_voice_over",
        "plans.Script": "article",
        "plans.Experiment": "alt_route",
        "plans.LadderConcept": "category",
        "plans.LadderMethodology": "stairs",
    },
    "Fieldwork": {
        "interviews.Session": "forum",
        "interviews.TranscriptEntry": "search",
        "interviews.Invitation": "mail",
        "interviews.Participant": "person_pin",
        "interviews.Fact": "lightbulb",
        "interviews.Turn": "sync_alt",
        "interviews.Mail": "outgoing_mail",
    },
    "Results": {
        "reflections.Reflection": "fact_check",
        "reflections.Expert": "psychology",
        "reflections.Batch": "layers",
        "reflections.Calibration": "speed",
        "reflections.Evaluation": "science",
        "Exports": "download",
    },
    "System": {
        "plans.SiteIdentity": "domain",
        "Health": "monitor_heart",
        "Data protection": "shield_person",
        "llm.LLMCall": "neurology",
        "llm.LLMPrice": "payments",
        "auth.User": "person",
        "auth.Group": "group",
        "plans.Team": "groups",
        "interviews.AccessRecord": "history_edu",
        "interviews.ExportToken": "key",
        "interviews.Webhook": "webhook",
        "interviews.WebhookDelivery": "outbox",
    },
}
TITLES = {"interviews.TranscriptEntry": "Search transcripts"}  # instead of the model's name


def groups(request: HttpRequest) -> list[dict[str, Any]]:
    found = _pages(request) | {
        f"{app['app_label']}.{model['object_name']}": (model["name"], model["admin_url"])
        for app in admin.site.get_app_list(request)
        for model in app["models"]
    }
    opened = [link for _, link in found.values() if link and request.path.startswith(link)]
    current = max(opened, key=len, default="")
    items = {
        group: [
            {
                "title": TITLES.get(key, found[key][0]),
                "icon": icon,
                "link": found[key][1],
                "active": found[key][1] == current,
            }
            for key, icon in listed.items()
            if key in found
        ]
        for group, listed in LISTED.items()
    }
    opened_group = next((one for one in items if any(item["active"] for item in items[one])), "")
    request.menu_group = opened_group  # type: ignore[attr-defined]  # for the heading
    return [{"title": one, "separator": True, "items": items[one]} for one in items if items[one]]


def _pages(request: HttpRequest) -> dict[str, tuple[str, str]]:
    """Return the title and address of each page besides the models' that the user may open."""
    pages = {
        "Exports": ("admin:interviews_session_export", "interviews.export_session"),
        "Health": ("site_health", ""),
        "Data protection": ("data_protection", ""),
    }
    user = request.user
    return {
        title: (title, reverse(page))
        for title, (page, right) in pages.items()
        if (user.has_perm(right) if right else user.is_superuser)
    }


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    opened = Bot.objects.filter(demo=False).exclude(status=Bot.Status.DRAFT)
    return context | {
        "model": model_state.summary(),
        "model_is_well": model_state.is_well(),
        "has_opened_one": visible(opened, request.user).exists(),
    }
