"""Everything that a turn brings, in one transaction, by who holds its lease."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.module_loading import import_string

from interviews.choices import SessionStatus
from interviews.engine.contact_data.masking import scrub
from interviews.engine.result import TurnResult, Utterance
from interviews.measures.rewards import reward_for
from interviews.models import CollectedValue, Session, TranscriptEntry, Turn
from interviews.models.updates import Conflict, advance, utterance_entry
from interviews.protocols import PROTOCOLS
from interviews.security.sealing import seal, unseal
from interviews.turns.distress_alerts import alert
from interviews.turns.store.lease import ClaimedTurn
from interviews.turns.store.load_turn import plan_content
from interviews.turns.store.notes import keep_notes
from interviews.turns.store.records import save_records
from llm.calls.log import save
from llm.tasks.records import CallRecord


@dataclass(frozen=True)
class TurnTrace:
    """What a finished turn leaves for researchers and for replay."""

    readings: dict[str, Any]
    decision: dict[str, Any]
    source: str
    first_word_ms: int | None
    total_ms: int
    calls: Sequence[CallRecord]


def commit(claimed: ClaimedTurn, move: TurnResult[Any], trace: TurnTrace) -> Session | None:
    """Commit the turn's results in one transaction; None if another process has the turn."""
    try:
        return _commit(claimed, move, trace, copy(claimed.session))
    except Conflict:  # the session has changed since the turn began, by a pause for example
        return _commit(claimed, move, trace)


@transaction.atomic
def _commit(
    claimed: ClaimedTurn, move: TurnResult[Any], trace: TurnTrace, known: Session | None = None
) -> Session | None:
    """Commit to the session as `known`, else as read now. Raises Conflict."""
    at = timezone.now()
    words = _shown(claimed.turn, move)
    if not _finish(claimed.turn, trace, at):
        return None
    session = known or Session.objects.get(pk=claimed.session.pk)
    if session.status not in (
        SessionStatus.ASKING,
        SessionStatus.INTRO,
    ):  # put aside or withdrawn meanwhile
        return session
    entries = _entries(claimed.turn, session.length, at, move.utterances)
    _settle(session, move, len(entries), at)
    TranscriptEntry.objects.bulk_create(entries)
    if heard := _heard(words, move):
        TranscriptEntry.objects.filter(turn=claimed.turn, slot=0).update(**heard)
    _collect(session, move.collected, at)
    if move.notes is not None:
        keep_notes(session, move.notes)
    save_records(plan_content(session.plan_id).protocol, session, move.records)
    save(trace.calls)
    if move.flagged:
        alert(session, at)
    if not session.is_active:
        import_string(settings.INTERVIEW_ENDED)(session)
    return session


def _shown(turn: Turn, move: TurnResult[Any]) -> str | None:
    """What the transcript shows of a confidential answer; None for any other."""
    if turn.sealed is None:
        return None
    return scrub(unseal(turn.sealed)) if move.masked is None else move.masked


def _heard(words: str | None, move: TurnResult[Any]) -> dict[str, str]:
    """What the turn changes in the entry that it answers."""
    heard = {} if words is None else {"text": words}
    return heard if move.heard_as is None else {**heard, "kind": str(move.heard_as)}


def _collect(session: Session, values: Mapping[str, str], at: datetime) -> None:
    """Store the values sealed, in place of earlier ones."""
    for key, value in values.items():
        CollectedValue.objects.update_or_create(
            session=session, key=key, defaults={"value": seal(value), "created_at": at}
        )


def _finish(turn: Turn, trace: TurnTrace, at: datetime) -> bool:
    mine = Turn.objects.filter(pk=turn.pk, status=Turn.Status.RUNNING, lease_owner=turn.lease_owner)
    return bool(
        mine.update(
            status=Turn.Status.DONE,
            sealed=None,
            spoken_at=at,
            readings=trace.readings,
            decision=trace.decision,
            source=trace.source,
            first_word_ms=trace.first_word_ms,
            total_ms=trace.total_ms,
        )
    )


def _entries(
    turn: Turn, length: int, at: datetime, utterances: Sequence[Utterance]
) -> list[TranscriptEntry]:
    return [
        utterance_entry(turn, slot, length + slot, at, utterance)
        for slot, utterance in enumerate(utterances, start=1)
    ]


def _settle(session: Session, move: TurnResult[Any], added: int, at: datetime) -> None:
    """The session after the move. A pause that was asked for meanwhile begins now."""
    goes_on = move.status == SessionStatus.WAITING_ANSWER
    pauses = session.pause_wanted and goes_on
    fields: dict[str, Any] = {
        "status": SessionStatus.PAUSED if pauses else move.status,
        "state": move.state.shown(at).model_dump(mode="json"),
        "length": session.length + added,
        "pause_wanted": False,
        "paused_at": at if pauses else None,
        "away_seconds": 0.0,
        "ended_at": None if goes_on else at,
        "flagged": session.flagged or move.flagged,
        "flagged_at": at if move.flagged else session.flagged_at,
    }
    if not goes_on:
        fields["reward"] = _reward(session, early=move.status == SessionStatus.STOPPED)
    if move.progress is not None:
        current, total, unit = move.progress
        fields["progress"] = {"current": current, "total": total, "unit": unit}
        if move.remaining is not None:
            fields["progress"]["remaining"] = move.remaining
    advance(session, **fields)


def _reward(session: Session, early: bool) -> dict[str, str]:
    """What the participant gets, as the protocol says; nothing for most who end early."""
    content = plan_content(session.plan_id)
    options = PROTOCOLS[content.protocol].reward(content)
    reward = reward_for(session, options, early) if options else None
    return reward.as_stored() if reward else {}
