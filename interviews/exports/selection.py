from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Model, Q, QuerySet

from interviews.choices import SessionStatus
from interviews.models import CodingStep, Fact, Rating, Session
from plans.bots.teams import Row, visible

# What changes an interview's rows after its last turn: the model, its time, the path to what it
# belongs to, and the session's field for that. Other apps add theirs.
CHANGES: list[tuple[type[Model], str, str, str]] = [
    (Rating, "at", "session", "pk"),
    (Fact, "edited_at", "session", "pk"),
    (CodingStep, "at", "bot", "bot"),
]


@dataclass(frozen=True)
class Selection:
    """Filters that choose interviews; empty filters leave everything in.

    Previews and synthetic interviews are left out unless asked for. `since` and `before` refer to
    the start of the interview, `changed_since` to the latest change to it or its results; those
    that were withdrawn since then are among them whatever the statuses.
    """

    bot: int | None = None
    sessions: tuple[UUID, ...] = ()
    since: datetime | None = None
    before: datetime | None = None
    changed_since: datetime | None = None
    statuses: tuple[str, ...] = ()
    language: str = ""
    synthetic: bool = False
    previews: bool = False
    user: Any = None  # whose teams limit the choice

    def queryset(self) -> QuerySet[Session]:
        """Return the sessions, earliest first; withdrawn ones are included, without content."""
        withdrawn = (SessionStatus.WITHDRAWN,) if self.statuses and self.changed_since else ()
        filters: dict[str, Any] = {
            "bot": self.bot,
            "pk__in": self.sessions,
            "started_at__gte": self.since,
            "started_at__lt": self.before,
            "status__in": (*self.statuses, *withdrawn),
            "language": self.language,
        }
        used = {name: value for name, value in filters.items() if value}
        rows = self.limit(Session.objects.filter(**used).order_by("started_at", "id"))
        if self.changed_since:
            rows = rows.filter(changed(self.changed_since))
        if not self.synthetic:
            rows = rows.filter(synthetic=False)
        return rows if self.previews else rows.filter(preview=False)

    def limit(self, rows: QuerySet[Row]) -> QuerySet[Row]:
        """Leave what the user's teams may see."""
        return visible(rows, self.user) if self.user else rows

    def with_content(self) -> QuerySet[Session]:
        return self.queryset().exclude(status=SessionStatus.WITHDRAWN)

    def as_dict(self) -> dict[str, Any]:
        filters = {
            "bot": self.bot,
            "sessions": [str(key) for key in self.sessions],
            "since": self.since and self.since.isoformat(),
            "before": self.before and self.before.isoformat(),
            "changed_since": self.changed_since and self.changed_since.isoformat(),
            "statuses": list(self.statuses),
            "language": self.language,
        }
        used = {name: value for name, value in filters.items() if value}
        return used | {"synthetic": self.synthetic, "previews": self.previews}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any], user: Any) -> "Selection":
        """Return the selection of which `as_dict` was stored, limited to the user's teams."""
        times = ("since", "before", "changed_since")
        known: dict[str, Any] = {
            **stored,
            **{key: datetime.fromisoformat(stored[key]) for key in times if key in stored},
            "sessions": tuple(map(UUID, stored.get("sessions", ()))),
            "statuses": tuple(stored.get("statuses", ())),
        }
        return cls(**known, user=user)


def changed(since: datetime) -> Q:
    """Match the sessions that changed at that time or later."""
    later = [
        Q(**{f"{own}__in": model._default_manager.filter(**{f"{at}__gte": since}).values(path)})
        for model, at, path, own in CHANGES
    ]
    return Q(Q(changed_at__gte=since), *later, _connector=Q.OR)


def days(since: date | None, until: date | None) -> tuple[datetime | None, datetime | None]:
    """Return the start of the first day and the end of the last one, in UTC."""
    end = until + timedelta(days=1) if until and until < date.max else None
    return _midnight(since), _midnight(end)


def _midnight(day: date | None) -> datetime | None:
    return datetime.combine(day, time.min, UTC) if day else None
