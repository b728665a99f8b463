"""What was judged of the answers, on the page of an interview, for those who may see it."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string

from interviews.admin.extensions import PageExtension, SessionExtension
from interviews.admin.sessions import SessionAdmin
from interviews.models import Session, Turn
from interviews.protocols.technical_assessment.observations import RIGHT, observed_in

JUDGED = "admin/interviews/session/judged.html"


class ObservationsPage(PageExtension):
    """The observation of each answer in the trace of its turn.

    People without the right to it see nothing of what was read and decided either.
    """

    own_state = frozenset({"observations"})

    def __init__(self, session: Session, may_see: bool) -> None:
        observed = observed_in(session)
        self.withheld = bool(observed) and not may_see
        self._by_turn = {one.turn: one for one in reversed(observed)} if may_see else {}

    def trace(self, turn: Turn, details: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
        """What was judged of the turn's answer."""
        judged = self._by_turn.get(turn.number)
        return render_to_string(JUDGED, {"judged": judged}) if judged else "", details


class ObservationsExtension(SessionExtension):
    """What was judged, on the page of an interview."""

    def page(self, request: HttpRequest, session: Session) -> ObservationsPage:
        """As far as this person may see it."""
        return ObservationsPage(session, request.user.has_perm(RIGHT))


SessionAdmin.extend(ObservationsExtension())
