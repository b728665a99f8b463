from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from unfold.decorators import action

from interviews.admin import export_page
from interviews.admin.access_log import record_seen
from interviews.admin.base import FieldworkAdmin, user_of
from interviews.admin.querysets import who
from interviews.exports.downloads import record_download
from interviews.exports.selection import Selection
from interviews.models import Node, Session
from interviews.protocols.laddering.admin.graph import graph_view
from interviews.protocols.laddering.exports.graph_files import MEDIA, graphml_of
from interviews.protocols.laddering.ladders import material_of

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


def _graphml(request: HttpRequest, session: Session) -> HttpResponse:
    if not export_page.may_export(request):
        raise PermissionDenied
    record_download(
        user_of(request), session.bot, "graph", "graphml", Selection(sessions=(session.pk,))
    )
    headers = {"Content-Disposition": f'attachment; filename="{session.pk}.graphml"'}
    return HttpResponse(graphml_of(session), content_type=MEDIA, headers=headers)


def has_graph(session: Any) -> bool:
    """Return whether the interview with this key builds a graph, or has one."""
    plan = Session.objects.filter(pk=session).values_list("plan_id", flat=True).first()
    return plan is not None and (
        material_of(plan) is not None or Node.objects.filter(session=session).exists()
    )
