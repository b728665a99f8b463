"""A script as the participant will meet it, in figures, and as a copy."""

from collections.abc import Collection, Iterable
from itertools import count
from typing import Any

from django.db import transaction

from plans.models import Question, Script
from plans.models.copies import clone, copy_name
from plans.protocols import protocol_of
from plans.similarity import similar_pairs

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


def script_summary(script: Script) -> dict[str, Any]:
    """Return what a script holds, its bots, and how the protocols of these interpret it."""
    sections = list(script.sections.prefetch_related("questions"))
    questions = [question for section in sections for question in section.questions.all()]
    bots = list(script.bots.all())
    notes = (protocol_of(bot).scripts_mean for bot in bots)
    return {
        "sections": len(sections),
        "questions": len(questions),
        "time": time_for(questions),
        "bots": bots,
        "alike": similar_pairs(questions),
        "notes": list(dict.fromkeys(note for note in notes if note)),
    }


def script_copy_name(script: Script) -> str:
    taken = Script.objects.filter(language=script.language).values_list("name", flat=True)
    return copy_name(script.name[:180], taken)


@transaction.atomic
def duplicate_script(script: Script, name: str = "") -> Script:
    sections = list(script.sections.prefetch_related("questions"))
    copy = clone(script, name=name or script_copy_name(script))
    for section in sections:
        questions = list(section.questions.all())
        section_copy = clone(section, script=copy)
        for question in questions:
            clone(question, section=section_copy)
    return copy
