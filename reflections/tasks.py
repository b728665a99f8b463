"""Celery's door to the after-work."""

from celery import shared_task

from reflections import work


@shared_task
def make_reflection(reflection_id: int) -> None:
    """Makes one product."""
    work.make(reflection_id)
