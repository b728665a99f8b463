"""Who pays for what models do for a bot, and whether anything is left today."""

from llm.budgets import Budget, refusal_of_day, today
from llm.routes import has_model
from llm.subject import Purse
from plans.jobs import NotNow
from plans.models import Bot


def purse_of(bot: Bot) -> Purse:
    """Pays for calls on the bot's behalf."""
    return Purse(account=str(bot.pk), day_most=bot.day_budget)


def wait_for_budget(bot: Bot | None) -> None:
    """Raises NotNow where there is a model, and nothing left to pay it with today."""
    purse = purse_of(bot) if bot else Purse()
    spent = refusal_of_day(purse) if has_model() else ""
    if spent:
        raise NotNow(f"It waits: {spent}.")


def without_a_model(bot: Bot) -> bool:
    """Whether the day's money is spent, so that interviews go on by rules."""
    return has_model() and bool(refusal_of_day(purse_of(bot)))


def budgets_of(bot: Bot) -> list[Budget]:
    """How the day's budgets stand that hold for the bot, its own first."""
    return today(purse_of(bot))
