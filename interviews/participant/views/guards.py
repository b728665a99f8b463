"""Decorators of the session's views."""

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils import translation

from interviews.models import Session
from interviews.participant.views.replies import chat_url, not_found, private, refuse, see_other
from interviews.security import access
from interviews.turns import actions
from plans.text.languages import interface_language

View = Callable[[HttpRequest, Session], Coroutine[Any, Any, HttpResponse]]
SessionView = Callable[[HttpRequest, UUID], Coroutine[Any, Any, HttpResponse]]


def session_required(view: View) -> SessionView:
    """Load the session for its participant; everybody else gets the same 404.

    The view runs in the interview's language, and its response is never cached.
    """

    @wraps(view)
    async def wrapper(request: HttpRequest, session_id: UUID) -> HttpResponse:
        try:
            session = await access.session_for(request.COOKIES, session_id)
        except access.AccessDenied:
            return not_found(request)
        actions.recover(session)
        with translation.override(interface_language(session.language)):
            return private(await view(request, session))

    return wrapper


def post_action(view: View) -> View:
    """Accept POST only, redirecting to the chat otherwise, and answer refusals."""

    @wraps(view)
    async def wrapper(request: HttpRequest, session: Session) -> HttpResponse:
        if request.method != "POST":
            return see_other(chat_url(session.id))
        try:
            return await view(request, session)
        except actions.RequestRefused as refused:
            return await refuse(request, session, refused)

    return wrapper
