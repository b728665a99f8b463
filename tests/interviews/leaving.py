"""Ways in which an interview goes."""

from interviews.models import Session
from interviews.turns.deletion import delete_sessions
from interviews.turns.withdrawal import withdraw


def gone(session: Session, how: str) -> None:
    """It is withdrawn or deleted."""
    row = Session.objects.filter(pk=session.pk)
    if how == "withdrawn":
        withdraw(row.get())
    else:
        delete_sessions(row)
