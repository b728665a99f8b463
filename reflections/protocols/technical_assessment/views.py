"""What participants see of what was made of their interview."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

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
    """The participant's own summary, where the bot gives one."""
    if not await in_database(gives_own_summary, session):
        return not_found(request)
    made = await in_database(_made, session)
    shown = {
        "session": session,
        "summary": made.content if made else {},
        "waiting": made is not None and not made.content and made.status in UNDER_WAY,
    }
    return render(request, "chat/own_summary.html", shown)


def _made(session: Session) -> Reflection | None:
    return Reflection.objects.filter(session=session, name=OWN_SUMMARY).first()
