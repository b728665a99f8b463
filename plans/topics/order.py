from collections.abc import Iterable, Sequence
from typing import TypeVar

from django.db.models import Max

from plans.models import SubGoal, Topic

Row = TypeVar("Row")


def add_sub_goals(topic: Topic, texts: Iterable[str]) -> None:
    known = set(topic.sub_goals.values_list("text", flat=True))
    last = topic.sub_goals.aggregate(last=Max("position"))["last"]
    first = 0 if last is None else last + 1
    new = (text for text in dict.fromkeys(texts) if text not in known)
    for position, text in enumerate(new, first):
        SubGoal.objects.create(topic=topic, text=text, position=position)


def previous_and_next(row: Row, rows: Sequence[Row]) -> tuple[Row | None, Row | None]:
    index = rows.index(row)
    before = rows[index - 1] if index else None
    return before, rows[index + 1] if index + 1 < len(rows) else None
