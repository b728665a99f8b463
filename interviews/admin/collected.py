from dataclasses import dataclass
from datetime import datetime

from interviews.exports.tables.collected import COLLECTED, describe, read
from interviews.models import Session

RIGHT = COLLECTED.right


@dataclass(frozen=True)
class CollectedView:
    label: str
    value: str
    readable: bool
    at: datetime


def collected_values(session: Session) -> list[CollectedView]:
    return [
        CollectedView(
            describe(session.plan_id, one.key)[1] or one.key,
            *read(one.value, session.pk),
            one.created_at,
        )
        for one in session.collected.order_by("id")
    ]
