"""Before a bot's form: its kind of interview; beside it: what its minutes give."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from plans.budget import budget
from plans.kinds import kinds
from plans.models import Bot

LONGEST = 10_000  # minutes
BUDGET = "admin/plans/bot/budget.html"


def chosen_kind(request: HttpRequest) -> str:
    """The kind that the request names, or the only one there is; empty if none was chosen."""
    every = kinds()
    named = request.POST.get("protocol") or request.GET.get("protocol") or ""
    return named if named in every else next(iter(every)) if len(every) == 1 else ""


def choose_kind(admin: Any, request: HttpRequest) -> HttpResponse:
    """A page that says what each kind is for."""
    if not admin.has_add_permission(request):
        raise PermissionDenied
    context = {"title": "How should it lead the interview?", "kinds": kinds()}
    page: HttpResponse = admin.page(request, "admin/plans/bot/kinds.html", None, **context)
    return page


def budget_part(request: HttpRequest, bot: Bot) -> HttpResponse:
    """The budget line for the minutes asked about; the stored ones if that is no number."""
    typed = request.GET.get("minutes", "")
    minutes = int(typed) if typed.isdecimal() and 0 < int(typed) <= LONGEST else bot.minutes
    context = {"budget": budget(minutes, bot.topics.count())}
    return render(request, BUDGET, context)
