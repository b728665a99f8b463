"""After-work: claimed, made, stored once; found again when its process has died."""

from functools import partial
from typing import Any

from django.db import transaction

from plans.jobs import Job, Workshop
from reflections import transfers
from reflections.models import Judgement, Reflection
from reflections.reports import OWN_SUMMARY, report, summary_for_candidate
from reflections.reviews import review_of
from reflections.summaries import plain_summary

MAKERS = {  # name -> Session -> content
    "summary": plain_summary,
    "report": report,
    OWN_SUMMARY: summary_for_candidate,
    transfers.SUMMARY: transfers.transfer_summary,
    transfers.PACKAGE: transfers.onboarding_package,
    transfers.CONTEXT: transfers.qa_context,
}
FOLLOWING = {transfers.SUMMARY: transfers.AFTER_SUMMARY}  # name -> what is made after it


def _made(reflection: Reflection) -> dict[str, Any]:
    return {"content": MAKERS[reflection.name](reflection.session)}


def _follow(reflection: Reflection) -> None:
    """Wishes for what follows from it, anew where it is there already."""
    for name in FOLLOWING.get(reflection.name, ()):
        made, new = Reflection.objects.get_or_create(session_id=reflection.session_id, name=name)
        if new or _freed(made):
            transaction.on_commit(partial(hand_out, made.pk))


def _freed(reflection: Reflection) -> bool:
    """Whether it is to be made again: not while a person's judgement rests on it.

    Whoever makes it now makes it from what was there before, and loses the claim.
    """
    Reflection.objects.select_for_update().get(pk=reflection.pk)
    if review_of(reflection).state != Judgement.State.DRAFT:
        return False
    anew = {"status": Job.Status.PENDING, "reason": "", "attempts": 0}
    free = {"claim": None, "claimed_until": None}
    return bool(Reflection.objects.filter(pk=reflection.pk).update(**anew, **free))


def _queue(reflection_id: int) -> None:
    from reflections.tasks import make_reflection  # Celery's door imports this module

    make_reflection.delay(reflection_id)


_workshop = Workshop(Reflection, _made, _queue, after=_follow)
make = _workshop.run
sweep = _workshop.sweep
hand_out = _workshop.hand_out
