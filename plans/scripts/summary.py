from typing import Any

from plans.models import Script
from plans.protocols import protocol_of
from plans.scripts.preview import time_for
from plans.similarity import similar_pairs


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
