"""Whether participants get a summary of their own, by the bot's options."""

from typing import Protocol, runtime_checkable

from interviews.choices import ENDED
from interviews.models import Session
from interviews.turns.store import plan_content


@runtime_checkable
class _MaySee(Protocol):
    """Options that say so."""

    own_summary: bool


def gives_own_summary(session: Session) -> bool:
    """Whether there is one, now or soon: only once the interview has ended."""
    if session.status not in ENDED:
        return False
    options = getattr(plan_content(session.plan_id).material, "options", None)
    return isinstance(options, _MaySee) and options.own_summary
