"""What a participant gave in confidence, for the page of the interview and for who may see it."""

from dataclasses import dataclass
from datetime import datetime

from interviews.exports.tables.collected import COLLECTED, planned_fields, read
from interviews.models import Session

RIGHT = COLLECTED.right


@dataclass(frozen=True)
class CollectedView:
    """One value."""

    label: str
    value: str
    readable: bool
    at: datetime


def collected_of(session: Session) -> list[CollectedView]:
    """All values of an interview, in the order in which they were given."""
    labels = planned_fields(session.plan_id)
    return [
        CollectedView(
            labels.get(one.key, ("", one.key))[1], *read(one.value, session.pk), one.created_at
        )
        for one in session.collected.order_by("id")
    ]
