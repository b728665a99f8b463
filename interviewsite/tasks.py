"""What Celery beat asks for."""

import asyncio

from celery import shared_task
from django.core.cache import cache

from interviews import turns
from interviews.invitations import reminding
from interviews.mail import work as mail
from interviewsite.health import WORKER_SEEN, WORKER_SEEN_FOR
from plans.intelligence import making
from plans.knowledge import contexts, documents
from reflections import calibrations, work


@shared_task(name="interviewsite.sweep")
def sweep() -> None:
    """Takes up turns and jobs whose process has died; leaves a sign of life."""
    cache.set(WORKER_SEEN, True, WORKER_SEEN_FOR)
    reminding.sweep()
    mail.sweep()
    work.sweep()
    making.sweep()
    documents.sweep()
    contexts.sweep()
    calibrations.sweep()
    asyncio.run(_turns())


async def _turns() -> None:
    await turns.sweep()
