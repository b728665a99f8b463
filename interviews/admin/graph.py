"""The graph of an interview and the ladders of several: pages and downloads."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from unfold.decorators import action

from interviews.admin import exporting, graph_ladders
from interviews.admin.base import FieldworkAdmin, user_of
from interviews.admin.graph_shown import shown
from interviews.admin.listing import who
from interviews.admin.seeing import record_seen
from interviews.exports.downloads import record
from interviews.exports.graphml import MEDIA, graphml_of
from interviews.exports.selection import Selection
from interviews.ladders import material_of
from interviews.models import Node, Session

SEEN = "Read the graph."


class GraphPages(FieldworkAdmin):
    """What an interview's admin has besides, where interviews build graphs."""

    @action(description="Graph", icon="hub", permissions=["view"])
    def graph(self, request: HttpRequest, object_id: str) -> HttpResponseBase:
        """The graph of one interview; `?graphml` downloads it."""
        session: Session = self.row(request, object_id)
        if "graphml" in request.GET:
            return self._graphml(request, session)
        record_seen(request.user, session, SEEN)
        return self.page(
            request,
            "admin/interviews/graph/page.html",
            session,
            title="Graph",
            who=who(session),
            session=session,
            may_export=exporting.may_export(request),
            shown=shown(session),
        )

    def _graphml(self, request: HttpRequest, session: Session) -> HttpResponse:
        if not exporting.may_export(request):
            raise PermissionDenied
        record(user_of(request), session.bot, "graph", "graphml", Selection(sessions=(session.pk,)))
        named = {"Content-Disposition": f'attachment; filename="{session.pk}.graphml"'}
        return HttpResponse(graphml_of(session), content_type=MEDIA, headers=named)

    @action(description="Ladders", icon="stairs_2", permissions=["view"])
    def ladders(self, request: HttpRequest) -> HttpResponseBase:
        """The ladders of a bot's interviews taken together."""
        return graph_ladders.ladders_page(self, request, user_of(request))

    def get_actions_detail(self, request: HttpRequest, object_id: int) -> list[Any]:
        """The graph only where there is or will be one."""
        offered: list[Any] = super().get_actions_detail(request, object_id)
        if has_graph(object_id):
            return offered
        return [one for one in offered if one.path != "graph"]

    def get_actions_list(self, request: HttpRequest) -> list[Any]:
        """Ladders only where there are any."""
        offered: list[Any] = super().get_actions_list(request)
        if Node.objects.exists():
            return offered
        return [one for one in offered if one.path != "ladders"]


def has_graph(session: Any) -> bool:
    """Whether the interview with this key builds a graph, or has one."""
    plan = Session.objects.filter(pk=session).values_list("plan_id", flat=True).first()
    return plan is not None and (
        material_of(plan) is not None or Node.objects.filter(session=session).exists()
    )
