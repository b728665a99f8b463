"""A bot's overview, also as a page to share by a secret link, and an experiment's results."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Max, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from interviews.admin.base import FieldworkAdmin, study_admin, user_of
from interviews.measures.arm_results import MEASURES, STATES, arm_results
from interviews.models import SharedOverview
from interviews.overview.figures import Overview, brief, overview
from interviews.recruitment.eligibility.quota_cells import cell_counts
from plans.admin.base import OVERVIEW, require
from plans.models import Bot, Experiment

SESSIONS = "interviews.view_session"
SHARE = "interviews.share_overview"
TURNED_AWAY = {
    "full": "quota full",
    "screened": "in no quota cell",
    "closed": "closed",
    "closed_now": "outside opening hours",
    "early": "not open yet",
}
SPEAKERS = {
    "model": "the model",
    "fallback_model": "the model that stands in",
    "fallback": "fixed words, as no model answered",
    "rules": "the script and rules",
}
MOST_LIVE = 12  # bots on the first page
REFRESHES = "document.visibilityState == 'visible' && !this.contains(document.activeElement)"
BODY = "admin/interviews/overview/body.html"


def may_see_overviews(request: HttpRequest) -> bool:
    return any(map(request.user.has_perm, OVERVIEW))


def overview_page(sessions: FieldworkAdmin, request: HttpRequest, bot_id: int) -> HttpResponse:
    """Show a bot's overview. An HTMX request gets the part that it names: the figures, or all."""
    bot = _bot(request, bot_id)
    context = _context(overview(bot, timezone.now())) | {
        "trigger": f"every 15s [{REFRESHES}]",
        "links": request.user.has_perm(SESSIONS),
        "url": reverse("admin:interviews_session_overview", args=[bot.pk]),
    }
    if request.headers.get("HX-Request"):
        part = "tiles" if request.GET.get("part") == "tiles" else "body"
        return render(request, f"admin/interviews/overview/{part}.html", context)
    shared = SharedOverview.objects.filter(bot=bot).first()
    address = shared and request.build_absolute_uri(reverse("overview", args=[shared.key]))
    context |= {"shared": address, "may_share": request.user.has_perm(SHARE)}
    template = "admin/interviews/overview/page.html"
    return sessions.page(request, template, bot, title=f"Overview of “{bot}”", **context)


def share(sessions: FieldworkAdmin, request: HttpRequest, bot_id: int) -> HttpResponse:
    bot = _bot(request, bot_id)
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    require(request, SHARE)
    present = SharedOverview.objects.filter(bot=bot)
    if "sure" not in request.POST and present.exists():
        messages.error(request, "Tick the box to confirm that the link stops working.")
        return redirect("admin:interviews_session_overview", bot.pk)
    present.delete()
    if "revoke" in request.POST:
        messages.success(request, "The link no longer works.")
    else:
        SharedOverview.objects.create(bot=bot, by=user_of(request))
        messages.success(request, "Whoever has this link can see the overview, without an account.")
    return redirect("admin:interviews_session_overview", bot.pk)


@require_safe
@never_cache
def shared_overview(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show a bot's figures to whoever has the link: no words, no names, no way to interviews."""
    shared = SharedOverview.objects.filter(key=key).select_related("bot").first()
    if shared is None:
        raise Http404
    context = _context(overview(shared.bot, timezone.now())) | {"url": request.path}
    part = BODY if request.headers.get("HX-Request") else "interviews/overview.html"
    return render(request, part, context)


def live_bots(request: HttpRequest) -> dict[str, Any]:
    """Return the overviews of live bots, those with the latest interviews first."""
    if not may_see_overviews(request):
        return {}
    bots: QuerySet[Bot] = study_admin(Bot).get_queryset(request)
    latest = bots.filter(status=Bot.Status.LIVE).annotate(latest=Max("sessions__started_at"))
    live = list(latest.filter(latest__isnull=False).order_by("-latest"))
    now, rows = timezone.now(), live[:MOST_LIVE]
    return {"rows": [brief(bot, now, 1 / len(rows)) for bot in rows], "more": live[MOST_LIVE:]}


def experiment_page(sessions: FieldworkAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """Show an experiment's arms side by side."""
    experiment: Experiment = study_admin(Experiment).row(request, str(key))
    if not may_see_overviews(request):
        raise PermissionDenied
    results = arm_results(experiment, timezone.now())
    most = max((arm.counts["completed"] for arm in results), default=0) or 1
    context: dict[str, Any] = {
        "title": f"Results of “{experiment}”",
        "experiment": experiment,
        "results": results,
        "rows": [(label, [arm.counts[name] for arm in results]) for name, label in STATES.items()],
        "bars": [(one, 100 * one.counts["completed"] / most) for one in results],
        "measures": [
            (label, [arm.measures[name] for arm in results]) for name, label in MEASURES.items()
        ],
    }
    template = "admin/interviews/experiment.html"
    return sessions.page(request, template, experiment, **context)


def _bot(request: HttpRequest, bot_id: int) -> Bot:
    if not may_see_overviews(request):
        raise PermissionDenied
    bot: Bot = study_admin(Bot).row(request, str(bot_id))
    return bot


def _context(figures: Overview) -> dict[str, Any]:
    bot = figures.bot
    list_url = reverse("admin:interviews_session_changelist")
    return {
        "o": figures,
        "bot": bot,
        "sessions": f"{list_url}?bot__id__exact={bot.pk}&preview__exact=0&synthetic__exact=0",
        "cells": cell_counts(bot, figures.at),
        "promised": bot.minutes,
        "started_share": round(100 * figures.left / figures.started) if figures.started else 0,
        "turned_away": [
            (TURNED_AWAY.get(reason, reason), people)
            for reason, people in sorted(figures.turned_away.items())
        ],
        "shares": {
            "guarded": 100 * (figures.recent.guarded or 0),
            "low_effort": 100 * (figures.recent.low_effort or 0),
        },
        "topics": [
            (
                topic.label,
                100 * topic.covered,
                100 * topic.signal,
                len(topic.interviews),
                f"&id__in={','.join(map(str, topic.interviews))}",
            )
            for topic in figures.recent.topics
        ],
        "sources": [
            (SPEAKERS.get(source, source), 100 * part) for source, part in figures.recent.by_source
        ],
    }
