"""How much effort answers show: rated once, when their turn is committed, and stored with it."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import F

from interviews.choices import NO_ANSWER, EntryKind, SpeakerRole
from interviews.engine.contact_data.masking import HIDDEN
from interviews.engine.context import AnyContext, TranscriptLine
from interviews.engine.result import AnyResult
from interviews.measures.response_quality import Effort, Sign
from interviews.measures.response_quality.score import Answer, rate_answers, rate_latest
from interviews.models import Paradata, TranscriptEntry, Turn

NOT_RATED: dict[str, Any] = {"effort_score": None, "effort_signs": ""}
# other requests, such as for consent or an address, are answered in a word
OPEN_QUESTIONS = frozenset(
    {EntryKind.SCRIPTED_QUESTION, EntryKind.TOPIC_QUESTION, EntryKind.QUESTION, EntryKind.FOLLOW_UP}
)
Efforts = dict[int, Effort]  # by position
Spoken = TypeVar("Spoken", TranscriptLine, TranscriptEntry)


def fields_of_turn(
    ctx: AnyContext, result: AnyResult, measured: Paradata | None, head_start: int
) -> dict[str, Any]:
    """Return the turn's fields. Refusals, and answers in confidence or unread, aren't rated.

    `head_start` is for how many milliseconds the question was appearing.
    """
    heard = EntryKind(result.heard_as or EntryKind.USER_ANSWER)
    rated = ctx.received.trigger == "user_answer" and not ctx.state.sealed
    unread = ctx.received.position in ctx.state.unread
    if not rated or unread or result.reason in NO_ANSWER:
        return NOT_RATED
    answer = TranscriptLine(SpeakerRole.PARTICIPANT, heard, ctx.answer)
    answered = list(_answered([*ctx.transcript, answer], ctx.language))
    if not answered or answered[-1][0] is not answer:
        return NOT_RATED
    *earlier, latest = [found for _, _, found in answered]
    effort = rate_latest([*earlier, _timed(latest, measured, head_start)])
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


def efforts(
    entries: Iterable[TranscriptEntry],
    language: str,
    measures: Mapping[int, Paradata],
    appearing: Mapping[int, int | None],
    declined: Collection[int],
) -> Efforts:
    """Rate each answer that can be rated, by position.

    `entries` are in order, `appearing` the milliseconds that a question took to appear, by
    position; `declined` are positions where the question was declined or the interview stopped.
    """
    answered = list(_answered(entries, language))
    timed = [
        _timed(found, measures.get(entry.position), appearing.get(question.position) or 0)
        for entry, question, found in answered
    ]
    rated = zip(answered, rate_answers(timed), strict=True)
    return {
        entry.position: effort for (entry, _, _), effort in rated if entry.position not in declined
    }


def _answered(entries: Iterable[Spoken], language: str) -> Iterator[tuple[Spoken, Spoken, Answer]]:
    """Yield each answer that can be rated, with its question."""
    question: Spoken | None = None
    for entry in entries:
        if entry.role == SpeakerRole.INTERVIEWER:
            question = entry
        elif question is not None and _can_be_rated(entry, question):
            yield entry, question, Answer(entry.text, question.text, language)


def _can_be_rated(entry: Spoken, question: Spoken) -> bool:
    answered = question.kind in OPEN_QUESTIONS and entry.kind == EntryKind.USER_ANSWER
    return answered and HIDDEN not in entry.text  # the words of confidential answers are gone


def _timed(answer: Answer, measured: Paradata | None, head_start: int) -> Answer:
    if measured is None:
        return answer
    ms = measured.response_ms
    seconds = None if ms is None else (ms + head_start) / 1000
    return replace(answer, seconds=seconds, pasted=measured.pasted_characters)
