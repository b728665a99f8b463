"""A script as the participant will meet it."""

from collections.abc import Collection, Iterable
from itertools import count
from typing import Any

from plans.models import Question, Script

SAMPLE_NAME = "Alex"


def preview(script: Script, excluded: Collection[str] = ()) -> dict[str, Any]:
    """Return the script's sections that have questions, numbered throughout, for templates."""
    sections = script.sections.exclude(key__in=excluded).prefetch_related("questions")
    parts = [(section, rows) for section in sections if (rows := section.questions.all())]
    numbers = count(1)
    return {
        "script": script,
        "intro": script.intro.replace("{participant_name}", SAMPLE_NAME),
        "outro": script.outro.replace("{participant_name}", SAMPLE_NAME),
        "parts": [
            {
                "section": section,
                "asked": [(next(numbers), row, time_for([row])) for row in rows],
                "time": time_for(rows),
            }
            for section, rows in parts
        ],
        "questions": sum(len(rows) for _, rows in parts),
        "time": time_for(row for _, rows in parts for row in rows),
    }


def time_for(questions: Iterable[Question]) -> str:
    return spoken_time(sum(question.block_seconds for question in questions))


def spoken_time(seconds: int) -> str:
    """Return the time in hours and minutes, rounded up."""
    hours, rest = divmod(-(-seconds // 60), 60)
    if not hours:
        return f"{rest} min"
    return f"{hours} h {rest} min" if rest else f"{hours} h"
