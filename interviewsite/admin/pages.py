"""The site's health, and what it stores, where that goes, and when it is deleted."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import connection, models
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from interviews.models import Participant, Session, Webhook
from llm.models import LLMCall
from llm.routing.routes import model_providers
from plans.models import Bot

APPS = (
    *("interviews", "reflections", "plans", "llm", "auth", "sessions", "admin"),
    *("account", "mfa", "socialaccount"),  # where settings ask for them
)
DELETED_WITH = {
    Session: "With its interview: withdrawn, deleted, or after the time that the bot says",
    Participant: "With the participant’s last interview",
    Bot: "With its bot",
}


def health_page(request: HttpRequest) -> HttpResponse:
    """Show what `manage.py doctor` finds, once somebody asks for it: it takes some seconds."""
    from interviewsite.operations import doctor  # loads much that no other page needs

    if not request.user.is_superuser:
        raise PermissionDenied
    findings = [*doctor.examine()] if request.method == "POST" else None
    faults = sum(finding.state == doctor.FAULT for finding in findings or ())
    context = {"title": "Health", "findings": findings, "faults": faults}
    return render(request, "admin/health.html", admin.site.each_context(request) | context)


def data_protection_page(request: HttpRequest) -> HttpResponse:
    if not request.user.is_superuser:
        raise PermissionDenied
    context = {
        "title": "Data protection",
        "groups": [(label, list(_tables(label))) for label in APPS if label in apps.app_configs],
        "recipients": list(recipients()),
        "database": connection.display_name,
        "folder": settings.DATA_DIR,
    }
    page = "admin/data_protection.html"
    return render(request, page, admin.site.each_context(request) | context)


def _tables(label: str) -> Iterator[dict[str, str]]:
    for model in apps.get_app_config(label).get_models(include_auto_created=True):
        yield {
            "name": str(model._meta.verbose_name_plural).capitalize(),
            "table": model._meta.db_table,
            "fields": ", ".join(field.name for field in model._meta.local_fields),
            "deleted": deleted_with(model),
        }


def deleted_with(model: type[models.Model]) -> str:
    """Return with what its rows are deleted, by the closest model that a deletion comes from."""
    seen, next_ones = {model}, [model]
    while next_ones:
        for one in next_ones:
            if one in DELETED_WITH:
                return DELETED_WITH[one]
        next_ones = [up for one in next_ones for up in _cascades(one) if up not in seen]
        seen.update(next_ones)
    if model is LLMCall:  # names its interview, and also those of no interview
        return DELETED_WITH[Session]
    return "By hand"


def _cascades(model: type[models.Model]) -> list[type[models.Model]]:
    return [
        field.related_model
        for field in model._meta.local_fields
        if isinstance(field, models.ForeignKey)
        and field.remote_field.on_delete is models.CASCADE
        and isinstance(field.related_model, type)
    ]


def recipients() -> Iterator[tuple[str, str]]:
    """Yield who else gets what, as configured now."""
    for name in model_providers():
        url = str(getattr(settings, f"{name.upper()}_BASE_URL", "")) or name
        yield f"Model: {url}", "What participants say, with the script and earlier answers"
    if settings.EMAIL_URL:
        server = f"E-mail: {settings.EMAIL_HOST}"
        yield server, "Addresses and texts of invitations, reminders and alerts"
    for url in Webhook.objects.filter(is_active=True).values_list("url", flat=True).distinct():
        told = "Which interviews begin, end or are withdrawn, and exports; nothing that was said"
        yield f"Webhook: {urlsplit(url).hostname}", told
    if settings.DICTATION_PROVIDER == "deepgram":
        host = urlsplit(settings.DEEPGRAM_URL).hostname
        yield f"Dictation: {host}", "Sound of dictated answers; nothing is stored here"
    if not settings.DICTATION_PROVIDER:
        yield (
            "Dictation: the maker of the participant’s browser",
            "Sound of dictated answers, if they use it",
        )
    if settings.SENTRY_DSN:
        host = urlsplit(settings.SENTRY_DSN).hostname
        yield f"Sentry: {host}", "Errors, without request bodies and local variables"
    if settings.OIDC_ISSUER:
        yield f"Single sign-on: {settings.OIDC_ISSUER}", "Who of the staff signs in"
