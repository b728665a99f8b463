"""Exchanges the key of a personal link for the cookie, on another device."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from interviews.models import Session
from interviews.participant.views import invitation
from interviews.participant.views.replies import (
    ask_to_swap,
    by_script,
    chat_url,
    not_found,
    private,
    see_other,
)
from interviews.security import access
from interviews.security.links import INVITATION, SESSION, id_in, key_in, url_of
from interviews.security.origin import is_foreign
from llm.concurrency.threads import in_database


@csrf_exempt  # the page that posts here is the same for everybody; the origin is checked instead
@require_http_methods(["POST"])
async def enter(request: HttpRequest, session_id: UUID) -> HttpResponse:
    return await _enter(request, session_id, request.POST.get("key", ""))


@csrf_exempt
@require_http_methods(["POST"])
async def enter_by_link(request: HttpRequest) -> HttpResponse:
    return await _enter_by(request)


@require_http_methods(["POST"])
async def swap(request: HttpRequest) -> HttpResponse:
    """Enter by a link in spite of another person's open interview, as was agreed on the page."""
    return await _enter_by(request, swap=True)


async def _enter_by(request: HttpRequest, swap: bool = False) -> HttpResponse:
    link = request.POST.get("link", "")
    if invitation_id := id_in(link, INVITATION):
        return await invitation.enter_by(request, invitation_id, key_in(link), swap)
    if session_id := id_in(link, SESSION):
        return await _enter(request, session_id, key_in(link), swap)
    return not_found(request)


async def _enter(
    request: HttpRequest, session_id: UUID, key: str, swap: bool = False
) -> HttpResponse:
    if is_foreign(request):
        return not_found(request)
    known = None if swap else await access.participant_for(request.COOKIES)
    link = url_of(chat_url(session_id), key)
    try:
        cookie = await access.enter(session_id, key, known)
    except access.AccessDenied:
        return not_found(request)
    except access.OtherInterviewOpen as other:
        return await in_database(_ask_to_swap, request, session_id, other.session, link)
    to = link if swap else chat_url(session_id)  # the page's script keeps the key
    response = HttpResponse(status=204) if by_script(request) else see_other(to)
    access.remember(response, cookie)
    return private(response)


def _ask_to_swap(
    request: HttpRequest, session_id: UUID, opened: Session, link: str
) -> HttpResponse:
    session = Session.objects.select_related("participant").get(pk=session_id)
    name = session.participant.name if session.participant else ""
    about = {"title": session.title, "host": session.host, "name": name}
    return ask_to_swap(request, opened, link, session.language, **about)
