from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string

from interviews.admin.extensions import PageExtension, SessionExtension
from interviews.admin.sessions import SessionAdmin
from interviews.models import Session, Turn
from interviews.protocols.technical_assessment.observations import RIGHT, observed_in

TEMPLATE = "admin/interviews/session/judged.html"


class ObservationsPage(PageExtension):
    """Shows the observation of each answer in its turn's trace, to people with the right to see it.

    Others don't see what was read and decided either.
    """

    own_state = frozenset({"observations"})

    def __init__(self, request: HttpRequest, session: Session) -> None:
        super().__init__(request, session)
        observations, may_see = observed_in(session), request.user.has_perm(RIGHT)
        self.withheld = bool(observations) and not may_see
        self._by_turn = {one.turn: one for one in reversed(observations)} if may_see else {}

    def trace(self, turn: Turn, details: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
        observation = self._by_turn.get(turn.number)
        return render_to_string(TEMPLATE, {"judged": observation}) if observation else "", details


class ObservationsExtension(SessionExtension):
    page = ObservationsPage


SessionAdmin.extend(ObservationsExtension())
