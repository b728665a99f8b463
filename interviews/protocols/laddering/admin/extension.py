from collections.abc import Mapping
from functools import cached_property
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.html import format_html

from interviews.admin.extensions import PageExtension, SessionAction, SessionExtension
from interviews.models import Node, Session, TranscriptEntry, Turn
from interviews.protocols.laddering.admin.choice import GraphNames, choice_of, without_choice
from interviews.protocols.laddering.admin.ladders_page import ladders
from interviews.protocols.laddering.admin.pages import graph, has_graph

CHOICE = "admin/interviews/session/choice.html"
IN_GRAPH = "admin/interviews/session/in_graph.html"
FIGURE = '<a class="study-link" href="{}">{} node{}</a>'


class LadderingPage(PageExtension):
    own_state = frozenset({"graph", "nodes"})

    def __init__(self, session: Session) -> None:
        self.session = session

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

    def page(self, request: HttpRequest, session: Session) -> LadderingPage:
        return LadderingPage(session)
