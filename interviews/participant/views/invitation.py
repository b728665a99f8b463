"""Entering by a personal invitation."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from interviews.participant.views.replies import not_found, private, see_other
from interviews.recruitment.invitations import redeem
from interviews.security import access
from interviews.security.origin import is_own_page
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
async def enter(request: HttpRequest, invitation_id: UUID) -> HttpResponse:
    return await enter_by(request, invitation_id, request.POST.get("key", ""))


async def enter_by(request: HttpRequest, invitation_id: UUID, key: str) -> HttpResponse:
    """Exchange an invitation's secret for the cookie and redirect to the interview."""
    if not is_own_page(request):
        return not_found(request)
    known = await access.participant_for(request.COOKIES)
    try:
        entered = await in_database(redeem.enter, invitation_id, key, known)
    except access.AccessDenied:
        return not_found(request)
    except redeem.InvitationClosed as closed:
        return await in_database(_closed, request, closed)
    response = see_other(entered.to)
    if entered.cookie:
        access.remember(response, entered.cookie)
    return private(response)


def _closed(request: HttpRequest, closed: redeem.InvitationClosed) -> HttpResponse:
    invitation = closed.invitation
    language = invitation.language or translation.get_language() or "en"
    context: dict[str, Any] = {
        "title": invitation.bot.title_in(language),
        "host": invitation.bot.host_in(language),
        "used": closed.code == "invitation_used",
    }
    with translation.override(interface_language(language)):
        return private(render(request, "site/join_closed.html", context, status=closed.status))
