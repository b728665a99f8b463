"""The backlog of an interview on its page, which follows the interview while it runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import URLPattern, path

from interviews.admin.access_log import record_seen
from interviews.admin.base import STATUS_BADGES, FieldworkAdmin, session_url
from interviews.admin.extensions import PageExtension, SessionExtension
from interviews.admin.querysets import marks
from interviews.models import Fact, Session
from interviews.protocols.knowledge_transfer.admin.fact_details import confidence, tone
from interviews.protocols.knowledge_transfer.backlog import (
    NOT_ASKED,
    backlog_in,
    in_families,
    waits,
)
from interviews.protocols.knowledge_transfer.state import BacklogItem
from plans.models import BacklogQuestion

PANEL = "admin/interviews/session/backlog.html"
NEWS = "admin/interviews/session/backlog_news.html"
FACTS = "interviews.view_fact"
LATEST = 8  # facts that are shown beside it
QUOTED = 160  # characters of an answer
DISCOVERED = "DISCOVERED"
PRIORITIES = {str(value): str(label) for value, label in BacklogQuestion.Priority.choices}
PRIORITY_TONES = {"P0": "primary", "P1": "info"}
STATUSES = {  # status -> in words, and how much it should catch the eye
    "OPEN": ("Open", ""),
    "ANSWERED_BY_INTERVIEW": ("Answered", "success"),
    "SKIPPED": ("Skipped", "warning"),
}


@dataclass(frozen=True)
class BacklogItemView:
    """One question as it is shown."""

    item: BacklogItem
    depth: int
    asked_now: bool

    @property
    def status(self) -> str:
        """What became of it, in words."""
        if self.asked_now:
            return "Asked now"
        if self.item.status == "OPEN" and self.item.priority == NOT_ASKED:
            return "Not asked"
        return STATUSES[self.item.status][0]

    @property
    def tone(self) -> str:
        return "info" if self.asked_now else STATUSES[self.item.status][1]

    @property
    def priority_tone(self) -> str:
        """The colour of its priority."""
        return PRIORITY_TONES.get(self.item.priority, "")

    @property
    def priority_meaning(self) -> str:
        return PRIORITIES.get(self.item.priority, "")

    @property
    def discovered(self) -> bool:
        """Whether it came up in an answer."""
        return self.item.origin == DISCOVERED

    @property
    def quote(self) -> str:
        """The beginning of the answer."""
        answer = " ".join(self.item.answer.split())
        return answer if len(answer) <= QUOTED else answer[: QUOTED - 1].rstrip() + "…"

    @property
    def confidence(self) -> str:
        """In a word and as a number; empty before there is an answer."""
        value = self.item.confidence
        return "" if value is None else confidence(value)

    @property
    def confidence_tone(self) -> str:
        return "" if self.item.confidence is None else tone(self.item.confidence)


@dataclass(frozen=True)
class BacklogBoard:
    """All that the part of the page shows."""

    session: Session
    rows: list[BacklogItemView]
    counts: list[tuple[str, int]]
    facts: list[Fact]
    fact_count: int
    sees_facts: bool
    place: str  # where the transcript stands
    fresh: bool  # newer than the page that it goes into
    tone: str  # of the interview's status
    marks: Mapping[str, str]


def board_of(request: HttpRequest, session: Session, fresh: bool = False) -> BacklogBoard | None:
    """The backlog and the newest facts; None where the interview has no backlog.

    Where it is fresher than the page around it, links into the transcript load that anew.
    """
    items = backlog_in(session)
    if not items:
        return None
    sees_facts = request.user.has_perm(FACTS)
    found = session.facts.filter(merged_into=None).select_related("entry").order_by("-number")
    return BacklogBoard(
        session=session,
        rows=_rows(session, items),
        counts=_counts(items),
        facts=list(found[:LATEST]) if sees_facts else [],
        fact_count=found.count(),
        sees_facts=sees_facts,
        place=session_url(session, f"?upto={session.length}") if fresh else "",
        fresh=fresh,
        tone=STATUS_BADGES.get(session.get_status_display(), ""),
        marks=marks(session),
    )


class BacklogPage(PageExtension):
    """The backlog above the transcript."""

    own_state = frozenset({"items", "facts"})

    def __init__(self, request: HttpRequest, session: Session) -> None:
        self.request = request
        self.session = session

    def panel(self) -> str:
        """The backlog and the newest facts."""
        board = board_of(self.request, self.session)
        return render_to_string(PANEL, {"board": board}) if board else ""


class BacklogExtension(SessionExtension):
    """The backlog on the page of an interview, which is asked for again while that runs."""

    def urls(self, admin: FieldworkAdmin) -> list[URLPattern]:
        """Where the page asks for what is new."""

        def view(request: HttpRequest, object_id: UUID) -> HttpResponse:
            session: Session = admin.row(request, str(object_id))
            record_seen(request.user, session)
            return news(request, session)

        asked = admin.admin_site.admin_view(view)
        return [path("<uuid:object_id>/backlog/", asked, name="interviews_session_backlog")]

    def page(self, request: HttpRequest, session: Session) -> BacklogPage:
        """The backlog of this interview."""
        return BacklogPage(request, session)


def news(request: HttpRequest, session: Session) -> HttpResponse:
    """What has changed since the page was shown; nothing (204) where nothing has."""
    if request.GET.get("seen") == str(session.sequence):
        return HttpResponse(status=204)
    board = board_of(request, session, fresh=True)
    if board is None:
        return HttpResponse(status=204)
    return render(request, NEWS, {"board": board})


def _rows(session: Session, items: Sequence[BacklogItem]) -> list[BacklogItemView]:
    asked = max((item.round for item in items), default=0)
    return [
        BacklogItemView(item, depth, session.is_active and asked > 0 and _is_open(item, asked))
        for depth, item in in_families(items)
    ]


def _is_open(item: BacklogItem, round_: int) -> bool:
    return item.status == "OPEN" and item.round == round_


def _counts(items: Sequence[BacklogItem]) -> list[tuple[str, int]]:
    """How many there are of each, in words."""
    return [
        ("open", sum(map(waits, items))),
        ("answered", sum(item.status == "ANSWERED_BY_INTERVIEW" for item in items)),
        ("skipped", sum(item.status == "SKIPPED" for item in items)),
        ("not asked (P2)", sum(_stays(item) for item in items)),
    ]


def _stays(item: BacklogItem) -> bool:
    return item.status == "OPEN" and item.priority == NOT_ASKED
