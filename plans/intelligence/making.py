"""How intelligence is made in the background: one call to a model for all topics of a bot."""

import asyncio
from typing import Any

from django.utils import timezone

from llm.budgets import hindrance
from llm.gateway import ask
from llm.outcome import Outcome, Source
from llm.subject import Subject
from plans.budgets import purse_of, wait_for_budget
from plans.intelligence.asking import PREPARE, Prepared, PrepareInput, about, kept
from plans.jobs import NotMade, NotWanted, Workshop
from plans.kinds import rests_on
from plans.models import Bot, Intelligence


def _made(row: Intelligence) -> dict[str, Any]:
    """The fields of a finished row."""
    bot = row.bot
    if rests_on(bot) != row.signature:
        raise NotWanted
    wait_for_budget(bot)
    data = about(bot)
    outcome = asyncio.run(_asked(data, bot))
    content = kept(outcome.value, {topic.key for topic in data.topics})
    if outcome.source is Source.FALLBACK or not content:
        raise NotMade(outcome.reason or "The model's answer held nothing for any topic.")
    return {
        "content": content,
        "edited": False,
        "reason": _left_out(data, content),
        "updated_at": timezone.now(),
    }


async def _asked(data: PrepareInput, bot: Bot) -> Outcome[Prepared]:
    subject = Subject(bot=str(bot.pk), models=bot.model_overrides, purse=purse_of(bot))
    return await ask(PREPARE, data, subject)


def _left_out(data: PrepareInput, content: dict[str, Any]) -> str:
    missing = [topic.label for topic in data.topics if topic.key not in content]
    return f"The model gave nothing for: {', '.join(missing)}." if missing else ""


def _queue(pk: int) -> None:
    from plans.tasks import make_intelligence  # Celery's door imports this module

    make_intelligence.delay(pk)


_workshop = Workshop(Intelligence, _made, _queue, hindrance)
make = _workshop.run
sweep = _workshop.sweep
hand_out = _workshop.hand_out
