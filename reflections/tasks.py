from celery import shared_task

from reflections import jobs
from reflections.calibration import calibrations


@shared_task(name=jobs.TASK)
def make_reflection(reflection_id: int) -> None:
    jobs.make(reflection_id)


@shared_task(name=calibrations.TASK)
def make_calibration(calibration_id: int) -> None:
    calibrations.make(calibration_id)
