"""How intelligence is made in the background: one call to a model for all topics of a bot."""

import asyncio
from typing import Any

from django.utils import timezone

from llm.costs.budgets import blocked_reason
from llm.gateway import ask
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import Outcome, Source
from plans.bots.budgets import budget_of, wait_for_budget
from plans.jobs import Cancelled, JobFailed, JobType, celery_task
from plans.models import Bot, Intelligence
from plans.protocols.topic_exploration.content import rests_on
from plans.protocols.topic_exploration.topic_guides.task import (
    PREPARE,
    Prepared,
    PrepareInput,
    about,
    kept,
)

TASK = "plans.tasks.make_intelligence"


def _made(row: Intelligence) -> dict[str, Any]:
    """The fields of a finished row."""
    bot = row.bot
    if rests_on(bot) != row.signature:
        raise Cancelled
    wait_for_budget(bot)
    data = about(bot)
    outcome = asyncio.run(_asked(data, bot))
    content = kept(outcome.value, {topic.key for topic in data.topics})
    if outcome.source is Source.FALLBACK or not content:
        raise JobFailed(outcome.reason or "The model's answer held nothing for any topic.")
    return {
        "content": content,
        "edited": False,
        "reason": _left_out(data, content),
        "updated_at": timezone.now(),
    }


async def _asked(data: PrepareInput, bot: Bot) -> Outcome[Prepared]:
    subject = CallContext(bot=str(bot.pk), models=bot.model_overrides, budget=budget_of(bot))
    return await ask(PREPARE, data, subject)


def _left_out(data: PrepareInput, content: dict[str, Any]) -> str:
    missing = [topic.label for topic in data.topics if topic.key not in content]
    return f"The model gave nothing for: {', '.join(missing)}." if missing else ""


JOB = JobType(Intelligence, _made, celery_task(TASK), blocked_reason)
