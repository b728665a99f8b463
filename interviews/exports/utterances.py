"""What was said in a batch of interviews, streamed, and the turns in which it was said.

Only finished turns: an answer that the interviewer is still thinking about is left out with its
turn and comes with the next export.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from interviews.choices import BESIDE_THE_STUDY, DECLINED, NO_ANSWER, TURN_FAILED, SpeakerRole
from interviews.exports.database_cursor import iterate_rows
from interviews.exports.sessions import ExportedSession, by_session, keys
from interviews.models import TranscriptEntry, Turn

INTERVIEWER = str(SpeakerRole.INTERVIEWER)
CHUNK = 2000  # rows
REPEATS = NO_ANSWER - DECLINED | {TURN_FAILED}
IN_ORDER = ("session__started_at", "session_id")


OF_TURN = (
    *("turn__number", "turn__source"),
    "turn__decision__details__intent",
    "turn__decision__details__answers",
    "turn__decision__details__wishes",
    "turn__decision__details__care",
)


class TranscriptUtterance(NamedTuple):
    session_id: UUID
    position: int
    at: datetime
    role: str
    kind: str
    text: str
    question: str
    number: int | None
    turn: int
    source: str
    intent: str | None  # of the answer that the turn belongs to
    answers: str | None
    wishes: list[str] | None
    care: str | None


class FinishedTurn(NamedTuple):
    session_id: UUID
    number: int
    trigger: str
    decision: dict[str, Any]
    source: str
    first_word_ms: int | None
    total_ms: int | None
    spoken_at: datetime


def utterances(batch: Sequence[ExportedSession]) -> Iterator[TranscriptUtterance]:
    fields = [*TranscriptUtterance._fields[: -len(OF_TURN)], *OF_TURN]
    rows = TranscriptEntry.objects.filter(session__in=keys(batch), turn__status=Turn.Status.DONE)
    ordered = rows.order_by(*IN_ORDER, "position").values_list(*fields)
    return map(TranscriptUtterance._make, iterate_rows(ordered, CHUNK))


def finished_turns(batch: Sequence[ExportedSession]) -> Iterator[FinishedTurn]:
    rows = Turn.objects.filter(session__in=keys(batch), status=Turn.Status.DONE)
    ordered = rows.order_by(*IN_ORDER, "number").values_list(*FinishedTurn._fields)
    return map(FinishedTurn._make, ordered.iterator(chunk_size=CHUNK))


def conversations(
    batch: Sequence[ExportedSession],
) -> Iterator[tuple[ExportedSession, list[TranscriptUtterance], list[FinishedTurn]]]:
    said_by_session = by_session(batch, utterances(batch))
    turns_by_session = by_session(batch, finished_turns(batch))
    for (session, said), (_, turns) in zip(said_by_session, turns_by_session, strict=True):
        yield session, said, turns


class OpenQuestionTracker:
    """Follows which question is open while a transcript is read from its beginning."""

    def __init__(self) -> None:
        self.question = ""
        self.number: int | None = None

    def update(self, role: str, kind: str, question: str, number: int | None) -> None:
        if question and role == INTERVIEWER and kind not in BESIDE_THE_STUDY:
            if number is not None or question != self.question:
                self.number = number
            self.question = question


def reasons_of(turns: Iterable[FinishedTurn]) -> dict[int, str]:
    """Return why each turn went as it did, by its number."""
    return {turn.number: turn.decision.get("reason", "") for turn in turns}


def repeats(said: TranscriptUtterance, reasons: Mapping[int, str]) -> bool:
    """Return whether the open question is put again, perhaps in other words."""
    return said.role == INTERVIEWER and reasons.get(said.turn) in REPEATS
