"""The admin's navigation, grouped by task."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse

from llm.calls import model_state

GROUPS = {
    "Studies": ["plans"],
    "Fieldwork": ["interviews"],
    "Results": ["reflections"],
    "System": ["llm", "auth"],
}
ICONS = {
    "Bot": "record_voice_over",
    "Script": "article",
    "Experiment": "alt_route",
    "LadderConcept": "category",
    "LadderMethodology": "stairs",
    "Session": "forum",
    "TranscriptEntry": "search",
    "Invitation": "mail",
    "Participant": "person_pin",
    "Fact": "lightbulb",
    "Turn": "sync_alt",
    "Mail": "outgoing_mail",
    "Reflection": "fact_check",
    "Expert": "psychology",
    "Batch": "layers",
    "Calibration": "speed",
    "Evaluation": "science",
    "Export": "download",
    "SiteIdentity": "domain",
    "Health": "monitor_heart",
    "DataProtection": "shield_person",
    "LLMCall": "neurology",
    "LLMPrice": "payments",
    "User": "person",
    "Group": "group",
    "Team": "groups",
    "AccessRecord": "history_edu",
    "ExportToken": "key",
    "Webhook": "webhook",
    "WebhookDelivery": "outbox",
}
ORDER = list(ICONS)
TITLES = {"TranscriptEntry": "Search transcripts"}  # instead of the model's name
# shown under System
OF_THE_SITE = ("SiteIdentity", "Team", "AccessRecord", "ExportToken", "Webhook", "WebhookDelivery")


def groups(request: HttpRequest) -> list[dict[str, Any]]:
    apps = {app["app_label"]: app["models"] for app in admin.site.get_app_list(request)}
    groups = {
        title: [model for label in labels for model in apps.get(label, [])]
        for title, labels in GROUPS.items()
    }
    groups["Results"] += _exports(request)
    groups["System"] += _pages(request)
    for title in ("Studies", "Fieldwork"):
        site = [model for model in groups[title] if model["object_name"] in OF_THE_SITE]
        groups[title] = [model for model in groups[title] if model not in site]
        groups["System"] += site
    return [
        {"title": title, "separator": True, "items": [_item(m) for m in sorted(models, key=_order)]}
        for title, models in groups.items()
        if models
    ]


def _exports(request: HttpRequest) -> list[dict[str, Any]]:
    if not request.user.has_perm("interviews.export_session"):
        return []
    url = reverse("admin:interviews_session_export")
    return [{"object_name": "Export", "name": "Exports", "admin_url": url}]


def _pages(request: HttpRequest) -> list[dict[str, Any]]:
    if not request.user.is_superuser:
        return []
    return [
        {"object_name": "Health", "name": "Health", "admin_url": reverse("site_health")},
        {
            "object_name": "DataProtection",
            "name": "Data protection",
            "admin_url": reverse("data_protection"),
        },
    ]


def _item(model: dict[str, Any]) -> dict[str, Any]:
    icon = ICONS.get(model["object_name"], "list_alt")
    title = TITLES.get(model["object_name"], model["name"])
    return {"title": title, "icon": icon, "link": model["admin_url"]}


def _order(model: dict[str, Any]) -> tuple[int, str]:
    name = model["object_name"]
    return (ORDER.index(name) if name in ORDER else len(ORDER), str(model["name"]))


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    return context | {"model": model_state.summary(), "model_is_well": model_state.is_well()}
