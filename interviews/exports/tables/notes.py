from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, NamedTuple

from interviews.exports.columns import Table, columns_of
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches, by_session, keys
from interviews.exports.utterances import CHUNK, IN_ORDER
from interviews.models import Note


class NoteRow(NamedTuple):
    session: ExportedSession
    key: Annotated[str, "What the note is about."]
    note: Annotated[str, "What was noted."]
    position: Annotated[int, "Place in the transcript of the utterance that it comes from."]
    at: Annotated[datetime, "When that was said."]
    quote: Annotated[str, "That utterance, whole."]


def rows(selection: Selection) -> Iterator[NoteRow]:
    fields = ("session_id", "key", "text", "entry__position", "entry__at", "entry__text")
    for batch in batches(selection.with_content()):
        notes = Note.objects.filter(session__in=keys(batch)).order_by(*IN_ORDER, "id")
        stored = notes.values_list(*fields).iterator(chunk_size=CHUNK)
        for session, of_session in by_session(batch, stored):
            yield from (NoteRow(session, *note) for _, *note in of_session)


NOTES = Table(
    "notes",
    "One row a note that the interviewer kept, as it stood at the end or stands now.",
    columns_of(NoteRow),
    rows,
)
