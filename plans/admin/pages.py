"""Pages about a script or a bot besides its form."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from llm.languages import language_name
from plans.admin.base import StudyAdmin
from plans.bots.compile import NotReady, compile_bot, signature
from plans.bots.history import HistorySave
from plans.models import Bot, Plan, Script
from plans.portability.bots import bot_document
from plans.portability.differences import Difference, differences
from plans.protocols import readable
from plans.scripts import preview


def script_preview(request: HttpRequest, script: Script) -> HttpResponse:
    context = {"preview": preview(script), "title": script.name}
    return render(request, "plans/preview.html", context)


def bot_preview(request: HttpRequest, bot: Bot) -> HttpResponse:
    script, context = chosen_script(request, bot)
    context["preview"] = script and preview(script, bot.options.get("excluded_sections", ()))
    return render(request, "plans/preview.html", context)


def chosen_script(request: HttpRequest, bot: Bot) -> tuple[Script | None, dict[str, Any]]:
    """Return the bot's script in the requested language, and context for its page."""
    scripts = list(bot.scripts.order_by("language"))
    wanted = request.GET.get("language")
    script = next((s for s in scripts if s.language == wanted), scripts[0] if scripts else None)
    languages = [(s.language, language_name(s.language)) for s in scripts]
    return script, {"title": bot.title, "languages": languages}


def bot_outline(bot: Bot) -> str:
    """Return the parts that the bot's form has typed fields for, to read only."""
    parts = {"texts", "options", "models", "quota_cells", "link_params", "outcomes"}
    return outline_of(bot_document(bot).model_dump(mode="json", include=parts))


def outline_of(value: Any) -> str:
    return render_to_string("admin/plans/plan/outline.html", {"value": value})


def history(
    admin: StudyAdmin,
    request: HttpRequest,
    row: Model,
    saves: Sequence[HistorySave],
    restore: str = "",
) -> HttpResponse:
    """Show what was changed, when and by whom; `restore` is the URL that restores a state."""
    context = {"title": f"History of “{row}”", "saves": saves, "restore": restore}
    return admin.page(request, "admin/plans/history.html", row, **context)


def versions(admin: StudyAdmin, request: HttpRequest, bot: Bot) -> HttpResponse:
    plans = list(bot.plans.order_by("-number"))
    newer, older = _requested_plans(request, plans)
    again, upcoming = _upcoming(bot, plans)
    context = {
        "title": f"Plan versions of “{bot}”",
        "plans": plans,
        "newer": newer,
        "older": older,
        "changes": plan_changes(older, newer) if older and newer else [],
        "upcoming": upcoming,
        "again": again,
    }
    return admin.page(request, "admin/plans/versions.html", bot, **context)


def _requested_plans(
    request: HttpRequest, plans: Sequence[Plan]
) -> tuple[Plan | None, Plan | None]:
    numbers = {str(plan.number): plan for plan in plans}
    wanted = [request.GET.get(name) for name in ("newer", "older")]
    if any(number is not None and number not in numbers for number in wanted):
        raise Http404
    latest = [*plans[:2], None, None]
    chosen = [numbers[n] if n else latest[i] for i, n in enumerate(wanted)]
    return chosen[0], chosen[1]


def plan_changes(older: Plan, newer: Plan) -> list[Difference]:
    return differences(
        readable(older.protocol, older.content), readable(newer.protocol, newer.content)
    )


def _upcoming(bot: Bot, plans: Sequence[Plan]) -> tuple[Plan | None, list[Difference] | str]:
    """Return how the next plan differs from the latest, or why there can be none.

    First the stored plan that is the next one: the bot may have been changed back.
    """
    try:
        content = compile_bot(bot)
    except NotReady as error:
        return None, str(error)
    digest = signature(content)
    again = next((plan for plan in plans if plan.signature == digest), None)
    if not plans or again == plans[0]:
        return again, []
    upcoming = Plan(protocol=bot.protocol, content=content.model_dump(mode="json"))
    return again, plan_changes(plans[0], upcoming)
