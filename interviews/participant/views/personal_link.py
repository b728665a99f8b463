"""Exchanges the key of a personal link for the cookie, on another device."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from interviews.participant.views import invitation
from interviews.participant.views.replies import chat_url, not_found, private, see_other
from interviews.participant.views.requests import by_script
from interviews.security import access
from interviews.security.links import invitation_in, key_in, session_in
from interviews.security.origin import is_own_page


@csrf_exempt  # the page that posts here is the same for everybody; the origin is checked instead
@require_http_methods(["POST"])
async def enter(request: HttpRequest, session_id: UUID) -> HttpResponse:
    return await _enter(request, session_id, request.POST.get("key", ""))


@csrf_exempt
@require_http_methods(["POST"])
async def enter_by_link(request: HttpRequest) -> HttpResponse:
    pasted = request.POST.get("link", "")
    if invitation_id := invitation_in(pasted):
        return await invitation.enter_by(request, invitation_id, key_in(pasted))
    session_id = session_in(pasted)
    return await _enter(request, session_id, key_in(pasted)) if session_id else not_found(request)


async def _enter(request: HttpRequest, session_id: UUID, key: str) -> HttpResponse:
    if not is_own_page(request):
        return not_found(request)
    try:
        cookie = await access.enter(session_id, key)
    except access.AccessDenied:
        return not_found(request)
    response = HttpResponse(status=204) if by_script(request) else see_other(chat_url(session_id))
    access.remember(response, cookie)
    return private(response)
