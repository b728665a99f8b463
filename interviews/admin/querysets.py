"""Queries and columns that the lists share; their number doesn't grow with the rows."""

import re
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import CharField, Count, IntegerField, OuterRef, Q, QuerySet, Subquery, Value
from django.http import HttpRequest

from interviews.choices import EntryKind
from interviews.exports.pseudonyms import pseudonym
from interviews.measures.distress_review import with_looks
from interviews.models import Participant, Session, TranscriptEntry
from interviews.search.queries import MIN_LETTERS, among, containing, is_unspaced, saying
from plans.bots.teams import visible

ID_BEGINS = re.compile(r"[0-9a-fA-F]{8,32}")
MOST_FOUND = 1_000  # interviews of a search


def annotate_sessions(sessions: QuerySet[Session], with_names: bool) -> QuerySet[Session]:
    """Add bot, answers and, if allowed, names; leave out what only the page shows."""
    answers = TranscriptEntry.objects.filter(session=OuterRef("pk"), kind=EntryKind.USER_ANSWER)
    counts = answers.order_by().values("session").annotate(count=Count("pk")).values("count")
    last = TranscriptEntry.objects.filter(session=OuterRef("pk")).order_by("-position")
    person = Participant.objects.filter(pk=OuterRef("participant")).order_by()
    name = Subquery(person.values("name")) if with_names else Value("", output_field=CharField())
    return (
        with_looks(sessions)
        .select_related("bot")
        .defer("state", "params")
        .annotate(
            answers=Subquery(counts, output_field=IntegerField()),
            last_at=Subquery(last.values("at")[:1]),
            shown_name=name,
        )
    )


def who(session: Session) -> str:
    """Return the participant's name where it may be seen, else the pseudonym of the exports."""
    return getattr(session, "shown_name", "") or pseudonym(session.participant_id) or "withdrawn"


def who_for(request: HttpRequest, session: Session) -> str:
    participant = request.user.has_perm("interviews.view_participant") and session.participant
    return (participant and participant.name) or who(session)


def progress(session: Session) -> str:
    done = session.progress
    if not done:
        return ""
    return f"{done['current']} of {done['total']}" if done.get("total") else str(done["current"])


def minutes(session: Session) -> int:
    last: datetime | None = getattr(session, "last_at", None)
    return 0 if last is None else round(session.minutes_until(last))


def marks(session: Session) -> dict[str, str]:
    all_marks = (
        ("flagged", "danger", session.flagged and not getattr(session, "looked", False)),
        ("reviewed", "info", session.flagged and getattr(session, "looked", False)),
        ("preview", "info", session.preview),
        ("synthetic", "info", session.synthetic),
        ("reward missing", "danger", session.reward.get("kind") == "missing"),
    )
    return {mark: tone for mark, tone, applies in all_marks if applies}


def search_sessions(
    sessions: QuerySet[Session], term: str, user: Any, by_name: bool
) -> tuple[QuerySet[Session], bool]:
    """Return the sessions that match, and whether there were too many matches to take.

    A session matches if the term was said in it, or by its id or, if allowed, participant.
    """
    words = term.strip()
    if not words:
        return sessions, False
    matches = _match_id(words)
    if len(words) < MIN_LETTERS and not is_unspaced(words):
        return sessions.filter(matches), False
    said, named = _sessions_saying(words, user), _sessions_of(words, user) if by_name else []
    too_many = MOST_FOUND in (len(said), len(named))
    return sessions.filter(matches | among(said + named)), too_many


def _sessions_saying(words: str, user: Any) -> list[UUID]:
    """Run the search once, as keys: the change list evaluates its queryset four times."""
    entries = saying(visible(TranscriptEntry.objects.order_by(), user), words)
    return list(entries.values_list("session", flat=True).distinct()[:MOST_FOUND])


def _sessions_of(name: str, user: Any) -> list[UUID]:
    people = Participant.objects.filter(containing("name", name)).order_by().values("pk")
    sessions = visible(Session.objects.order_by(), user).filter(participant__in=people)
    return list(sessions.values_list("pk", flat=True)[:MOST_FOUND])


def _match_id(words: str) -> Q:
    digits = words.replace("-", "")
    if not ID_BEGINS.fullmatch(digits):
        return Q(pk__in=())
    return Q(pk__range=(UUID(digits.ljust(32, "0")), UUID(digits.ljust(32, "f"))))
