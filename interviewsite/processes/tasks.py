import asyncio

from celery import shared_task
from django.core.cache import cache

from interviews.turns import actions
from interviewsite.http.health import WORKER_SEEN, WORKER_SEEN_FOR
from interviewsite.processes.background import end_when_frozen, mark_swept, sweep_jobs


@shared_task(name="interviewsite.sweep")
def sweep() -> None:
    """Take up turns and jobs whose process has died, and leave a sign of life."""
    cache.set(WORKER_SEEN, True, WORKER_SEEN_FOR)
    sweep_jobs()
    mark_swept()
    asyncio.run(_sweep_turns())


async def _sweep_turns() -> None:
    watching = asyncio.create_task(end_when_frozen())
    await actions.sweep()
    watching.cancel()
