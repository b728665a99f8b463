"""The changes of a script, a bot or a file, and of their rows, as one list."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, Literal
from urllib.parse import quote

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import ForeignKey, Model, QuerySet

from plans.models import (
    BacklogQuestion,
    Bot,
    BotText,
    DataField,
    LadderFile,
    Question,
    Script,
    Section,
    SubGoal,
    Topic,
)
from plans.portability.differences import TONES, Difference, differences
from plans.portability.documents import ScriptDocument
from plans.portability.readable import comparable_source
from plans.portability.scripts import document_of
from plans.text import shorten

MOST_RECORDS = 1000  # of one kind of row, the latest
MOST_SAVES = 100
ONE_SAVE = timedelta(seconds=5)
HIDDEN_FIELDS = {"id", "created_at", "updated_at", "position"}


@dataclass
class HistorySave:
    at: datetime  # of the last change
    who: str
    entries: list["HistoryEntry"]

    @property
    def stamp(self) -> str:
        return quote(self.at.isoformat())

    @property
    def summary(self) -> str:
        kinds = Counter(entry.kind for entry in self.entries)
        return ", ".join(f"{count} {kind}" for kind, count in kinds.items())


@dataclass(frozen=True)
class HistoryEntry:
    at: datetime
    who: str
    kind: Literal["added", "changed", "moved", "removed"]
    subject: str
    changes: tuple[Difference, ...] = ()

    @property
    def tone(self) -> str:
        return TONES.get(self.kind, "")


def script_history(script: Script) -> list[HistorySave]:
    sections = Section.history.filter(script_id=script.pk)
    questions = Question.history.filter(section_id__in=sections.values("id"))
    return _timeline(
        (Script.history.filter(id=script.pk), "Script"),
        (sections, "Section"),
        (questions, "Question"),
    )


def bot_history(bot: Bot) -> list[HistorySave]:
    topics = Topic.history.filter(bot_id=bot.pk)
    return _timeline(
        (Bot.history.filter(id=bot.pk), "Bot"),
        (BotText.history.filter(bot_id=bot.pk), "Texts"),
        (topics, "Topic"),
        (SubGoal.history.filter(topic_id__in=topics.values("id")), "Sub-goal"),
        (DataField.history.filter(bot_id=bot.pk), "Contact data"),
        (BacklogQuestion.history.filter(bot_id=bot.pk), "Question"),
    )


def row_history(row: Model) -> list[HistorySave]:
    name = str(row._meta.verbose_name).capitalize()
    records = type(row).history.filter(id=row.pk)  # type: ignore[attr-defined]
    return _timeline((records, name))


def source_as_of(row: LadderFile, at: datetime) -> str | None:
    then = type(row).history.as_of(at).filter(id=row.pk).first()  # type: ignore[attr-defined]
    return then and str(then.source)


def script_as_of(script: Script, at: datetime) -> ScriptDocument | None:
    """Return the script as it was at that time, or None if it didn't exist."""
    then = Script.history.as_of(at).filter(id=script.pk).first()
    if then is None:
        return None
    sections = _sorted(Section.history.as_of(at).filter(script_id=script.pk))
    questions = Question.history.as_of(at)
    return document_of(then, ((s, _sorted(questions.filter(section_id=s.pk))) for s in sections))


def _sorted(rows: Iterable[Any]) -> list[Any]:
    return sorted(rows, key=lambda row: (row.position, row.pk))


def _timeline(*sources: tuple[QuerySet[Any], str]) -> list[HistorySave]:
    entries = [entry for records, name in sources for entry in _entries(records, name)]
    entries.sort(key=lambda entry: entry.at, reverse=True)
    return _saves(entries)[:MOST_SAVES]


def _saves(entries: Iterable[HistoryEntry]) -> list[HistorySave]:
    saves: list[HistorySave] = []
    earliest: datetime | None = None
    for entry in entries:
        if saves and earliest and saves[-1].who == entry.who and earliest - entry.at < ONE_SAVE:
            saves[-1].entries.insert(0, entry)
        else:
            saves.append(HistorySave(entry.at, entry.who, [entry]))
        earliest = entry.at
    for save in saves:
        save.entries = list(_merge_moves(save.entries))
    return saves


def _entries(records: QuerySet[Any], name: str) -> Iterator[HistoryEntry]:
    latest = records.select_related("history_user").order_by("-history_date", "-history_id")
    ordered = sorted(latest[:MOST_RECORDS], key=lambda r: (r.id, r.history_date, r.history_id))
    for _, versions in groupby(ordered, key=lambda record: record.id):
        before = None
        for record in versions:
            if entry := _entry(before, record, name):
                yield entry
            before = record


def _entry(before: Any, record: Any, name: str) -> HistoryEntry | None:
    who = str(record.history_user or "")
    subject = f"{name} “{shorten(_title(record), 80)}”"
    if record.history_type == "-":
        return HistoryEntry(record.history_date, who, "removed", subject)
    if before is None:
        added = record.history_type == "+"
        return HistoryEntry(record.history_date, who, "added", subject) if added else None
    changes = tuple(differences(_field_values(before), _field_values(record)))
    if changes:
        return HistoryEntry(record.history_date, who, "changed", subject, changes)
    moved = getattr(before, "position", 0) != getattr(record, "position", 0)
    return HistoryEntry(record.history_date, who, "moved", subject) if moved else None


def _title(record: Any) -> str:
    for name in ("text", "title", "label", "name", "language"):
        if value := getattr(record, name, ""):
            return str(value)
    return str(record.id)


def _field_values(record: Any) -> dict[str, Any]:
    if source := getattr(record, "source", ""):
        return comparable_source(source)
    fields = [f for f in record.tracked_fields if f.name not in HIDDEN_FIELDS]
    values = {
        str(f.verbose_name): _value(getattr(record, f.attname))
        for f in fields
        if not isinstance(f, ForeignKey)
    }
    values |= {f.name: _file_name(f, getattr(record, f.attname)) for f in fields if _is_file(f)}
    for field in getattr(record, "_history_m2m_fields", ()):
        rows = getattr(record, field.name).all()
        values[field.name] = [_linked_name(row, field.m2m_reverse_field_name()) for row in rows]
    return values


def _is_file(field: Any) -> bool:
    return isinstance(field, ForeignKey) and issubclass(field.related_model, LadderFile)


def _file_name(field: Any, key: int | None) -> str:
    row = field.related_model.objects.filter(pk=key).first() if key else None
    return str(row or "") if row or not key else f"{field.name} {key}, deleted since"


def _linked_name(row: Any, name: str) -> str:
    try:
        return str(getattr(row, name))
    except ObjectDoesNotExist:
        return f"{name} {getattr(row, f'{name}_id')}, deleted since"


def _value(value: Any) -> Any:
    return value if isinstance(value, str | dict | list | bool) else str(value or "")


def _merge_moves(entries: Iterable[HistoryEntry]) -> Iterator[HistoryEntry]:
    """Keep one move: a single drag changes the position of many rows."""
    moved = False
    for entry in entries:
        if entry.kind != "moved":
            yield entry
        elif not moved:
            yield replace(entry, subject="Order")
            moved = True
