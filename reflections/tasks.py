from celery import shared_task

from reflections import jobs
from reflections.calibration import calibrations
from reflections.coding import suggestions
from reflections.evaluation import runs
from reflections.themes import theme_suggestions, written


@shared_task(name=jobs.TASK)
def make_reflection(reflection_id: int) -> None:
    jobs.make(reflection_id)


@shared_task(name=calibrations.TASK)
def make_calibration(calibration_id: int) -> None:
    calibrations.make(calibration_id)


@shared_task(name=runs.TASK)
def simulate_interview(interview_id: int) -> None:
    runs.make(interview_id)


@shared_task(name=suggestions.TASK)
def suggest_codes(suggestions_id: int) -> None:
    suggestions.make(suggestions_id)


@shared_task(name=written.TASK)
def write_report(report_id: int) -> None:
    written.make(report_id)


@shared_task(name=theme_suggestions.TASK)
def suggest_themes(suggestions_id: int) -> None:
    theme_suggestions.make(suggestions_id)
