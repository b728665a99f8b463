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
from plans.protocols.topic_exploration.content import current_signature
from plans.protocols.topic_exploration.topic_guides.task import (
    PREPARE,
    Prepared,
    PrepareInput,
    prepare_input,
    usable_lists,
)

TASK = "plans.tasks.make_intelligence"


def _make(row: Intelligence) -> dict[str, Any]:
    bot = row.bot
    if current_signature(bot) != row.signature:
        raise Cancelled
    wait_for_budget(bot)
    data = prepare_input(bot)
    outcome = asyncio.run(_ask_model(data, bot))
    content = usable_lists(outcome.value, {topic.key for topic in data.topics})
    if outcome.source is Source.FALLBACK or not content:
        raise JobFailed(outcome.reason or "The model's answer held nothing for any topic.")
    return {
        "content": content,
        "edited": False,
        "reason": _missing_topics(data, content),
        "updated_at": timezone.now(),
    }


async def _ask_model(data: PrepareInput, bot: Bot) -> Outcome[Prepared]:
    subject = CallContext(bot=str(bot.pk), models=bot.model_overrides, budget=budget_of(bot))
    return await ask(PREPARE, data, subject)


def _missing_topics(data: PrepareInput, content: dict[str, Any]) -> str:
    missing = [topic.label for topic in data.topics if topic.key not in content]
    return f"The model gave nothing for: {', '.join(missing)}." if missing else ""


JOB = JobType(Intelligence, _make, celery_task(TASK), blocked_reason)
