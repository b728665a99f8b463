"""The page with the candidate's own summary."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from interviews.models import Session
from interviews.participant.views.guards import session_required
from interviews.participant.views.replies import not_found
from interviews.turns.participant_summary import gives_own_summary
from llm.concurrency.threads import in_database
from plans.jobs import UNDER_WAY
from reflections.models import Reflection
from reflections.protocols.technical_assessment.makers import OWN_SUMMARY


@session_required
async def own_summary(request: HttpRequest, session: Session) -> HttpResponse:
    if not await in_database(gives_own_summary, session):
        return not_found(request)
    rows = Reflection.objects.filter(session=session, name=OWN_SUMMARY)
    row = await in_database(rows.first)
    context = {
        "session": session,
        "summary": row.content if row else {},
        "waiting": row is not None and not row.content and row.status in UNDER_WAY,
    }
    return render(request, "chat/own_summary.html", context)


urlpatterns = [path("s/<uuid:session_id>/summary/", own_summary, name="own_summary")]
