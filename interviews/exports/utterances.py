"""What was said in a batch of interviews, and the turns in which it was said. Streamed.

Only what a finished turn has brought: an answer that the interviewer is still thinking about is
left out with its turn, and comes with the next export.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from interviews.choices import SpeakerRole
from interviews.exports.database_cursor import rows_of
from interviews.exports.sessions import ExportedSession, by_session, keys
from interviews.models import TranscriptEntry, Turn

INTERVIEWER = str(SpeakerRole.INTERVIEWER)
CHUNK = 2000  # rows fetched at once
IN_ORDER = ("session__started_at", "session_id")
T = TypeVar("T")


class TranscriptUtterance(NamedTuple):
    """One entry of a transcript, as stored."""

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


class TurnMade(NamedTuple):
    """One finished turn."""

    session_id: UUID
    number: int
    trigger: str
    decision: dict[str, Any]
    source: str
    first_word_ms: int | None
    total_ms: int | None
    spoken_at: datetime


def utterances(batch: Sequence[ExportedSession]) -> Iterator[TranscriptUtterance]:
    """All that was said, session by session, in order."""
    fields = [*TranscriptUtterance._fields[:-2], "turn__number", "turn__source"]
    rows = TranscriptEntry.objects.filter(session__in=keys(batch), turn__status=Turn.Status.DONE)
    return map(
        _maker(TranscriptUtterance),
        rows_of(rows.order_by(*IN_ORDER, "position").values_list(*fields), CHUNK),
    )


def turns_made(batch: Sequence[ExportedSession]) -> Iterator[TurnMade]:
    """All finished turns, session by session, in order."""
    rows = Turn.objects.filter(session__in=keys(batch), status=Turn.Status.DONE)
    ordered = rows.order_by(*IN_ORDER, "number").values_list(*TurnMade._fields)
    return map(_maker(TurnMade), ordered.iterator(chunk_size=CHUNK))


def conversations(
    batch: Sequence[ExportedSession],
) -> Iterator[tuple[ExportedSession, list[TranscriptUtterance], list[TurnMade]]]:
    """Each interview of the batch with all that was said and all its turns."""
    made = by_session(batch, turns_made(batch))
    for (session, said), (_, turns) in zip(by_session(batch, utterances(batch)), made, strict=True):
        yield session, said, turns


def _maker(kind: type[T]) -> Callable[[Any], T]:
    return kind._make  # type: ignore[attr-defined,no-any-return]  # both are named tuples


class OpenQuestionTracker:
    """Follows which question is open while a transcript is read from its beginning."""

    def __init__(self) -> None:
        self.question = ""
        self.number: int | None = None

    def hear(self, said: TranscriptUtterance) -> None:
        """One more utterance; a question of the interviewer's opens it."""
        if said.question and said.role == INTERVIEWER:
            if said.question != self.question:
                self.number = None
            self.question = said.question
            self.number = said.number if said.number is not None else self.number


def words(text: str) -> int:
    """How many, separated by white space."""
    return len(text.split())
