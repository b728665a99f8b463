from typing import Protocol, runtime_checkable

from interviews.choices import ENDED
from interviews.models import Session
from interviews.turns.store import plan_content


@runtime_checkable
class _SummaryOptions(Protocol):
    own_summary: bool


def gives_own_summary(session: Session) -> bool:
    if session.status not in ENDED:
        return False
    options = getattr(plan_content(session.plan_id).material, "options", None)
    return isinstance(options, _SummaryOptions) and options.own_summary
