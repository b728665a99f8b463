import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from llm.calls.log import save
from llm.costs.budgets import daily_refusal_reason
from llm.routing.routes import has_model
from llm.tasks.call_context import Budget, CallContext
from llm.tasks.records import CallRecord
from plans.jobs import RetryLater
from plans.models import Bot


def budget_of(bot: Bot) -> Budget:
    return Budget(account=str(bot.pk), day_most=bot.day_budget)


def call_context(bot: Bot, seconds: float | None = None) -> CallContext:
    """Return the context of calls for the bot outside interviews, which may take so long in all."""
    return CallContext(
        bot=str(bot.pk),
        models=bot.model_overrides,
        deadline=None if seconds is None else time.monotonic() + seconds,
        budget=budget_of(bot),
    )


@contextmanager
def study_calls(bot: Bot) -> Iterator[CallContext]:
    """Give the context of calls about many interviews, paid by the bot.

    They are logged without words: those of somebody who withdraws couldn't be found there.
    """
    records = list[CallRecord]()
    try:
        yield replace(call_context(bot), record=records.append)
    finally:
        save([replace(one, request={}, response="", error="") for one in records])


def wait_for_budget(bot: Bot | None) -> None:
    """Raise RetryLater if there is a model but no budget left for it today."""
    budget = budget_of(bot) if bot else Budget()
    if has_model() and (refusal := daily_refusal_reason(budget)):
        raise RetryLater(f"Waiting: {refusal}.")


def is_day_budget_spent(bot: Bot) -> bool:
    """Return whether today's budget is spent, so that interviews continue without a model."""
    return has_model() and bool(daily_refusal_reason(budget_of(bot)))
