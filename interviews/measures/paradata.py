"""How an answer came about: what a page or a program tells of it, held to what can be.

Times and counts alone, never keys or words. What makes no sense is left empty, one measure at a
time: nobody's answer is refused for it.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from interviews.models import Paradata, Session, TranscriptEntry, Turn

LONGEST = 2_000  # characters of a form's field
MOST = 2_147_483_647  # 24 days in milliseconds; a database's number goes no further
NUMBERS = (
    "first_key_ms",
    "edits",
    "pastes",
    "pasted_characters",
    "focus_losses",
    "away_ms",
)
ParadataInput = Mapping[str, int | bool]


def told(given: Any) -> ParadataInput:
    """The measures that make sense, by their names; from anything whatever."""
    if not isinstance(given, Mapping):
        return {}
    numbers = {name: found for name in NUMBERS if (found := _number(given.get(name))) is not None}
    dictated = given.get("dictated")
    return numbers | ({"dictated": dictated} if isinstance(dictated, bool) else {})


def from_form(field: str) -> ParadataInput:
    """The same from a form's field, in which a page's script has put JSON."""
    if not 0 < len(field) <= LONGEST:
        return {}
    try:
        return told(json.loads(field))
    except (ValueError, RecursionError):
        return {}


def is_measured(session: Session) -> bool:
    """Whether it is kept how answers are written: told before the interview, and still wanted."""
    return session.collects_paradata and session.bot is not None and session.bot.keeps_paradata


def with_question(sessions: QuerySet[Session]) -> QuerySet[Session]:
    """With `asked_at`, when the last words so far were said: that costs no query of its own."""
    said = TranscriptEntry.objects.filter(session=OuterRef("pk")).order_by("-position")
    return sessions.annotate(asked_at=Subquery(said.values("at")[:1]))


def of_answer(
    entry: TranscriptEntry, turn: Turn, session: Session, measures: ParadataInput
) -> Paradata:
    """The row of an answer that is being stored.

    In: the turn knows how much of the time was a pause; the session was read `with_question`,
    without which the response time stays empty.
    """
    asked = getattr(session, "asked_at", None)
    return Paradata(entry=entry, response_ms=_between(asked, turn), **measures)


def _between(asked: datetime | None, turn: Turn) -> int | None:
    """Milliseconds from the question to the answer by the server's clock, pauses left out."""
    if asked is None:
        return None
    seconds = (turn.received_at - asked).total_seconds() - turn.away_seconds
    return _number(max(0.0, seconds) * 1000)


def _number(value: Any) -> int | None:
    """A whole number that fits; None for whatever else."""
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return int(value) if plain and 0 <= value <= MOST else None
