"""Withdrawing: all that was said and all that came of it goes at once; a tombstone stays.

The tombstone is the session's row, without words, names or what came with the link, so that counts
are right. A turn under way finds its row gone and writes nothing; so does whatever is being made of
the interview. A reward code that was drawn stays drawn.
"""

from datetime import datetime

from django.db import connection, transaction
from django.utils import timezone

from interviews.choices import SessionStatus
from interviews.models import Participant, Session, Turn
from interviews.models.updates import advance
from interviews.recruitment.invitations.erasure import erase_invitation
from interviews.turns.store.records import remove_records
from llm.models import LLMCall


def withdraw(session: Session) -> int:
    """Deletes everything of the session but its tombstone; returns its sequence number.

    Raises Conflict where the session has changed since it was read.
    """
    with transaction.atomic():
        _wait_for_turns(session)
        person = session.participant
        advance(session, **_tombstone(timezone.now()))
        remove_records([session.pk])
        for relation in Session._meta.related_objects:  # other apps' rows too, whatever they are
            rows = relation.related_model._default_manager.all()
            rows.filter(**{relation.field.name: session}).delete()
        erase_invitation(session)
        _forget(person)
        # Last: whoever logs a call after this waits for the session, and finds it withdrawn.
        LLMCall.objects.filter(session=str(session.pk)).delete()
    _empty_journal()
    return session.sequence


def _wait_for_turns(session: Session) -> None:
    """Whoever commits a turn holds it first and the session then; so does this."""
    turns = Turn.objects.filter(session=session).order_by("pk").select_for_update()
    list(turns.values_list("pk", flat=True))


def _tombstone(at: datetime) -> dict[str, object]:
    """What is left of the session's own fields beside bot, plan, language and its beginning."""
    return {
        "status": SessionStatus.WITHDRAWN,
        "participant": None,
        "state": {},
        "progress": {},
        "params": {},
        "start_answers": {},
        "reward": {},
        "collects_paradata": False,
        "length": 0,
        "turn_count": 0,
        "flagged": False,
        "flagged_at": None,
        "ended_at": at,
        "paused_at": None,
        "pause_wanted": False,
        "away_seconds": 0.0,
        "away_total": 0.0,
    }


def _forget(person: Participant | None) -> None:
    """The participant goes too, with all their keys, unless they have given another interview."""
    if person is not None and not person.sessions.exists():
        person.delete()


def _empty_journal() -> None:
    """SQLite overwrites what is deleted in its file, but its journal keeps a copy for a while."""
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
