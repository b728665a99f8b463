from collections.abc import Mapping

from interviews.engine.result import NewNote
from interviews.models import Note, Session, TranscriptEntry


def save_notes(session: Session, notes: Mapping[str, NewNote]) -> None:
    stored = dict(Note.objects.filter(session=session).values_list("key", "text"))
    gone = stored.keys() - notes.keys()
    if gone:
        Note.objects.filter(session=session, key__in=gone).delete()
    changed = {key: note for key, note in notes.items() if stored.get(key) != note.text}
    if changed:
        _write(session, changed)


def _write(session: Session, changed: Mapping[str, NewNote]) -> None:
    positions = {note.position for note in changed.values()}
    entries = TranscriptEntry.objects.filter(session=session, position__in=positions)
    entry_at = dict(entries.values_list("position", "id"))
    rows = [
        Note(session=session, key=key, text=note.text, entry_id=entry_at[note.position])
        for key, note in changed.items()
    ]
    Note.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["session", "key"],
        update_fields=["text", "entry"],
    )
