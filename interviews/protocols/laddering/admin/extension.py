from collections.abc import Mapping
from functools import cached_property, partial
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.urls import URLPattern, path
from django.utils.html import format_html
from unfold.decorators import action

from interviews.admin import export_page
from interviews.admin.access_log import record_seen
from interviews.admin.base import FieldworkAdmin, user_of
from interviews.admin.extensions import PageExtension, SessionAction, SessionExtension
from interviews.admin.querysets import who
from interviews.exports.downloads import record_download
from interviews.exports.selection import Selection
from interviews.models import Node, Session, TranscriptEntry, Turn
from interviews.protocols.laddering.admin.choice import (
    GraphNames,
    choice_of,
    scores_of,
    without_choice,
)
from interviews.protocols.laddering.admin.codes_page import codes
from interviews.protocols.laddering.admin.diagram import graph_view
from interviews.protocols.laddering.admin.ladders_page import ladders
from interviews.protocols.laddering.exports.graphml import MEDIA, graphml_of
from interviews.protocols.laddering.ladders import material_of
from plans.admin.base import by_key, require
from plans.admin.exports import download

SEEN = "Read the graph."


@action(description="Graph", icon="hub", permissions=["view"])
def graph(admin: FieldworkAdmin, request: HttpRequest, object_id: str) -> HttpResponseBase:
    """Show the graph of one interview; `?graphml` downloads it."""
    session: Session = admin.row(request, object_id)
    if "graphml" in request.GET:
        return _graphml(request, session)
    record_seen(request.user, session, SEEN)
    return admin.page(
        request,
        "admin/interviews/graph/page.html",
        session,
        title="Graph",
        who=who(session),
        session=session,
        may_export=export_page.may_export(request),
        shown=graph_view(session),
    )


def scores(
    admin: FieldworkAdmin, request: HttpRequest, object_id: UUID, number: int
) -> HttpResponse:
    """Show signals and scores of a turn, for the page of its interview."""
    session: Session = admin.row(request, str(object_id))
    turn = get_object_or_404(session.turns, number=number)
    details = turn.decision.get("details", {})
    context = {"scores": scores_of(details, GraphNames(session)), "number": number}
    return render(request, "admin/interviews/session/scores.html", context)


def _graphml(request: HttpRequest, session: Session) -> HttpResponse:
    require(request, export_page.RIGHT)
    record_download(
        user_of(request), session.bot, "graph", "graphml", Selection(sessions=(session.pk,))
    )
    return download(f"{session.pk}.graphml", MEDIA, graphml_of(session))


def has_graph(session: Any) -> bool:
    """Return whether the interview with this key builds a graph, or has one."""
    plan = by_key(Session.objects.all(), session).values_list("plan_id", flat=True).first()
    return plan is not None and (
        material_of(plan) is not None or Node.objects.filter(session=session).exists()
    )


CHOICE = "admin/interviews/session/choice.html"
IN_GRAPH = "admin/interviews/session/in_graph.html"
FIGURE = '<a class="study-link" href="{}">{} node{}</a>'


class LadderingPage(PageExtension):
    own_state = frozenset({"graph", "nodes"})

    @cached_property
    def _names(self) -> GraphNames:
        return GraphNames(self.session)

    def figures(self) -> list[tuple[str, str]]:
        count = len(self._names.nodes)
        if not count:
            return []
        plural = "" if count == 1 else "s"
        return [("Graph", format_html(FIGURE, self._names.url, count, plural))]

    def under_answer(self, entry: TranscriptEntry) -> str:
        nodes = self._names.said_at(entry.position)
        return render_to_string(IN_GRAPH, {"nodes": nodes}) if nodes else ""

    def trace(self, turn: Turn, details: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
        choice = choice_of(details, self._names)
        if choice is None:
            return "", details
        html = render_to_string(CHOICE, {"choice": choice, "turn": turn})
        return html, without_choice(details)


class LadderingExtension(SessionExtension):
    list_actions = (SessionAction(ladders, Node.objects.exists),)
    detail_actions = (SessionAction(graph, has_graph),)
    page = LadderingPage

    def urls(self, admin: FieldworkAdmin) -> list[URLPattern]:
        protect = admin.admin_site.admin_view
        return [
            path("codes/", protect(partial(codes, admin)), name="interviews_session_codes"),
            path(
                "<uuid:object_id>/scores/<int:number>/",
                protect(partial(scores, admin)),
                name="interviews_session_scores",
            ),
        ]
