"""The chat page and its forms."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from interviews.measures.paradata import from_form
from interviews.models import Session
from interviews.participant.rendering import label
from interviews.participant.views.guards import post_action, session_required
from interviews.participant.views.replies import (
    after_turn,
    by_script,
    changes,
    changes_with_words,
    chat_url,
    message_id,
    number,
    whole_page,
)
from interviews.security import access
from interviews.security.links import url_of
from interviews.turns import actions
from interviews.turns.snapshot import snapshot
from llm.concurrency.threads import in_database


@session_required
async def chat(request: HttpRequest, session: Session) -> HttpResponse:
    return await whole_page(request, session.id)


@session_required
@post_action
async def answer(request: HttpRequest, session: Session) -> HttpResponse:
    turn = await actions.receive(
        session, request.POST.get("text", ""), message_id(request), **_form_data(request)
    )
    return await after_turn(request, session, turn)


@session_required
@post_action
async def skip(request: HttpRequest, session: Session) -> HttpResponse:
    data = _form_data(request)
    turn = await actions.receive(session, "", message_id(request), trigger="skip", **data)
    return await after_turn(request, session, turn)


@session_required
@post_action
async def reply(request: HttpRequest, session: Session) -> HttpResponse:
    """Answer by a button. Pressed twice for one question, it is taken once."""
    button = request.POST.get("button", "")
    data = _form_data(request)
    data["answering"] = data["answering"] or 0
    key = f"{button[:16]}-{data['answering']}"
    turn = await actions.receive(session, label(button), key, **data)
    return await after_turn(request, session, turn)


def _form_data(request: HttpRequest) -> dict[str, Any]:
    return {
        "answering": number(request.POST.get("answering")),
        "measures": from_form(request.POST.get("paradata", "")),
    }


@session_required
@post_action
async def pause(request: HttpRequest, session: Session) -> HttpResponse:
    await actions.pause(session)
    return await changes_with_words(request, session)


@session_required
@post_action
async def resume(request: HttpRequest, session: Session) -> HttpResponse:
    await actions.resume(session)
    return await changes_with_words(request, session)


@session_required
async def state(request: HttpRequest, session: Session) -> HttpResponse:
    if session.sequence == number(request.GET.get("sequence")):
        return HttpResponse(status=204)
    return await changes(request, session)


@session_required
async def earlier(request: HttpRequest, session: Session) -> HttpResponse:
    snap = await in_database(snapshot, session, before=number(request.GET.get("before")))
    return render(request, "chat/earlier.html", {"snap": snap})


@session_required
@post_action
async def link(request: HttpRequest, session: Session) -> HttpResponse:
    url = url_of(request.build_absolute_uri(chat_url(session.id)), await access.new_link(session))
    template = "chat/link_made.html" if by_script(request) else "chat/link.html"
    return render(request, template, {"url": url, "session": session})
