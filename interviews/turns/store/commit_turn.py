from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.module_loading import import_string

from interviews.choices import SessionStatus
from interviews.engine.contact_data.masking import scrub
from interviews.engine.result import AnyResult
from interviews.measures.rewards import reward_for
from interviews.models import CollectedValue, Session, TranscriptEntry, Turn
from interviews.models.updates import Conflict, advance, utterance_entry
from interviews.protocols import PROTOCOLS
from interviews.security.sealing import seal, unseal
from interviews.turns.distress_alerts import alert
from interviews.turns.store.lease import ClaimedTurn
from interviews.turns.store.load_turn import plan_content
from interviews.turns.store.notes import save_notes
from interviews.turns.store.records import save_records
from interviews.turns.store.strike_words import strike_words
from interviews.webhooks import Event, tell_of_session
from llm.calls.log import save
from llm.tasks.records import CallRecord

ENDINGS: dict[str, Event] = {
    SessionStatus.COMPLETED: Event.COMPLETED,
    SessionStatus.STOPPED: Event.STOPPED,
}


@dataclass(frozen=True)
class TurnTrace:
    readings: dict[str, Any]
    decision: dict[str, Any]
    source: str
    first_word_ms: int | None
    total_ms: int
    calls: Sequence[CallRecord]
    effort: Mapping[str, Any] = field(default_factory=dict)  # fields of the turn


def commit(claimed: ClaimedTurn, result: AnyResult, trace: TurnTrace) -> Session | None:
    """Commit the turn's results in one transaction; None if another process has the turn."""
    try:
        return _commit(claimed, result, trace, copy(claimed.session))
    except Conflict:  # the session has changed since the turn began, by a pause for example
        return _commit(claimed, result, trace)


@transaction.atomic
def _commit(
    claimed: ClaimedTurn, result: AnyResult, trace: TurnTrace, known: Session | None = None
) -> Session | None:
    at = max(timezone.now(), claimed.turn.received_at)  # a simulated clock is ahead of ours
    answer_changes = _answer_changes(claimed.turn, result)
    if not _finish(claimed.turn, trace, at):
        return None
    session = known or Session.objects.get(pk=claimed.session.pk)
    strike_words(session, claimed.turn, result.strike)
    if session.dialogue_status not in (SessionStatus.ASKING, SessionStatus.INTRO):
        if result.flagged and session.status == SessionStatus.ARCHIVED:
            # Begun anew meanwhile: nothing is said here any more, but people are told.
            advance(session, flagged=True, flagged_at=at)
            alert(session, at)
            tell_of_session(Event.FLAGGED, session)
        # Exports leave out what a turn under way answers: those of changes bring it now.
        Session.objects.filter(pk=session.pk).update(changed_at=at)
        return session  # archived or withdrawn meanwhile
    entries = [
        utterance_entry(claimed.turn, slot, session.length + slot, at, utterance)
        for slot, utterance in enumerate(result.utterances, start=1)
    ]
    ends = _settle(session, result, len(entries), at)
    TranscriptEntry.objects.bulk_create(entries)
    if answer_changes:
        TranscriptEntry.objects.filter(turn=claimed.turn, slot=0).update(**answer_changes)
    _collect(session, result.collected, at)
    if result.notes is not None:
        save_notes(session, result.notes)
    save_records(plan_content(session.plan_id).protocol, session, result.records)
    save(trace.calls)
    if result.flagged:
        alert(session, at)
        tell_of_session(Event.FLAGGED, session)
    if ends:
        tell_of_session(ENDINGS[session.status], session)
        import_string(settings.INTERVIEW_ENDED)(session)
    return session


def _answer_changes(turn: Turn, result: AnyResult) -> dict[str, str]:
    changes = {}
    if turn.sealed is not None:
        changes["text"] = scrub(unseal(turn.sealed)) if result.masked is None else result.masked
    if result.heard_as is not None:
        changes["kind"] = str(result.heard_as)
    return changes


def _collect(session: Session, values: Mapping[str, str], at: datetime) -> None:
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
            **trace.effort,
        )
    )


def _settle(session: Session, result: AnyResult, added: int, at: datetime) -> bool:
    """Store how the interview stands now; return whether it has ended with this turn."""
    continues = result.status in (SessionStatus.WAITING_ANSWER, SessionStatus.PAUSED)
    wanted = session.pause_wanted  # by the button, during the turn
    pauses = continues and (wanted or result.status == SessionStatus.PAUSED)
    status = SessionStatus.PAUSED if pauses else result.status
    ended_as = result.ended_as or (None if continues else result.status)
    ends = ended_as is not None and session.ended_at is None
    fields: dict[str, Any] = {
        "state": result.state.mark_spoken(at).model_dump(mode="json"),
        "length": session.length + added,
        "pause_wanted": False,
        "paused_at": at if pauses else None,
        "away_seconds": 0.0,
        "flagged": session.flagged or result.flagged,
        "flagged_at": at if result.flagged else session.flagged_at,
    }
    if ends:
        early = ended_as == SessionStatus.STOPPED
        fields |= {"status": ended_as, "ended_at": at, "reward": _reward(session, early)}
    if ends or session.ended_at is not None:
        fields["contact_status"] = status if continues else ""
    else:
        fields["status"] = status
    if result.progress is not None:
        current, total, unit = result.progress
        fields["progress"] = {"current": current, "total": total, "unit": unit}
        if result.remaining is not None:
            fields["progress"]["remaining"] = result.remaining
    advance(session, **fields)
    return ends


def _reward(session: Session, early: bool) -> dict[str, str]:
    content = plan_content(session.plan_id)
    options = PROTOCOLS[content.protocol].reward(content)
    reward = reward_for(session, options, early) if options else None
    return asdict(reward) if reward else {}
