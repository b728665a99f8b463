"""The conversation and what belongs to it. Every view here is opened by `of_session`."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from interviews.measures.paradata import from_form
from interviews.models import Session
from interviews.participant.views.guards import acting, of_session
from interviews.participant.views.replies import after_turn, chat_url, news, whole_page
from interviews.participant.views.requests import by_script, message_id, number
from interviews.security import access
from interviews.security.links import url_of
from interviews.turns import actions
from interviews.turns.snapshot import snapshot
from llm.concurrency.threads import in_database


@of_session
async def chat(request: HttpRequest, session: Session) -> HttpResponse:
    """The conversation."""
    await actions.recover(session)
    return await whole_page(request, session.id)


@of_session
@acting
async def answer(request: HttpRequest, session: Session) -> HttpResponse:
    """Take an answer."""
    turn = await actions.receive(
        session,
        request.POST.get("text", ""),
        message_id(request),
        answering=number(request.POST.get("answering")),
        measures=from_form(request.POST.get("paradata", "")),
    )
    return await after_turn(request, session, turn)


@of_session
@acting
async def skip(request: HttpRequest, session: Session) -> HttpResponse:
    """Leave the question aside."""
    turn = await actions.receive(
        session,
        "",
        message_id(request),
        trigger="skip",
        answering=number(request.POST.get("answering")),
        measures=from_form(request.POST.get("paradata", "")),
    )
    return await after_turn(request, session, turn)


@of_session
@acting
async def pause(request: HttpRequest, session: Session) -> HttpResponse:
    """Keep the place."""
    await actions.pause(session)
    return await news(request, session)


@of_session
@acting
async def resume(request: HttpRequest, session: Session) -> HttpResponse:
    """Go on after a pause."""
    await actions.resume(session)
    return await news(request, session)


@of_session
async def state(request: HttpRequest, session: Session) -> HttpResponse:
    """What a page has missed; nothing (204) if it is up to date."""
    await actions.recover(session)
    if session.sequence == number(request.GET.get("sequence")):
        return HttpResponse(status=204)
    return await news(request, session)


@of_session
async def earlier(request: HttpRequest, session: Session) -> HttpResponse:
    """Entries before those that the page shows."""
    before = number(request.GET.get("before"))
    snap = await in_database(snapshot, session, before=before)
    return render(request, "chat/earlier.html", {"snap": snap})


@of_session
@acting
async def link(request: HttpRequest, session: Session) -> HttpResponse:
    """A personal link, to go on with the interview on another device."""
    url = url_of(request.build_absolute_uri(chat_url(session.id)), await access.new_link(session))
    template = "chat/link_made.html" if by_script(request) else "chat/link.html"
    return render(request, template, {"url": url, "session": session})
