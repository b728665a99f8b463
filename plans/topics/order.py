"""Topics of a bot and what stands beside them."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from django.db.models import Max

from plans.models import SubGoal, Topic

Row = TypeVar("Row")


def add_sub_goals(topic: Topic, texts: Iterable[str]) -> None:
    """New sub-goals at the end; what is there already is not added again."""
    known = set(topic.sub_goals.values_list("text", flat=True))
    last = topic.sub_goals.aggregate(last=Max("position"))["last"]
    place = -1 if last is None else last
    for text in dict.fromkeys(texts):
        if text not in known:
            place += 1
            SubGoal.objects.create(topic=topic, text=text, position=place)


def beside(row: Row, rows: Sequence[Row]) -> tuple[Row | None, Row | None]:
    """The rows before and after it."""
    place = rows.index(row)
    before = rows[place - 1] if place else None
    return before, rows[place + 1] if place + 1 < len(rows) else None
