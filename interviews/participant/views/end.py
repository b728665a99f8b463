"""The end of an interview and what participants can do after it."""

from contextlib import suppress
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _

from interviews.measures.ratings import QUESTIONS, mark
from interviews.models import Session
from interviews.participant.rendering import Notice, withdrawn_url
from interviews.participant.views.guards import post_action, session_required
from interviews.participant.views.replies import changes, message_id, see_other
from interviews.turns import actions
from interviews.turns.snapshot import help_for, snapshot
from interviews.turns.withdrawal import replaced_by
from llm.concurrency.threads import in_database

RIGHT_TO_LEFT = "\u200f"


@session_required
async def end(request: HttpRequest, session: Session) -> HttpResponse:
    """Finish early. Without a script, a GET asks for confirmation first."""
    if request.method == "POST":
        return await _end(request, session)
    help = await in_database(help_for, session)
    context = {"session": session, "message_id": uuid4().hex, "help": help}
    return render(request, "chat/end.html", context)


@post_action
async def _end(request: HttpRequest, session: Session) -> HttpResponse:
    await actions.end(session, message_id(request))
    return await changes(request, session)


@session_required
@post_action
async def rate(request: HttpRequest, session: Session) -> HttpResponse:
    """Store the ratings; invalid ones count as not answered."""
    marks = {name: mark(request.POST.get(name)) for name in QUESTIONS}
    await actions.rate(session, {name: value for name, value in marks.items() if value})
    return await changes(request, session, Notice(_("Your rating is saved."), "rated"))


@session_required
async def withdraw(request: HttpRequest, session: Session) -> HttpResponse:
    if request.method != "POST":
        replaced = await in_database(list, replaced_by(session).values_list("pk", flat=True))
        help = await in_database(help_for, session)
        context = {"session": session, "gone": [session.pk, *replaced], "help": help}
        return render(request, "chat/withdraw.html", context)
    return await _withdraw(request, session)


@post_action
async def _withdraw(request: HttpRequest, session: Session) -> HttpResponse:
    help = await in_database(help_for, session)
    await actions.withdraw(session)
    return see_other(withdrawn_url(session.language, help))


@session_required
async def transcript(request: HttpRequest, session: Session) -> HttpResponse:
    context = await _transcript_context(request, session)
    with timezone.override(context["zone"]):
        return render(request, "chat/transcript.html", context)


@session_required
async def transcript_text(request: HttpRequest, session: Session) -> HttpResponse:
    context = await _transcript_context(request, session)
    with timezone.override(context["zone"]):
        text = render_to_string("chat/transcript.txt", context)
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="interview-{str(session.id)[:8]}.txt"'
    return response


async def _transcript_context(request: HttpRequest, session: Session) -> dict[str, Any]:
    snap = await in_database(snapshot, session, limit=None)
    mark = RIGHT_TO_LEFT if snap.rtl else ""  # plain text has no other way to set the direction
    zone = _zone(request.GET.get("zone"), session.bot.time_zone if session.bot else "")
    days = {at.astimezone(zone).date() for at in (session.started_at, session.ended_at) if at}
    until = "DATETIME_FORMAT" if len(days) > 1 else "TIME_FORMAT"
    return {"snap": snap, "session": session, "zone": zone, "mark": mark, "until": until}


def _zone(*names: str | None) -> ZoneInfo:
    """Return the first time zone that exists; else UTC."""
    for name in filter(None, names):
        with suppress(KeyError, ValueError, OSError):
            return ZoneInfo(name)
    return ZoneInfo("UTC")
