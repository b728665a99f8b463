"""The backlog of an interview as it stands, also while it runs."""

from interviews.engine.types import BacklogItem
from interviews.models import Session
from interviews.protocols import PROTOCOLS
from interviews.store import plan_content


def backlog_in(session: Session) -> tuple[BacklogItem, ...]:
    """Question by question, in their order; nothing where there is no backlog."""
    if not session.state:
        return ()
    protocol = PROTOCOLS[plan_content(session.plan_id).protocol]
    return protocol.backlog(protocol.state.model_validate(session.state))
