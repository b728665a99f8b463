"""Tells addresses what happens: rows stored with the event, sent in the background."""

from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Q

from interviews.models import Session, Webhook, WebhookDelivery
from interviews.webhooks.delivery import RIGHT, enqueue_on_commit
from plans.bots.teams import team_keys, visible
from plans.models import Bot

Event = Webhook.Event


def tell_of_session(event: Event, session: Session) -> None:
    """Call it in the transaction of the event. Previews and synthetic interviews aren't told of."""
    if session.preview or session.synthetic:
        return
    for hook in _listening(event, session.bot_id):
        if visible(Session.objects.filter(pk=session.pk), hook.user).exists():
            _request(hook, event, _described(session))


def tell_of_export(user: Any, bot: Bot | None, data: dict[str, Any]) -> None:
    """Tell of an export: of all bots only those who see them all, and whoever exported."""
    for hook in _listening(Event.EXPORTED, bot.pk if bot else None):
        of_bot = bot and visible(Bot.objects.filter(pk=bot.pk), hook.user).exists()
        if of_bot or hook.user_id == user.pk or team_keys(hook.user) is None:
            _request(hook, Event.EXPORTED, data)


def _listening(event: Event, bot: int | None) -> list[Webhook]:
    active = Webhook.objects.filter(Q(bot=None) | Q(bot=bot), is_active=True)
    listening = [hook for hook in active.select_related("user") if event in hook.events]
    return [hook for hook in listening if hook.user.has_perm(RIGHT)]


def _described(session: Session) -> dict[str, Any]:
    return {
        "session_id": str(session.pk),
        "bot": session.bot.slug if session.bot else None,
        "status": str(session.status),
        "language": session.language,
        "flagged": session.flagged,
        "started_at": session.started_at.isoformat(),
        "ended_at": session.ended_at and session.ended_at.isoformat(),
    }


def _request(hook: Webhook, event: Event, data: dict[str, Any]) -> None:
    row = WebhookDelivery.objects.create(webhook=hook, event=event, data=data)
    enqueue_on_commit(row.pk)
