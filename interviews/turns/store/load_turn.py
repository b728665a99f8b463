from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from interviews.choices import RULES, EntryKind, SpeakerRole
from interviews.engine.context import AnyContext, Received, S, TranscriptLine, TurnContext
from interviews.engine.protocol import InterviewProtocol
from interviews.models import Session, TranscriptEntry, Turn
from interviews.protocols import PROTOCOLS
from interviews.security.sealing import unseal
from interviews.turns.store.lease import ClaimedTurn
from plans.bots.compile import content_of
from plans.models import Plan
from plans.protocols import PlanContent

LINES = 400  # transcript entries that a turn reads: all of nearly every interview


@lru_cache(maxsize=64)  # plans never change
def plan_content(plan_id: int) -> PlanContent[Any]:
    return content_of(Plan.objects.get(pk=plan_id))


def stored_state(
    protocol: InterviewProtocol[S, Any], plan_id: int, stored: Mapping[str, Any]
) -> S | None:
    """Return an interview's state, or None if another protocol led it or nothing is stored."""
    if not stored or plan_content(plan_id).protocol != protocol.name:
        return None
    return protocol.state.model_validate(stored)


def load(claimed: ClaimedTurn, words: bool = True) -> AnyContext:
    """Return the turn's context. Without `words` a confidential answer stays sealed.

    A session just recorded is taken from its claim: recording proves that it was unchanged.
    Raises SealingError if the answer can't be unsealed.
    """
    session = claimed.session
    if claimed.turn.attempts > 1:
        session = Session.objects.select_related("participant").get(pk=session.pk)
    name = session.participant.name if session.participant else ""
    entries = TranscriptEntry.objects.filter(session=session).order_by("-position")[:LINES]
    content = plan_content(session.plan_id)
    ctx = context_of(session, claimed.turn, content, list(reversed(entries)), name)
    if claimed.turn.sealed is None or not words:
        return ctx
    return replace(ctx, received=replace(ctx.received, text=unseal(claimed.turn.sealed)))


def context_of(
    session: Session,
    turn: Turn,
    content: PlanContent[Any],
    entries: Sequence[TranscriptEntry],
    name: str,
) -> AnyContext:
    protocol = PROTOCOLS[content.protocol]
    mine = [e for e in entries if e.turn_id == turn.pk and e.role == SpeakerRole.PARTICIPANT]
    past = [e for e in entries if e.turn_id != turn.pk]
    received = Received(
        trigger=turn.trigger,  # type: ignore[arg-type]  # the same words, as stored
        text=mine[0].text if mine else "",
        at=turn.received_at,
        away_seconds=turn.away_seconds,
        position=mine[0].position if mine else 0,
    )
    return TurnContext(
        plan=content,
        material=content.material,
        state=protocol.state.model_validate(session.state).after_time_away(received),
        received=received,
        language=session.language,
        name=name,
        turn=turn.number,
        transcript=tuple(
            TranscriptLine(SpeakerRole(e.role), EntryKind(e.kind), e.text, e.question) for e in past
        ),
        bot_gone=session.bot_id is None,
        start_answers=session.start_answers,
        remembered={
            key: reading["value"]
            for key, reading in turn.readings.items()
            if reading["source"] == RULES
        },
    )
