"""The backlog on an interview's page, refreshed while the interview runs."""

from collections.abc import Sequence
from functools import partial
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import URLPattern, path

from interviews.admin.access_log import record_seen
from interviews.admin.base import STATUS_BADGES, FieldworkAdmin, session_url
from interviews.admin.extensions import PageExtension, SessionExtension
from interviews.admin.querysets import marks
from interviews.models import Session
from interviews.protocols.knowledge_transfer.admin.fact_details import confidence, tone
from interviews.protocols.knowledge_transfer.backlog import backlog_of, in_families, is_waiting
from interviews.protocols.knowledge_transfer.context import (
    ANSWERED,
    CLOSING,
    DISCOVERED,
    NEVER_ASKED,
    NOT_KNOWN,
    OPEN,
    SKIPPED,
)
from interviews.protocols.knowledge_transfer.state import BacklogItem
from plans.models import BacklogQuestion
from plans.text import shorten

PANEL = "admin/interviews/session/backlog.html"
NEWS = "admin/interviews/session/backlog_news.html"
FACTS = "interviews.view_fact"
MAX_FACTS = 8  # facts that are shown beside it
MAX_QUOTE_LENGTH = 160  # characters of an answer
PRIORITIES = {str(value): str(label) for value, label in BacklogQuestion.Priority.choices}
PRIORITY_TONES = {"P0": "primary", "P1": "info"}
STATUSES = {  # status -> in words, and how much it should catch the eye
    OPEN: ("Open", ""),
    ANSWERED: ("Answered", "success"),
    NOT_KNOWN: ("Not known", "warning"),
    SKIPPED: ("Skipped", "warning"),
}


def _board(request: HttpRequest, session: Session, fresh: bool = False) -> dict[str, Any] | None:
    """Return the backlog and the newest facts, or None without a backlog.

    With `fresh`, for a page that is older, links into the transcript reload it.
    """
    items = backlog_of(session.plan_id, session.state)
    if not items:
        return None
    sees_facts = request.user.has_perm(FACTS)
    facts = session.facts.filter(merged_into=None).select_related("entry").order_by("-number")
    return {
        "session": session,
        "rows": _rows(session, items),
        "counts": _counts(items),
        "facts": list(facts[:MAX_FACTS]) if sees_facts else [],
        "fact_count": facts.count(),
        "sees_facts": sees_facts,
        "place": session_url(session, f"?upto={session.length}") if fresh else "",
        "fresh": fresh,
        "tone": STATUS_BADGES.get(session.get_status_display(), ""),
        "marks": marks(session),
    }


class BacklogPage(PageExtension):
    own_state = frozenset({"items", "facts"})

    def panel(self) -> str:
        board = _board(self.request, self.session)
        return render_to_string(PANEL, {"board": board}) if board else ""


class BacklogExtension(SessionExtension):
    page = BacklogPage

    def urls(self, admin: FieldworkAdmin) -> list[URLPattern]:
        view = admin.admin_site.admin_view(partial(_backlog_news, admin))
        return [path("<uuid:object_id>/backlog/", view, name="interviews_session_backlog")]


def _backlog_news(admin: FieldworkAdmin, request: HttpRequest, object_id: UUID) -> HttpResponse:
    session: Session = admin.row(request, str(object_id))
    record_seen(request.user, session)
    is_new = request.GET.get("seen") != str(session.sequence)
    board = _board(request, session, fresh=True) if is_new else None
    return render(request, NEWS, {"board": board}) if board else HttpResponse(status=204)


def _rows(session: Session, items: Sequence[BacklogItem]) -> list[dict[str, Any]]:
    this_round = max((item.round for item in items), default=0) if session.is_active else 0
    return [
        _row(item, depth, 0 < this_round == item.round and item.status == OPEN)
        for depth, item in in_families(items)
    ]


def _row(item: BacklogItem, depth: int, asked_now: bool) -> dict[str, Any]:
    """Return one question as the page shows it."""
    status, status_tone = ("Asked now", "info") if asked_now else STATUSES[item.status]
    sure = item.confidence
    return {
        "item": item,
        "depth": depth,
        "asked_now": asked_now,
        "status": "Not asked" if _is_never_asked(item) and not asked_now else status,
        "tone": status_tone,
        "priority_tone": PRIORITY_TONES.get(item.priority, ""),
        "priority_meaning": PRIORITIES.get(item.priority, ""),
        "discovered": item.origin == DISCOVERED,
        "quote": shorten(" ".join(item.answer.split()), MAX_QUOTE_LENGTH),
        "confidence": "" if sure is None else confidence(sure),
        "confidence_tone": "" if sure is None else tone(sure),
    }


def _counts(every: Sequence[BacklogItem]) -> list[tuple[str, int]]:
    items = [item for item in every if item.origin != CLOSING]
    return [
        ("open", sum(map(is_waiting, items))),
        ("answered", sum(item.status == ANSWERED for item in items)),
        ("not known", sum(item.status == NOT_KNOWN for item in items)),
        ("skipped", sum(item.status == SKIPPED for item in items)),
        ("not asked (P2)", sum(_is_never_asked(item) for item in items)),
    ]


def _is_never_asked(item: BacklogItem) -> bool:
    return item.status == OPEN and item.priority == NEVER_ASKED
