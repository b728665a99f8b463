from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.defaultfilters import pluralize
from pydantic import ValidationError
from unfold.decorators import action

from plans.admin.base import StudyAdmin, require
from plans.bots.reward_codes import PastedCodes, add_codes, pool, read_codes, remove_left
from plans.models import Bot
from plans.protocols import RewardOptions

TEMPLATE = "admin/plans/rewards.html"
MOST_SHOWN = 200  # problems
PER_PAGE = 100  # codes
VIEW, ADD, DELETE = (f"plans.{do}_rewardcode" for do in ("view", "add", "delete"))


class RewardCodeActions:
    def has_codes_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Require a right of its own, since codes are worth money."""
        return bool(request.user.has_perm(VIEW))

    @action(description="Reward codes", icon="redeem", permissions=["view", "codes"])
    def reward_codes(self: Any, request: HttpRequest, object_id: str) -> HttpResponse:
        bot = self.row(request, object_id)
        if request.method != "POST":
            return _page(self, request, bot)
        if "remove" in request.POST:
            return _remove_codes(request, bot)
        return _add_codes(self, request, bot)


def _page(
    admin: StudyAdmin,
    request: HttpRequest,
    bot: Bot,
    text: str = "",
    pasted: PastedCodes | None = None,
) -> HttpResponse:
    pages = Paginator(
        bot.reward_codes.order_by(F("drawn_at").desc(nulls_last=True), "id"), PER_PAGE
    )
    problems = pasted.problems if pasted else []
    context: dict[str, Any] = {
        "title": f"Reward codes of “{bot}”",
        "pool": pool(bot),
        "codes": pages.get_page(request.GET.get("p")),
        "text": text,
        "problems": problems[:MOST_SHOWN],
        "more_problems": len(problems[MOST_SHOWN:]),
        "usable": len(pasted.codes) if pasted else 0,
        "used": _gives_codes(bot),
        "may_add": request.user.has_perm(ADD),
        "may_remove": request.user.has_perm(DELETE),
    }
    return admin.page(request, TEMPLATE, bot, **context)


def _gives_codes(bot: Bot) -> bool:
    """Return whether any ending of an interview gives a code of the pool."""
    try:
        reward = RewardOptions.model_validate(bot.options.get("reward", {}))
    except ValidationError:
        return False
    return "pool" in (reward.kind, reward.due(early=True).kind)


def _add_codes(admin: StudyAdmin, request: HttpRequest, bot: Bot) -> HttpResponse:
    require(request, ADD)
    text = request.POST.get("codes", "")
    pasted = read_codes(bot, text)
    if (pasted.problems and "anyway" not in request.POST) or not pasted.codes:
        return _page(admin, request, bot, text, pasted)
    add_codes(bot, pasted.codes)
    count = len(pasted.codes)
    messages.success(request, f"{count} code{pluralize(count)} added.")
    return redirect("admin:plans_bot_reward_codes", bot.pk)


def _remove_codes(request: HttpRequest, bot: Bot) -> HttpResponse:
    require(request, DELETE)
    count = remove_left(bot)
    messages.success(request, f"{count} code{pluralize(count)} removed from the pool.")
    return redirect("admin:plans_bot_reward_codes", bot.pk)
