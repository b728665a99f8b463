"""Queries and columns that the lists share; their number doesn't grow with the rows."""

import re
from datetime import datetime
from uuid import UUID

from django.db.models import (
    CharField,
    Count,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
)
from django.http import HttpRequest

from interviews.choices import EntryKind
from interviews.exports.pseudonyms import pseudonym
from interviews.measures.distress_review import with_looks
from interviews.models import Participant, Session, TranscriptEntry, Turn

ID_BEGINS = re.compile(r"[0-9a-fA-F]{8,32}")
MOST_FOUND = 2000  # interviews that a search takes
LEAST_LETTERS = 3  # of a search; fewer would find everything


# -- sessions


def sessions_listed(sessions: QuerySet[Session], with_names: bool) -> QuerySet[Session]:
    """Add bot, answers and, if allowed, names; leave out what only the page shows."""
    said = TranscriptEntry.objects.filter(session=OuterRef("pk"), kind=EntryKind.USER_ANSWER)
    counted = said.order_by().values("session").annotate(count=Count("pk")).values("count")
    last = TranscriptEntry.objects.filter(session=OuterRef("pk")).order_by("-position")
    name = F("participant__name") if with_names else Value("", output_field=CharField())
    return (
        with_looks(sessions)
        .select_related("bot")
        .defer("state", "params")
        .annotate(
            answers=Subquery(counted, output_field=IntegerField()),
            last_at=Subquery(last.values("at")[:1]),
            shown_name=name,
        )
    )


def who(session: Session) -> str:
    """Return the participant's name where it may be seen, else the pseudonym of the exports."""
    return getattr(session, "shown_name", "") or pseudonym(session.participant_id) or "withdrawn"


def who_for(request: HttpRequest, session: Session) -> str:
    """Like `who`, by the permissions of the request's user."""
    named = request.user.has_perm("interviews.view_participant") and session.participant
    return named.name if named and named.name else who(session)


def progress(session: Session) -> str:
    kept = session.progress
    if not kept:
        return ""
    return f"{kept['current']} of {kept['total']}" if kept.get("total") else str(kept["current"])


def minutes(session: Session) -> int:
    """Return minutes from the start to the last utterance, without the pauses."""
    last: datetime | None = getattr(session, "last_at", None)
    if last is None:
        return 0
    return round(max(0.0, (last - session.started_at).total_seconds() - session.away_total) / 60)


def marks(session: Session) -> dict[str, str]:
    marked = (
        ("flagged", "danger", session.flagged and not getattr(session, "looked", False)),
        ("looked at", "info", session.flagged and getattr(session, "looked", False)),
        ("preview", "info", session.preview),
        ("synthetic", "info", session.synthetic),
        ("reward missing", "danger", session.reward.get("kind") == "missing"),
    )
    return {mark: tone for mark, tone, holds in marked if holds}


def sessions_found(
    sessions: QuerySet[Session], term: str, by_name: bool
) -> tuple[QuerySet[Session], bool]:
    """Return the sessions that match, and whether there were too many matches to take.

    A session matches if the term was said in it, or by its id or, if allowed, participant.
    """
    words = term.strip()
    if not words:
        return sessions, False
    found = _by_id(words)
    if len(words) < LEAST_LETTERS:
        return sessions.filter(found), False
    keys = _said_in(words)
    found |= Q(pk__in=keys)
    found |= containing("participant__name", words) if by_name else Q()
    return sessions.filter(found), len(keys) == MOST_FOUND


def _said_in(words: str) -> list[UUID]:
    """Run the search once, as keys: the change list evaluates its queryset four times."""
    said = TranscriptEntry.objects.filter(containing("text", words)).order_by()
    return list(said.values_list("session", flat=True).distinct()[:MOST_FOUND])


def _by_id(words: str) -> Q:
    plain = words.replace("-", "")
    if not ID_BEGINS.fullmatch(plain):
        return Q(pk__in=())
    return Q(pk__range=(UUID(plain.ljust(32, "0")), UUID(plain.ljust(32, "f"))))


def containing(field: str, words: str) -> Q:
    """Match texts that contain the words in any case.

    SQLite ignores case only for ASCII, so other words are looked for in the usual three forms.
    """
    found = Q(**{f"{field}__icontains": words})
    if words.isascii():
        return found
    for variant in {words.lower(), words.upper(), words.capitalize()}:
        found |= Q(**{f"{field}__contains": variant})
    return found


# -- the others


def participants_listed(participants: QuerySet[Participant]) -> QuerySet[Participant]:
    held = Session.objects.filter(participant=OuterRef("pk")).order_by().values("participant")
    counted = held.annotate(count=Count("pk")).values("count")
    return participants.annotate(held=Subquery(counted, output_field=IntegerField()))


def entries_listed(entries: QuerySet[TranscriptEntry]) -> QuerySet[TranscriptEntry]:
    return entries.select_related("session__bot", "turn").defer(
        "session__state", "session__params", "turn__readings", "turn__decision"
    )


def turns_listed(turns: QuerySet[Turn]) -> QuerySet[Turn]:
    return turns.select_related("session__bot").defer(
        "session__state", "session__params", "readings"
    )
