from interviews.models import Session
from interviews.protocols.technical_assessment.protocol import PROTOCOL
from interviews.protocols.technical_assessment.state import Observed
from interviews.turns.store import stored_state

RIGHT = "interviews.view_observations"


def observed_in(session: Session) -> tuple[Observed, ...]:
    """Return what was judged of the answers; empty for other protocols."""
    state = stored_state(PROTOCOL, session.plan_id, session.state)
    return state.observations if state else ()
