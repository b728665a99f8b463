from llm.costs.budgets import DailyBudget, refusal_of_day, today
from llm.routing.routes import has_model
from llm.tasks.call_context import Budget
from plans.jobs import RetryLater
from plans.models import Bot


def budget_of(bot: Bot) -> Budget:
    return Budget(account=str(bot.pk), day_most=bot.day_budget)


def wait_for_budget(bot: Bot | None) -> None:
    """Raise RetryLater if there is a model but no budget left for it today."""
    budget = budget_of(bot) if bot else Budget()
    if has_model() and (refusal := refusal_of_day(budget)):
        raise RetryLater(f"It waits: {refusal}.")


def is_day_budget_spent(bot: Bot) -> bool:
    """Return whether today's budget is spent, so that interviews continue without a model."""
    return has_model() and bool(refusal_of_day(budget_of(bot)))


def budgets_of(bot: Bot) -> list[DailyBudget]:
    return today(budget_of(bot))
