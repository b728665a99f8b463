"""Responses that the participant's views share."""

from hashlib import sha256
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation

from interviews.measures.paradata import is_measured
from interviews.models import Session
from interviews.participant import rendering
from interviews.participant.rendering import Notice
from interviews.participant.voice.providers import voice_options
from interviews.turns import actions
from llm.concurrency.threads import in_database
from llm.routing.routes import has_model
from plans.text.languages import interface_language


def not_found(request: HttpRequest) -> HttpResponse:
    return private(render(request, "404.html", status=404))


async def after_turn(request: HttpRequest, session: Session, turn: int) -> HttpResponse:
    """Wait for the reply only for pages without a script; others follow the turn live."""
    if not by_script(request):
        await actions.finished(turn)
    return await changes(request, session)


async def changes(
    request: HttpRequest, session: Session, notice: Notice | None = None
) -> HttpResponse:
    """Return what has changed: parts of the page for a script, else a redirect to the page.

    The notice is for scripts; the page shows the state by itself.
    """
    if not by_script(request):
        return see_other(f"{chat_url(session.id)}#now")
    snap = await in_database(rendering.page_snapshot, session, read_position(request))
    return HttpResponse(rendering.render_news(snap, notice))


async def changes_with_words(request: HttpRequest, session: Session) -> HttpResponse:
    """Return what has changed. Without a script, words that aren't sent yet stay on the page."""
    if by_script(request) or not request.POST.get("text", "").strip():
        return await changes(request, session)
    return await whole_page(request, session.id)


async def refuse(
    request: HttpRequest, session: Session, refused: actions.RequestRefused
) -> HttpResponse:
    notice = Notice(str(refused.message), refused.code)
    if by_script(request):
        session = await actions.fresh(session.id)
        snap = await in_database(rendering.page_snapshot, session, read_position(request))
        response = HttpResponse(rendering.render_news(snap, notice), status=refused.status)
    else:
        response = await whole_page(request, session.id, notice, refused.status)
    if refused.retry_after:
        response["Retry-After"] = str(refused.retry_after)
    return response


async def whole_page(
    request: HttpRequest, session_id: UUID, notice: Notice | None = None, status: int = 200
) -> HttpResponse:
    session = await actions.fresh(session_id)
    snap = await in_database(rendering.page_snapshot, session)
    context = rendering.context(snap, notice) | {
        "voice": voice_options(session),
        "has_model": has_model(),
        "measured": is_measured(session),
        "message_id": uuid4().hex,
        "text": request.POST.get("text", ""),
    }
    return render(request, "chat/chat.html", context, status=status)


def ask_to_swap(
    request: HttpRequest, opened: Session, link: str, language: str, **about: str
) -> HttpResponse:
    """Ask whether the link's interview may replace the open one, another person's.

    `about` the link's: title, host, name. A script gets a 409, and sends the link by a form to be
    shown the page.
    """
    if by_script(request):
        return private(HttpResponse(status=409))
    context = {"opened": opened, "link": link, **about}
    with translation.override(interface_language(language)):
        return private(render(request, "site/swap.html", context))


def private(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-store"
    response["Referrer-Policy"] = "no-referrer"
    return response


def see_other(url: str) -> HttpResponse:
    """Redirect after a form (303), so that reloading the page sends nothing."""
    response = HttpResponseRedirect(url)
    response.status_code = 303
    return response


def chat_url(session_id: UUID) -> str:
    return reverse("interviews:chat", args=[session_id])


def by_script(request: HttpRequest) -> bool:
    return bool(getattr(request, "htmx", None))


def read_position(request: HttpRequest) -> int:
    data = request.POST if request.method == "POST" else request.GET
    return number(data.get("after")) or 0


def message_id(request: HttpRequest) -> str:
    """Return the form's id; without a script, of the form with these words.

    Who goes back to a page and sends it again in other words sends something else.
    """
    given = request.POST.get("message_id", "").strip()[:64] or uuid4().hex
    if by_script(request):
        return given
    words = request.POST.get("text", "")
    return sha256(f"{given} {words}".encode(errors="replace")).hexdigest()


def number(value: str | None) -> int | None:
    """Parse a small whole number; None for anything else."""
    if value and value.isascii() and value.isdigit() and len(value) < 9:
        return int(value)
    return None
