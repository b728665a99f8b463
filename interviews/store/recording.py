"""What the participant did, stored before anything is made of it."""

import uuid
from datetime import datetime

from django.db import transaction

from interviews.engine.masking import HIDDEN
from interviews.models import Participant, Session, TranscriptEntry, Turn
from interviews.paradata import Told, is_measured, of_answer
from interviews.protocols import PROTOCOLS
from interviews.sealing import seal
from interviews.store.claims import Claimed, lease_end
from interviews.store.loading import now_of, plan_content
from interviews.store.rows import advance, utterance_entry
from interviews.words import ACTIVE, Kind, Role, Status
from plans.models import Bot, Plan


def begin(bot: Bot, plan: Plan, participant: Participant, session: Session) -> Claimed:
    """Stores a new session with its intro and its claimed opening turn.

    The participant's other active sessions with the bot are put aside in the same transaction.
    """
    protocol = PROTOCOLS[plan.protocol]
    content = plan_content(plan.pk)
    session.state = protocol.begin(content, session.language).model_dump(mode="json")
    with transaction.atomic():
        Session.objects.filter(participant=participant, bot=bot, status__in=ACTIVE).update(
            status=Status.ARCHIVED, ended_at=session.started_at
        )
        turn = Turn(
            session=session,
            number=0,
            trigger=Turn.Trigger.OPENING,
            message_id="opening",
            received_at=session.started_at,
            lease_owner=uuid.uuid4(),
            lease_until=lease_end(),
        )
        intro = protocol.intro(now_of(session, turn, content, [], participant.name))
        session.length = 1 if intro else 0
        session.save(force_insert=True)
        turn.save(force_insert=True)
        if intro:
            utterance_entry(turn, 0, 1, session.started_at, intro).save(force_insert=True)
    return Claimed(turn, session)


def record(
    session: Session,
    trigger: Turn.Trigger,
    text: str,
    message_id: str,
    at: datetime,
    measures: Told | None = None,
) -> Claimed:
    """Stores what the participant did, together with the claimed turn that answers it.

    `measures` say how the answer was written; they are kept where such things are. The
    words of a confidential answer are sealed into the turn, and the transcript has none of
    them. Raises Conflict when the session is not as it was read, IntegrityError when the message
    id was used before, NoDataKey when nothing can be sealed.
    """
    has_entry = trigger in (Turn.Trigger.ANSWER, Turn.Trigger.SKIP)
    confided = bool(text) and bool(session.state.get("sealed"))
    paused = (at - session.paused_at).total_seconds() if session.paused_at else 0.0
    turn = Turn(
        session=session,
        number=session.turn_count + 1,
        trigger=trigger,
        message_id=message_id,
        sealed=seal(text) if confided else None,
        received_at=at,
        away_seconds=session.away_seconds + paused,
        lease_owner=uuid.uuid4(),
        lease_until=lease_end(),
    )
    with transaction.atomic():
        advance(
            session,
            status=Status.ASKING,
            length=session.length + has_entry,
            turn_count=session.turn_count + 1,
            paused_at=None,
            pause_wanted=False,
            away_total=session.away_total + paused,
        )
        turn.save(force_insert=True)
        if has_entry:
            entry = _answer(turn, session.length, HIDDEN if confided else text)
            entry.save(force_insert=True)
            if is_measured(session):
                of_answer(entry, turn, session, measures or {}).save(force_insert=True)
    return Claimed(turn, session)


def paused(session: Session, at: datetime) -> int:
    """Begins a pause, or notes the wish for one while the interviewer speaks; the sequence."""
    if session.status == Status.WAITING_ANSWER:
        advance(session, status=Status.PAUSED, paused_at=at)
    elif session.status in (Status.ASKING, Status.INTRO) and not session.pause_wanted:
        advance(session, pause_wanted=True)
    return session.sequence


def resumed(session: Session, at: datetime) -> int:
    """Ends a pause, or the wish for one; the sequence."""
    if session.status == Status.PAUSED and session.paused_at:
        away = (at - session.paused_at).total_seconds()
        advance(
            session,
            status=Status.WAITING_ANSWER,
            paused_at=None,
            away_seconds=session.away_seconds + away,
            away_total=session.away_total + away,
        )
    elif session.pause_wanted:
        advance(session, pause_wanted=False)
    return session.sequence


def _answer(turn: Turn, position: int, text: str) -> TranscriptEntry:
    skipped = turn.trigger == Turn.Trigger.SKIP
    return TranscriptEntry(
        session_id=turn.session_id,
        turn=turn,
        slot=0,
        position=position,
        at=turn.received_at,
        role=Role.PARTICIPANT,
        kind=Kind.SKIP if skipped else Kind.USER_ANSWER,
        text=text,
        message_id=turn.message_id,
    )
