"""One row a note: what was learned, with the words that it comes from."""

from collections.abc import Iterator
from datetime import datetime
from operator import attrgetter
from typing import NamedTuple
from uuid import UUID

from interviews.exports.columns import Column, Table, Type
from interviews.exports.selection import Selection
from interviews.exports.sessions import SHARED, Facts, batches, by_session, keys, session_columns
from interviews.exports.utterances import CHUNK, IN_ORDER
from interviews.models import Note


class Kept(NamedTuple):
    """One note as stored."""

    session_id: UUID
    key: str
    text: str
    position: int
    at: datetime
    quote: str


class Learned(NamedTuple):
    """One note with its session."""

    session: Facts
    note: Kept


def rows(chosen: Selection) -> Iterator[Learned]:
    """Every note, in the order in which they were first taken."""
    fields = ("session_id", "key", "text", "entry__position", "entry__at", "entry__text")
    for batch in batches(chosen.with_content()):
        notes = Note.objects.filter(session__in=keys(batch)).order_by(*IN_ORDER, "id")
        kept = map(Kept._make, notes.values_list(*fields).iterator(chunk_size=CHUNK))
        for facts, of_session in by_session(batch, kept):
            yield from (Learned(facts, note) for note in of_session)


NOTES: Table[Learned] = Table(
    "notes",
    "One row a note that the interviewer kept, as it stood at the end or stands now.",
    (
        *session_columns(),
        Column("key", Type.STRING, "What the note is about.", attrgetter("note.key")),
        Column("note", Type.STRING, "What was noted.", attrgetter("note.text")),
        Column(
            "position",
            Type.INTEGER,
            "Place in the transcript of the utterance that it comes from.",
            attrgetter("note.position"),
        ),
        Column("at", Type.DATETIME, "When that was said.", attrgetter("note.at")),
        Column("quote", Type.STRING, "That utterance, whole.", attrgetter("note.quote")),
    ),
    rows,
    shared=SHARED,
)
