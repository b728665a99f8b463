"""Celery's door to what is prepared ahead."""

from celery import shared_task

from plans.intelligence import making


@shared_task
def make_intelligence(intelligence_id: int) -> None:
    """Makes the intelligence of one bot."""
    making.make(intelligence_id)
