"""After-work: claimed, made, stored once; found again when its process has died."""

from typing import Any

from plans.jobs import Workshop
from reflections.models import Reflection
from reflections.reports import OWN_SUMMARY, report, summary_for_candidate
from reflections.summaries import plain_summary

MAKERS = {  # name -> Session -> content
    "summary": plain_summary,
    "report": report,
    OWN_SUMMARY: summary_for_candidate,
}


def _made(reflection: Reflection) -> dict[str, Any]:
    return {"content": MAKERS[reflection.name](reflection.session)}


def _queue(reflection_id: int) -> None:
    from reflections.tasks import make_reflection  # Celery's door imports this module

    make_reflection.delay(reflection_id)


_workshop = Workshop(Reflection, _made, _queue)
make = _workshop.run
sweep = _workshop.sweep
hand_out = _workshop.hand_out
