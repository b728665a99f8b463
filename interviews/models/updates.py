from datetime import datetime
from typing import Any

from django.utils import timezone

from interviews.choices import SpeakerRole
from interviews.engine.result import Utterance
from interviews.models import OverviewDay, Session, TranscriptEntry, Turn


class Conflict(Exception):
    """The session has changed since it was read."""


def advance(session: Session, **fields: Any) -> None:
    """Update an unchanged session and raise its sequence. Raises Conflict."""
    fields |= {"sequence": session.sequence + 1, "changed_at": timezone.now()}
    rows = Session.objects.filter(
        pk=session.pk, sequence=session.sequence, status=session.status
    ).update(**fields)
    if not rows:
        raise Conflict
    for name, value in fields.items():
        setattr(session, name, value)
    OverviewDay.forget([session])


def mark_changed(**which: Any) -> None:
    """Have exports of changes bring the sessions that these filters choose."""
    Session.objects.filter(**which).update(changed_at=timezone.now())


def utterance_entry(
    turn: Turn, slot: int, position: int, at: datetime, utterance: Utterance
) -> TranscriptEntry:
    return TranscriptEntry(
        session_id=turn.session_id,
        turn=turn,
        slot=slot,
        position=position,
        at=at,
        role=SpeakerRole.INTERVIEWER,
        kind=utterance.kind,
        text=utterance.text,
        question=utterance.question,
        number=utterance.number,
    )
