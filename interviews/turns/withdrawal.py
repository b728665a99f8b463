"""Withdrawal deletes all that was said and made of it, and leaves a session row without content.

The row stays so that counts are right. A turn or job under way finds its rows gone and writes
nothing. A reward code that was drawn stays drawn.
"""

import sqlite3
from collections.abc import Collection
from contextlib import closing
from uuid import UUID

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from interviews.choices import SessionStatus
from interviews.models import Assignment, Erasure, ExportFile, Participant, Session, Turn
from interviews.models.updates import advance
from interviews.recruitment.invitations.changes import erase_invitation
from interviews.search.index import erase_deleted
from interviews.turns.store.records import remove_records
from interviews.webhooks import Event, tell_of_session
from llm.models import LLMCall
from plans.jobs import Job

EMPTIED = (  # fields that are set back to their defaults
    *("state", "progress", "params", "start_answers", "cell", "reward", "collects_paradata"),
    *("length", "turn_count", "flagged", "flagged_at", "paused_at", "pause_wanted"),
    "contact_status",
    *("away_seconds", "away_total"),
)


def withdraw(session: Session) -> int:
    """Delete all but the row of the session and of those that it replaced; return its sequence.

    Raises Conflict if the session has changed since it was read.
    """
    with transaction.atomic():
        person = session.participant
        replaced = list(replaced_by(session))
        Assignment.objects.filter(session__in=replaced).delete()  # an arm counts a person once
        for one in [*replaced, session]:
            _empty(one)
        _delete_participant(person)
        Erasure.record()
    return session.sequence


def replaced_by(session: Session) -> QuerySet[Session]:
    """Return the person's interviews of the bot from before they started again."""
    if session.participant_id is None or session.bot_id is None:
        return Session.objects.none()
    mine = Session.objects.filter(participant=session.participant_id, bot=session.bot_id)
    return mine.filter(status=SessionStatus.ARCHIVED).exclude(pk=session.pk)


def _empty(session: Session) -> None:
    wait_for_work([session.pk])
    advance(
        session,
        status=SessionStatus.WITHDRAWN,
        participant=None,
        ended_at=timezone.now(),
        **{name: getattr(Session(), name) for name in EMPTIED},
    )
    remove_records([session.pk])
    Assignment.objects.filter(session=session).update(stratum="")  # the arm counts it
    for relation in Session._meta.related_objects:  # other apps' rows too, whatever they are
        if relation.related_model is not Assignment:
            rows = relation.related_model._default_manager.all()
            rows.filter(**{relation.field.name: session}).delete()
    erase_invitation(session)
    ExportFile.forget([session.bot_id])
    tell_of_session(Event.WITHDRAWN, session)
    erase_deleted()
    # Last: a call logged after this waits for the session's lock and finds it withdrawn.
    LLMCall.objects.filter(session=str(session.pk)).delete()


def lock_unless_gone(session: str | UUID) -> bool:
    """Return whether the interview exists and isn't withdrawn, which holds until the commit."""
    there = Session.objects.filter(pk=session).exclude(status=SessionStatus.WITHDRAWN)
    return there.order_by("pk").select_for_update(no_key=True).values_list("pk").first() is not None


def wait_for_work(sessions: Collection[UUID]) -> None:
    """Lock what is being made of these interviews; to be called before they are locked.

    Whoever stores a turn or a product locks that first and then the interview. In another order two
    could wait for each other.
    """
    for relation in Session._meta.related_objects:
        if issubclass(relation.related_model, Turn | Job):
            mine = {f"{relation.field.name}__in": sessions}
            rows = relation.related_model._default_manager.filter(**mine).order_by("pk")
            list(rows.select_for_update().values_list("pk", flat=True))


def _delete_participant(person: Participant | None) -> None:
    if person is not None and not person.sessions.exists():
        person.delete()


def empty_journal() -> bool:
    """Empty SQLite's journal, which keeps a copy of deleted words; return whether it is empty.

    While somebody reads or writes it can't be emptied. Nobody waits for anybody then: a connection
    of its own without patience copies first, which disturbs no writer, and empties what was copied.
    With PostgreSQL, return whether the sweep has vacuumed its tables.
    """
    if connection.vendor != "sqlite":
        return not Erasure.objects.exists()
    with closing(sqlite3.connect(connection.settings_dict["NAME"], timeout=0)) as own:
        busy, written, copied = own.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        if busy or written != copied:
            return False
        (busy, *_) = own.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy
