"""The end of an interview and what may be done after it. Every view is opened by `of_session`."""

from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from interviews.measures.ratings import QUESTIONS, mark
from interviews.models import Session
from interviews.participant.rendering import Notice
from interviews.participant.views.guards import acting, of_session
from interviews.participant.views.replies import news, see_other
from interviews.participant.views.requests import message_id
from interviews.turns import actions
from interviews.turns.snapshot import snapshot
from llm.concurrency.threads import in_database

RIGHT_TO_LEFT = "\u200f"


@of_session
async def end(request: HttpRequest, session: Session) -> HttpResponse:
    """Finish before the end. Who comes by link, without a script, is asked once."""
    if request.method == "POST":
        return await _end(request, session)
    return render(request, "chat/end.html", {"session": session, "message_id": uuid4().hex})


@acting
async def _end(request: HttpRequest, session: Session) -> HttpResponse:
    await actions.end(session, message_id(request))
    return await news(request, session)


@of_session
@acting
async def rate(request: HttpRequest, session: Session) -> HttpResponse:
    """How the interview was for them. What isn't a mark counts as not answered."""
    marks = {name: mark(request.POST.get(name)) for name in QUESTIONS}
    await actions.rate(session, {name: given for name, given in marks.items() if given})
    return await news(request, session, Notice(_("Thank you. Your answers are kept."), "rated"))


@of_session
async def withdraw(request: HttpRequest, session: Session) -> HttpResponse:
    """All that was said is deleted, once it was asked whether it is meant."""
    if request.method != "POST":
        return render(request, "chat/withdraw.html", {"session": session})
    return await _withdraw(request, session)


@acting
async def _withdraw(request: HttpRequest, session: Session) -> HttpResponse:
    await actions.withdraw(session)
    return see_other(f"{reverse('interviews:withdrawn')}?language={session.language}")


@of_session
async def transcript(request: HttpRequest, session: Session) -> HttpResponse:
    """All that was said, to be read again."""
    told = await _told(session)
    with timezone.override(told["zone"]):
        return render(request, "chat/transcript.html", told)


@of_session
async def transcript_text(request: HttpRequest, session: Session) -> HttpResponse:
    """The same as a text file."""
    told = await _told(session)
    with timezone.override(told["zone"]):
        text = render_to_string("chat/transcript.txt", told)
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="interview-{str(session.id)[:8]}.txt"'
    return response


async def _told(session: Session) -> dict[str, Any]:
    """What both forms of the transcript know."""
    snap = await in_database(snapshot, session, limit=None)
    mark = RIGHT_TO_LEFT if snap.rtl else ""  # a plain text has no other way to say so
    zone = _zone(session)
    end = _end_shown(session, zone)
    return {"snap": snap, "session": session, "zone": zone, "mark": mark, "end": end}


def _end_shown(session: Session, zone: ZoneInfo) -> str:
    """When it ended; the time alone where it ended on the day it began."""
    if session.ended_at is None:
        return ""
    began, ended = session.started_at.astimezone(zone), session.ended_at.astimezone(zone)
    same_day = began.date() == ended.date()
    return date_format(ended, "TIME_FORMAT" if same_day else "DATETIME_FORMAT")


def _zone(session: Session) -> ZoneInfo:
    """The one of the bot's own hours, in which its participants think."""
    try:
        return ZoneInfo(session.bot.time_zone if session.bot else "UTC")
    except (KeyError, ValueError):
        return ZoneInfo("UTC")
