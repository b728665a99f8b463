"""What was judged of the answers of an interview. For reviewers and researchers alone."""

from interviews.engine.types import Observed
from interviews.models import Session
from interviews.protocols import PROTOCOLS
from interviews.store import plan_content


def observed_in(session: Session) -> tuple[Observed, ...]:
    """Answer by answer; nothing where none are judged."""
    if not session.state:
        return ()
    protocol = PROTOCOLS[plan_content(session.plan_id).protocol]
    return protocol.observed(protocol.state.model_validate(session.state))
