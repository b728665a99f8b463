"""Who may come in, and how a form that was refused is answered."""

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils import translation

from interviews.models import Session
from interviews.participant.views.replies import chat_url, missing, private, refuse, see_other
from interviews.security import access
from interviews.turns import actions
from plans.text.languages import interface_language

View = Callable[[HttpRequest, Session], Coroutine[Any, Any, HttpResponse]]
SessionView = Callable[[HttpRequest, UUID], Coroutine[Any, Any, HttpResponse]]


def of_session(view: View) -> SessionView:
    """Opens a view to the session's participant; everybody else gets the one 404.

    The page speaks the interview's language and is never kept by a cache.
    """

    @wraps(view)
    async def opened(request: HttpRequest, session_id: UUID) -> HttpResponse:
        try:
            session = await access.session_for(request.COOKIES, session_id)
        except access.AccessDenied:
            return missing(request)
        with translation.override(interface_language(session.language)):
            return private(await view(request, session))

    return opened


def acting(view: View) -> View:
    """A view that a form is sent to; anybody who comes to its address by hand sees the chat."""

    @wraps(view)
    async def acted(request: HttpRequest, session: Session) -> HttpResponse:
        if request.method != "POST":
            return see_other(chat_url(session.id))
        try:
            return await view(request, session)
        except actions.RequestRefused as refused:
            return await refuse(request, session, refused)

    return acted
