"""Lookups of the API: open bots, who starts, the reply of a turn."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django.utils import timezone

from interviews.api import schemas
from interviews.models import Participant, Turn
from interviews.protocols import PROTOCOLS
from interviews.recruitment.eligibility import is_open_to_all
from interviews.recruitment.start_page import starting_person
from interviews.security import access
from interviews.turns.snapshot import snapshot
from interviews.turns.store import plan_content
from plans.bots.compile import NotReady, plan_for
from plans.models import Bot
from plans.protocols import PROTOCOLS as PLAN_PROTOCOLS


def open_bots() -> list[dict[str, Any]]:
    """Return BotOut's fields of every public bot open to anybody now."""
    now = timezone.now()
    bots = Bot.objects.filter(public=True, status=Bot.Status.LIVE).order_by("-is_default", "title")
    return [card for bot in bots if is_open_to_all(bot, now) and (card := _card(bot))]


def _card(bot: Bot) -> dict[str, Any] | None:
    try:
        plan = plan_for(bot)
    except NotReady:
        return None
    return {
        "slug": bot.slug,
        "title": bot.title,
        "protocol": bot.protocol,
        "minutes": bot.minutes,
        **_material(plan.pk),
    }


@lru_cache(maxsize=64)
def _material(plan_id: int) -> dict[str, Any]:
    content = plan_content(plan_id)
    questions = PLAN_PROTOCOLS[content.protocol].content.questions(content.material)
    asks = PROTOCOLS[content.protocol].asks_at_start(content, content.languages[0])
    return {"languages": list(content.languages), "questions": questions, "asks": asks}


def person_to_start(
    slug: str | None, caller: Participant | None, params: Mapping[str, str]
) -> Participant | None:
    """Return the caller, or None if the link's parameters name somebody else."""
    chosen = {"slug": slug} if slug else {"is_default": True}
    bot = Bot.objects.filter(**chosen).first() if caller and params else None
    return starting_person(bot, caller, params)[0] if bot else caller


def reply_of(turn_id: int) -> dict[str, Any]:
    """Return ReplyOut's fields of a turn, even if the interview has moved on since.

    Raises access.AccessDenied if the session was withdrawn or deleted meanwhile.
    """
    turn = Turn.objects.select_related("session").filter(pk=turn_id).first()
    if turn is None:
        raise access.AccessDenied
    newest = turn.entries.order_by("-position").values_list("position", flat=True).first()
    before = newest + 1 if newest is not None else None
    return schemas.reply(snapshot(turn.session, before=before, limit=6))
