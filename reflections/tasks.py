"""Celery's door to the after-work."""

from celery import shared_task

from reflections import calibrations, work


@shared_task
def make_reflection(reflection_id: int) -> None:
    """Makes one product."""
    work.make(reflection_id)


@shared_task
def make_calibration(calibration_id: int) -> None:
    """Makes one calibration of a replica."""
    calibrations.make(calibration_id)
