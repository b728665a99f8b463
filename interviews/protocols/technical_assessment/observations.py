from collections.abc import Mapping
from typing import Any

from interviews.models import Session
from interviews.protocols.technical_assessment.protocol import PROTOCOL
from interviews.protocols.technical_assessment.state import Observed
from interviews.turns.store import stored_state

RIGHT = "interviews.view_observations"


def observed_in(session: Session) -> tuple[Observed, ...]:
    """Return what was judged of the answers; empty for other protocols."""
    return observed_of(session.plan_id, session.state)


def observed_of(plan_id: int, stored: Mapping[str, Any]) -> tuple[Observed, ...]:
    state = stored_state(PROTOCOL, plan_id, stored)
    return state.observations if state else ()
