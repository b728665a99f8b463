from dataclasses import dataclass
from datetime import datetime

from interviews.exports.tables.collected import COLLECTED, planned_fields, read
from interviews.models import Session

RIGHT = COLLECTED.right


@dataclass(frozen=True)
class CollectedView:
    label: str
    value: str
    readable: bool
    at: datetime


def collected_values(session: Session) -> list[CollectedView]:
    labels = planned_fields(session.plan_id)
    return [
        CollectedView(
            labels.get(one.key, ("", one.key))[1], *read(one.value, session.pk), one.created_at
        )
        for one in session.collected.order_by("id")
    ]
