"""How much effort answers show: rated once, when their turn is committed, and stored with it."""

from collections.abc import Collection
from itertools import groupby
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.db.models import F

from interviews.choices import NO_ANSWER, EntryKind, SpeakerRole
from interviews.engine.context import AnyContext, TranscriptLine
from interviews.engine.result import AnyResult
from interviews.measures.response_quality import Effort, Sign, effort_of_latest, efforts
from interviews.models import Paradata, TranscriptEntry, Turn

Efforts = dict[int, Effort]  # by position
NOT_RATED: dict[str, Any] = {"effort_score": None, "effort_signs": ""}


def fields_of_turn(
    ctx: AnyContext, result: AnyResult, measured: Paradata | None, head_start: int
) -> dict[str, Any]:
    """Return the turn's fields. Refusals, and answers given in confidence, aren't rated."""
    heard = EntryKind(result.heard_as or EntryKind.USER_ANSWER)
    rated = ctx.received.trigger == "user_answer" and not ctx.state.sealed
    if not rated or result.reason in NO_ANSWER:
        return NOT_RATED
    answer = TranscriptLine(SpeakerRole.PARTICIPANT, heard, ctx.answer)
    effort = effort_of_latest(ctx.transcript, answer, ctx.language, measured, head_start)
    if effort is None:
        return NOT_RATED
    return {"effort_score": effort.score, "effort_signs": " ".join(effort.signs)}


def efforts_of(sessions: Collection[UUID]) -> dict[UUID, Efforts]:
    """Return the ratings of interviews, in one query; those of old turns are made anew."""
    rows = TranscriptEntry.objects.filter(session__in=sessions, turn__status=Turn.Status.DONE)
    rows = rows.select_related("turn", "paradata", "session").annotate(
        reason=F("turn__decision__reason")
    )
    ordered = rows.defer("turn__readings", "turn__decision", "session__state", "session__params")
    entries = ordered.order_by("session", "position")
    return {key: _efforts(list(said)) for key, said in groupby(entries, attrgetter("session_id"))}


def _efforts(entries: list[Any]) -> Efforts:
    mine = [entry for entry in entries if entry.role == SpeakerRole.PARTICIPANT]
    if all(entry.turn.effort_signs is not None for entry in mine):
        stored = {entry.position: _stored(entry.turn) for entry in mine}
        return {position: effort for position, effort in stored.items() if effort}
    return efforts(
        entries,
        entries[0].session.language,
        {e.position: e.paradata for e in mine if hasattr(e, "paradata")},
        {e.position: display_ms(e.turn) for e in entries},
        {e.position for e in mine if e.reason in NO_ANSWER},
    )


def _stored(turn: Turn) -> Effort | None:
    signs = (turn.effort_signs or "").split()
    return None if turn.effort_score is None else Effort(turn.effort_score, tuple(map(Sign, signs)))


def display_ms(turn: Turn) -> int | None:
    """Return for how many milliseconds the reply was being shown before it was complete."""
    if turn.first_word_ms is None or turn.total_ms is None:
        return None
    return max(0, turn.total_ms - turn.first_word_ms)
