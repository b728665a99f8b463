"""What is sent back."""

from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from interviews.measures.paradata import is_measured
from interviews.models import Session
from interviews.participant import rendering
from interviews.participant.rendering import Notice
from interviews.participant.views.requests import by_script, shown
from interviews.participant.voice import options
from interviews.turns import actions
from interviews.turns.snapshot import Snapshot
from llm.concurrency.threads import in_database
from plans.text.languages import interface_language


def missing(request: HttpRequest) -> HttpResponse:
    """The one page for whatever isn't there or isn't open to this browser."""
    return private(render(request, "404.html", status=404))


async def after_turn(request: HttpRequest, session: Session, turn: int) -> HttpResponse:
    """A page with a script follows the turn by itself; one without waits for the reply here."""
    if not by_script(request):
        await actions.finished(turn)
    return await news(request, session)


async def news(
    request: HttpRequest, session: Session, notice: Notice | None = None
) -> HttpResponse:
    """What has changed: for a script the parts of the page, else the page itself.

    The notice is for scripts; the page says by itself how things stand.
    """
    if not by_script(request):
        return see_other(f"{chat_url(session.id)}#now")
    return HttpResponse(rendering.news(await _snapshot(session.id, shown(request)), notice))


async def refuse(
    request: HttpRequest, session: Session, refused: actions.RequestRefused
) -> HttpResponse:
    """Say why not, show how things stand, keep the words."""
    notice = Notice(str(refused.message), refused.code)
    if by_script(request):
        snap = await _snapshot(session.id, shown(request))
        response = HttpResponse(rendering.news(snap, notice), status=refused.status)
    else:
        response = await whole_page(request, session.id, notice, refused.status)
    if refused.retry_after:
        response["Retry-After"] = str(refused.retry_after)
    return response


async def whole_page(
    request: HttpRequest, session_id: UUID, notice: Notice | None = None, status: int = 200
) -> HttpResponse:
    session = await actions.fresh(session_id)
    snap = await in_database(rendering.newest, session)
    page = rendering.context(snap, notice) | {
        "voice": options.offer(session),
        "measured": is_measured(session),
        "message_id": uuid4().hex,
        "text": request.POST.get("text", "") if notice else "",
        "interface": interface_language(snap.language),
    }
    return render(request, "chat/chat.html", page, status=status)


async def _snapshot(session_id: UUID, after: int | None = None) -> Snapshot:
    session = await actions.fresh(session_id)
    return await in_database(rendering.newest, session, after)


def private(response: HttpResponse) -> HttpResponse:
    """Kept by no cache, told to no other site."""
    response["Cache-Control"] = "no-store"
    response["Referrer-Policy"] = "no-referrer"
    return response


def see_other(url: str) -> HttpResponse:
    """To another page after a form, so that loading that page again sends nothing."""
    response = HttpResponseRedirect(url)
    response.status_code = 303
    return response


def chat_url(session_id: UUID) -> str:
    """Where the conversation is."""
    return reverse("interviews:chat", args=[session_id])
