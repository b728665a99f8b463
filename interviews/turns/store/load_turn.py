from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from interviews.choices import RULES, EntryKind, SpeakerRole
from interviews.engine import strikes
from interviews.engine.contact_data.masking import HIDDEN
from interviews.engine.context import (
    AnyContext,
    ProtocolState,
    Received,
    S,
    TranscriptLine,
    TurnContext,
)
from interviews.engine.protocol import InterviewProtocol
from interviews.engine.reading import AS_ANSWER, KEY
from interviews.models import Session, TranscriptEntry, Turn
from interviews.protocols import PROTOCOLS
from interviews.security.sealing import unseal
from interviews.turns.store.lease import ClaimedTurn
from plans.bots.compile import content_of
from plans.models import Plan
from plans.protocols import PlanContent

LINES = 400  # transcript entries that a turn reads: all of nearly every interview
UNREAD = "unread"  # of the stored readings of a turn whose words froze a process
NO_READING = {
    key: {"task": "", "value": value, "source": RULES, "reason": "the words froze a process"}
    for key, value in ((UNREAD, True), (KEY, AS_ANSWER.as_stored()))
}


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
    if claimed.turn.sealed is None or not words or UNREAD in ctx.remembered:
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
    rows = turn.readings.items()
    remembered = {key: row["value"] for key, row in rows if row["source"] == RULES}
    position = mine[0].position if mine else 0
    begun = remembered.get(strikes.KEY)  # on replay of a turn in which words were struck
    state = protocol.state.model_validate(begun or session.state)
    if UNREAD in remembered:
        state = state.but(unread=(*state.unread, position))
    received = Received(
        trigger=turn.trigger,  # type: ignore[arg-type]  # the same words, as stored
        text=_words(mine[0], state) if mine else "",
        at=turn.received_at,
        away_seconds=turn.away_seconds,
        position=position,
    )
    ctx = TurnContext(
        plan=content,
        material=content.material,
        state=state if begun else state.after_time_away(received),
        received=received,
        language=session.language,
        name=name,
        turn=turn.number,
        transcript=tuple(
            TranscriptLine(
                SpeakerRole(e.role), EntryKind(e.kind), _words(e, state), e.question, e.position
            )
            for e in past
        ),
        bot_gone=session.bot_id is None,
        start_answers=session.start_answers,
        remembered=remembered,
    )
    return ctx.renamed()


def _words(entry: TranscriptEntry, state: ProtocolState) -> str:
    return HIDDEN if entry.position in state.unread else entry.text
