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

from interviews.alerts import alert
from interviews.engine.masking import scrub
from interviews.engine.types import Move, Utterance
from interviews.facts import keep_facts
from interviews.graphs import keep_graph
from interviews.models import CollectedValue, Session, TranscriptEntry, Turn
from interviews.notes import keep_notes
from interviews.protocols import PROTOCOLS
from interviews.rewards import reward_for
from interviews.sealing import seal, unseal
from interviews.store.claims import Claimed
from interviews.store.loading import plan_content
from interviews.store.rows import Conflict, advance, utterance_entry
from interviews.words import Status
from llm.log import save
from llm.records import CallRecord


@dataclass(frozen=True)
class Trace:
    """What a finished turn leaves for researchers and for replay."""

    readings: dict[str, Any]
    decision: dict[str, Any]
    source: str
    first_word_ms: int | None
    total_ms: int
    calls: Sequence[CallRecord]


def commit(claimed: Claimed, move: Move[Any], trace: Trace) -> Session | None:
    """Everything that a turn brings, in one transaction; None when the turn is another's by now."""
    try:
        return _commit(claimed, move, trace, copy(claimed.session))
    except Conflict:  # something has changed since the turn began: a pause is wished for, say
        return _commit(claimed, move, trace)


@transaction.atomic
def _commit(
    claimed: Claimed, move: Move[Any], trace: Trace, known: Session | None = None
) -> Session | None:
    """With the session as it is known, or read anew. Raises Conflict."""
    at = timezone.now()
    words = _shown(claimed.turn, move)
    if not _finish(claimed.turn, trace, at):
        return None
    session = known or Session.objects.get(pk=claimed.session.pk)
    if session.status not in (Status.ASKING, Status.INTRO):  # put aside or withdrawn meanwhile
        return session
    entries = _entries(claimed.turn, session.length, at, move.utterances)
    _settle(session, move, len(entries), at)
    TranscriptEntry.objects.bulk_create(entries)
    if heard := _heard(words, move):
        TranscriptEntry.objects.filter(turn=claimed.turn, slot=0).update(**heard)
    _collect(session, move.collected, at)
    if move.notes is not None:
        keep_notes(session, move.notes)
    keep_facts(session, move.facts)
    keep_graph(session, move.nodes, move.edges)
    save(trace.calls)
    if move.flagged:
        alert(session, at)
    if not session.is_active:
        import_string(settings.INTERVIEW_ENDED)(session)
    return session


def _shown(turn: Turn, move: Move[Any]) -> str | None:
    """What the transcript shows of a confidential answer; None for any other."""
    if turn.sealed is None:
        return None
    return scrub(unseal(turn.sealed)) if move.masked is None else move.masked


def _heard(words: str | None, move: Move[Any]) -> dict[str, str]:
    """What the turn changes in the entry that it answers."""
    heard = {} if words is None else {"text": words}
    return heard if move.heard_as is None else {**heard, "kind": str(move.heard_as)}


def _collect(session: Session, values: Mapping[str, str], at: datetime) -> None:
    """Keeps the values sealed; one that was there gives way."""
    for key, value in values.items():
        CollectedValue.objects.update_or_create(
            session=session, key=key, defaults={"value": seal(value), "created_at": at}
        )


def _finish(turn: Turn, trace: Trace, at: datetime) -> bool:
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


def _settle(session: Session, move: Move[Any], added: int, at: datetime) -> None:
    """The session after the move. A pause that was asked for meanwhile begins now."""
    goes_on = move.status == Status.WAITING_ANSWER
    pauses = session.pause_wanted and goes_on
    fields: dict[str, Any] = {
        "status": Status.PAUSED if pauses else move.status,
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
        fields["reward"] = _reward(session, early=move.status == Status.STOPPED)
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
