"""Entering by a personal invitation, or by an interview's own link on another device."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from interviews.models import Invitation, Session
from interviews.participant.views.replies import (
    ask_to_swap,
    by_script,
    chat_url,
    not_found,
    private,
    see_other,
)
from interviews.recruitment.invitations import redeem
from interviews.security import access
from interviews.security.links import INVITATION, SESSION, id_in, key_in, url_of
from interviews.security.origin import is_foreign
from llm.concurrency.threads import in_database
from plans.text.languages import interface_language


@require_safe
def join(request: HttpRequest, invitation_id: UUID) -> HttpResponse:
    """Show the page whose script sends the link's secret, the same for every id.

    Nothing is looked up or used up, so programs that scan the links in letters do no harm.
    """
    return private(render(request, "site/join.html"))


@csrf_exempt  # the page that posts here is the same for everybody; the origin is checked instead
@require_http_methods(["POST"])
async def enter_by_invitation(request: HttpRequest, invitation_id: UUID) -> HttpResponse:
    return await _enter_by_invitation(request, invitation_id, request.POST.get("key", ""))


@csrf_exempt
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
        return await _enter_by_invitation(request, invitation_id, key_in(link), swap)
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


async def _enter_by_invitation(
    request: HttpRequest, invitation_id: UUID, key: str, swap: bool = False
) -> HttpResponse:
    """Exchange an invitation's secret for the cookie and redirect to the interview.

    `swap`: also where another person's interview is open in this browser.
    """
    if is_foreign(request):
        return not_found(request)
    known = await access.participant_for(request.COOKIES)
    try:
        to, cookie = await in_database(redeem.enter, invitation_id, key, known, swap)
    except access.AccessDenied:
        return not_found(request)
    except redeem.InvitationClosed as closed:
        return await in_database(_closed, request, closed)
    except access.OtherInterviewOpen as other:
        link = url_of(reverse("interviews:join", args=[invitation_id]), key)
        return await in_database(_ask_for_invitation, request, invitation_id, other.session, link)
    response = see_other(to)
    if cookie:
        access.remember(response, cookie)
    return private(response)


def _ask_for_invitation(
    request: HttpRequest, invitation_id: UUID, opened: Session, link: str
) -> HttpResponse:
    invitation = Invitation.objects.select_related("bot", "participant").get(pk=invitation_id)
    language = _language(invitation)
    title, host = invitation.bot.title_in(language), invitation.bot.host_in(language)
    name = invitation.participant.name if invitation.participant else ""
    return ask_to_swap(request, opened, link, language, title=title, host=host, name=name)


def _closed(request: HttpRequest, closed: redeem.InvitationClosed) -> HttpResponse:
    invitation = closed.invitation
    language = _language(invitation)
    context: dict[str, Any] = {
        "title": invitation.bot.title_in(language),
        "host": invitation.bot.host_in(language),
        "contact": invitation.bot.contact_address,
        "used": closed.code == "invitation_used",
    }
    with translation.override(interface_language(language)):
        return private(render(request, "site/join_closed.html", context, status=closed.status))


def _language(invitation: Invitation) -> str:
    return invitation.language or translation.get_language() or "en"
