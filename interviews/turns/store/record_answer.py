import uuid
from datetime import datetime

from django.db import transaction
from django.db.models import F

from interviews.choices import ACTIVE, EntryKind, SessionStatus, SpeakerRole
from interviews.engine.contact_data.masking import HIDDEN, hide_contact_data
from interviews.measures.paradata import ParadataInput, is_measured, of_answer
from interviews.models import (
    CollectedValue,
    OverviewDay,
    Participant,
    Session,
    TranscriptEntry,
    Turn,
)
from interviews.models.updates import advance, utterance_entry
from interviews.protocols import PROTOCOLS
from interviews.security.sealing import seal
from interviews.turns.store.lease import ClaimedTurn, lease_end
from interviews.turns.store.load_turn import context_of, plan_content
from plans.models import Bot, Plan


def begin(bot: Bot, plan: Plan, participant: Participant, session: Session) -> ClaimedTurn:
    """Store a new session with its intro and its claimed opening turn.

    The participant's other active sessions with the bot are archived.
    """
    protocol = PROTOCOLS[plan.protocol]
    content = plan_content(plan.pk)
    session.state = protocol.begin(content, session.language).model_dump(mode="json")
    with transaction.atomic():
        others = Session.objects.filter(participant=participant, bot=bot)
        replaced = {"status": SessionStatus.ARCHIVED, "ended_at": session.started_at}
        changed = {"changed_at": session.started_at, "sequence": F("sequence") + 1}
        if others.filter(status__in=ACTIVE).update(**replaced, **changed):
            OverviewDay.forget(others.filter(**replaced).only("bot", "started_at"))
        turn = Turn(
            session=session,
            number=0,
            trigger=Turn.Trigger.OPENING,
            message_id="opening",
            received_at=session.started_at,
            lease_owner=uuid.uuid4(),
            lease_until=lease_end(),
        )
        intro = protocol.intro(context_of(session, turn, content, [], participant.name))
        session.length = 1 if intro else 0
        session.save(force_insert=True)
        turn.save(force_insert=True)
        if intro:
            utterance_entry(turn, 0, 1, session.started_at, intro).save(force_insert=True)
    return ClaimedTurn(turn, session)


def record(
    session: Session,
    trigger: Turn.Trigger,
    text: str,
    message_id: str,
    at: datetime,
    measures: ParadataInput | None = None,
) -> ClaimedTurn:
    """Store what the participant did, with the claimed turn that answers it.

    A confidential answer is sealed into the turn and hidden in the transcript. So is contact data
    that is told unasked, unless the bot keeps it. Raises Conflict if the session has changed since
    it was read, IntegrityError if the message id was used before, NoDataKey if nothing can be
    sealed.
    """
    has_entry = trigger in (Turn.Trigger.ANSWER, Turn.Trigger.SKIP)
    confidential = bool(text) and bool(session.state.get("sealed"))
    shown, given = (HIDDEN, []) if confidential else _shown(session, text)
    paused = _paused_seconds(session, at)
    turn = Turn(
        session=session,
        number=session.turn_count + 1,
        trigger=trigger,
        message_id=message_id,
        sealed=seal(text) if confidential else None,
        received_at=at,
        away_seconds=session.away_seconds + paused,
        lease_owner=uuid.uuid4(),
        lease_until=lease_end(),
    )
    paradata = None
    with transaction.atomic():
        advance(
            session,
            **session.with_dialogue(SessionStatus.ASKING),
            length=session.length + has_entry,
            turn_count=session.turn_count + 1,
            paused_at=None,
            pause_wanted=False,
            away_total=session.away_total + paused,
        )
        turn.save(force_insert=True)
        if has_entry:
            entry = _answer_entry(turn, session.length, shown)
            entry.save(force_insert=True)
            _seal_values(session, entry, given)
            if is_measured(session):
                paradata = of_answer(entry, turn, session, measures or {})
                paradata.save(force_insert=True)
    return ClaimedTurn(turn, session, paradata)


def _shown(session: Session, text: str) -> tuple[str, list[tuple[str, str]]]:
    masks = text and plan_content(session.plan_id).material.options.masks_contact_data
    return hide_contact_data(text) if masks else (text, [])


def _seal_values(session: Session, entry: TranscriptEntry, values: list[tuple[str, str]]) -> None:
    CollectedValue.objects.bulk_create(
        CollectedValue(
            session=session,
            key=f"{kind}_in_{entry.position}{f'_{number}' if number else ''}",
            value=seal(value),
            created_at=entry.at,
        )
        for number, (kind, value) in enumerate(values)
    )


def pause(session: Session, at: datetime) -> int:
    status = session.dialogue_status
    if status == SessionStatus.WAITING_ANSWER:
        advance(session, paused_at=at, **session.with_dialogue(SessionStatus.PAUSED))
    elif status in (SessionStatus.ASKING, SessionStatus.INTRO) and not session.pause_wanted:
        advance(session, pause_wanted=True)
    return session.sequence


def resume(session: Session, at: datetime) -> int:
    if session.dialogue_status == SessionStatus.PAUSED and session.paused_at:
        away = _paused_seconds(session, at)
        advance(
            session,
            **session.with_dialogue(SessionStatus.WAITING_ANSWER),
            paused_at=None,
            away_seconds=session.away_seconds + away,
            away_total=session.away_total + away,
        )
    elif session.pause_wanted:
        advance(session, pause_wanted=False)
    return session.sequence


def _paused_seconds(session: Session, at: datetime) -> float:
    """Return for how long the interview has been paused; one that has ended takes no longer."""
    if session.paused_at is None or session.ended_at is not None:
        return 0.0
    return (at - session.paused_at).total_seconds()


def _answer_entry(turn: Turn, position: int, text: str) -> TranscriptEntry:
    skipped = turn.trigger == Turn.Trigger.SKIP
    return TranscriptEntry(
        session_id=turn.session_id,
        turn=turn,
        slot=0,
        position=position,
        at=turn.received_at,
        role=SpeakerRole.PARTICIPANT,
        kind=EntryKind.SKIP if skipped else EntryKind.USER_ANSWER,
        text=text,
        message_id=turn.message_id,
    )
