import asyncio

from celery import shared_task
from django.core.cache import cache

from interviews.recruitment.invitations import reminders
from interviews.recruitment.mail import jobs as mail
from interviews.turns import actions
from interviewsite.http.health import WORKER_SEEN, WORKER_SEEN_FOR
from interviewsite.processes.background import mark_swept
from plans.protocols import job_types
from reflections import jobs
from reflections.calibration import calibrations


@shared_task(name="interviewsite.sweep")
def sweep() -> None:
    """Take up turns and jobs whose process has died, and leave a sign of life."""
    cache.set(WORKER_SEEN, True, WORKER_SEEN_FOR)
    reminders.sweep()
    mail.sweep()
    jobs.sweep()
    for job_type in job_types().values():
        job_type.sweep()
    calibrations.sweep()
    mark_swept()
    asyncio.run(actions.sweep())
