"""What a protocol can add to the admin of interviews.

Its `admin` module subclasses SessionExtension and calls `SessionAdmin.extend`. Every extension is
asked about every interview and says nothing where it has nothing to say. All HTML is safe strings.
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
    """What is told on the page of one interview; by itself nothing."""

    own_state: frozenset[str] = frozenset()  # fields of the state with a place of their own
    withheld = False  # whether nothing may be shown of what was read and decided

    def panel(self) -> str:
        """HTML above the transcript."""
        return ""

    def figures(self) -> list[tuple[str, str]]:
        """Label and HTML value of more rows in the list beside the transcript."""
        return []

    def under_answer(self, entry: TranscriptEntry) -> str:
        """HTML under what the participant said."""
        return ""

    def trace(self, turn: Turn, details: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
        """HTML for the trace of a turn, and those of its details that it doesn't tell."""
        return "", details


class SessionExtension:
    """What one protocol adds; by itself nothing."""

    list_actions: tuple[SessionAction, ...] = ()
    detail_actions: tuple[SessionAction, ...] = ()

    def urls(self, admin: FieldworkAdmin) -> list[URLPattern]:
        """More addresses below those of interviews."""
        return []

    def page(self, request: HttpRequest, session: Session) -> PageExtension:
        """What it tells on the page of this interview."""
        return PageExtension()
