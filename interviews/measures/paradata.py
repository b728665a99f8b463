"""How an answer was written: times and counts, never keys or words.

Implausible measures are left empty one by one, so that no answer is refused because of them.
"""

import json
from collections.abc import Mapping
from typing import Any

from django.db.models import F, OuterRef, QuerySet, Subquery

from interviews.models import Paradata, Session, TranscriptEntry, Turn

LONGEST = 2_000  # characters of a form field
MOST = 2_147_483_647  # 24 days in milliseconds; the largest number of a database column
NUMBERS = ("first_key_ms", "edits", "pastes", "pasted_characters", "focus_losses", "away_ms")
ParadataInput = Mapping[str, int | bool]


def clean_measures(given: Any) -> ParadataInput:
    """Return the plausible measures among `given`, which may be anything."""
    if not isinstance(given, Mapping):
        return {}
    numbers = {name: n for name in NUMBERS if (n := _number(given.get(name))) is not None}
    dictated = given.get("dictated")
    return numbers | ({"dictated": dictated} if isinstance(dictated, bool) else {})


def from_form(field: str) -> ParadataInput:
    if not 0 < len(field) <= LONGEST:
        return {}
    try:
        return clean_measures(json.loads(field))
    except (ValueError, RecursionError):
        return {}


def is_measured(session: Session) -> bool:
    return session.collects_paradata and session.bot is not None and session.bot.keeps_paradata


def with_question(sessions: QuerySet[Session]) -> QuerySet[Session]:
    """Annotate the last entry's time (`asked_at`) and for how long it appeared (`head_start`, ms).

    No query of its own.
    """
    entries = TranscriptEntry.objects.filter(session=OuterRef("pk")).order_by("-position")
    appeared = entries.values(ms=F("turn__total_ms") - F("turn__first_word_ms"))
    return sessions.annotate(
        asked_at=Subquery(entries.values("at")[:1]), head_start=Subquery(appeared[:1])
    )


def of_answer(
    entry: TranscriptEntry, turn: Turn, session: Session, measures: ParadataInput
) -> Paradata:
    asked, response_ms = getattr(session, "asked_at", None), None
    if asked is not None:
        seconds = (turn.received_at - asked).total_seconds() - turn.away_seconds
        response_ms = _number(max(0.0, seconds) * 1000)
    return Paradata(entry=entry, response_ms=response_ms, **measures)


def _number(value: Any) -> int | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return int(value) if is_number and 0 <= value <= MOST else None
