from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from interviews.choices import SessionStatus
from interviews.models import Session
from plans.bots.teams import Row, visible


@dataclass(frozen=True)
class Selection:
    """Filters that choose interviews; empty filters leave everything in.

    Previews and synthetic interviews are left out unless asked for. `since` and `before` refer to
    the start of the interview.
    """

    bot: int | None = None
    sessions: tuple[UUID, ...] = ()
    since: datetime | None = None
    before: datetime | None = None
    statuses: tuple[str, ...] = ()
    language: str = ""
    synthetic: bool = False
    previews: bool = False
    user: Any = None  # whose teams limit the choice

    def queryset(self) -> QuerySet[Session]:
        """Return the sessions, earliest first; withdrawn ones are included, without content."""
        rows = self.limit(Session.objects.filter(**self._filters()).order_by("started_at", "id"))
        if not self.synthetic:
            rows = rows.filter(synthetic=False)
        return rows if self.previews else rows.filter(preview=False)

    def limit(self, rows: QuerySet[Row]) -> QuerySet[Row]:
        """Leave what the user's teams may see."""
        return visible(rows, self.user) if self.user else rows

    def with_content(self) -> QuerySet[Session]:
        return self.queryset().exclude(status=SessionStatus.WITHDRAWN)

    def _filters(self) -> dict[str, Any]:
        filters: Mapping[str, Any] = {
            "bot": self.bot,
            "pk__in": self.sessions,
            "started_at__gte": self.since,
            "started_at__lt": self.before,
            "status__in": self.statuses,
            "language": self.language,
        }
        return {name: value for name, value in filters.items() if value}

    def as_dict(self) -> dict[str, Any]:
        filters = {
            "bot": self.bot,
            "sessions": [str(key) for key in self.sessions],
            "since": self.since and self.since.isoformat(),
            "before": self.before and self.before.isoformat(),
            "statuses": list(self.statuses),
            "language": self.language,
        }
        used = {name: value for name, value in filters.items() if value}
        return used | {"synthetic": self.synthetic, "previews": self.previews}


def days(since: date | None, until: date | None) -> tuple[datetime | None, datetime | None]:
    """Return the start of the first day and the end of the last one, in UTC."""
    end = until + timedelta(days=1) if until else None
    return _midnight(since), _midnight(end)


def _midnight(day: date | None) -> datetime | None:
    return datetime.combine(day, time.min, UTC) if day else None
