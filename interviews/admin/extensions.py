"""What a protocol can add to the admin of interviews.

Its `admin` module subclasses SessionExtension and calls `SessionAdmin.extend`. Every extension is
asked about every interview and returns nothing where it has nothing to add. HTML is safe strings.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponseBase
from django.urls import URLPattern

from interviews.admin.base import FieldworkAdmin
from interviews.models import Session, TranscriptEntry, Turn


class SessionAction(NamedTuple):
    """A button of the list or of an interview's page, decorated with Unfold's `action`."""

    view: Callable[..., HttpResponseBase]  # (admin, request), with the interview's key on its page
    offered: Callable[..., bool]  # (), with the interview's key on its page


class PageExtension:
    own_state: frozenset[str] = frozenset()  # fields of the state that it shows itself
    withheld = False  # hide how answers were read and what was decided

    def __init__(self, request: HttpRequest, session: Session) -> None:
        self.request, self.session = request, session

    def panel(self) -> str:
        """Return HTML to show above the transcript."""
        return ""

    def figures(self) -> list[tuple[str, str]]:
        """Return (label, HTML value) for more rows in the list beside the transcript."""
        return []

    def under_answer(self, entry: TranscriptEntry) -> str:
        """Return HTML to show under what the participant said."""
        return ""

    def trace(self, turn: Turn, details: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
        """Return HTML for the trace of a turn, and the details that it doesn't cover."""
        return "", details


class SessionExtension:
    list_actions: tuple[SessionAction, ...] = ()
    detail_actions: tuple[SessionAction, ...] = ()
    page: type[PageExtension] = PageExtension

    def urls(self, admin: FieldworkAdmin) -> list[URLPattern]:
        """Return more URLs below those of interviews."""
        return []
