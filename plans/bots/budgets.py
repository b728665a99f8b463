"""Who pays for what models do for a bot, and whether anything is left today."""

from llm.costs.budgets import DailyBudget, daily_budgets, daily_refusal_reason
from llm.routing.routes import has_model
from llm.tasks.call_context import Budget
from plans.jobs import RetryLater
from plans.models import Bot


def budget_of(bot: Bot) -> Budget:
    """Pays for calls on the bot's behalf."""
    return Budget(account=str(bot.pk), day_most=bot.day_budget)


def wait_for_budget(bot: Bot | None) -> None:
    """Raises RetryLater where there is a model, and nothing left to pay it with today."""
    budget = budget_of(bot) if bot else Budget()
    spent = daily_refusal_reason(budget) if has_model() else ""
    if spent:
        raise RetryLater(f"It waits: {spent}.")


def without_a_model(bot: Bot) -> bool:
    """Whether the day's money is spent, so that interviews go on by rules."""
    return has_model() and bool(daily_refusal_reason(budget_of(bot)))


def budgets_of(bot: Bot) -> list[DailyBudget]:
    """How the day's budgets stand that hold for the bot, its own first."""
    return daily_budgets(budget_of(bot))
