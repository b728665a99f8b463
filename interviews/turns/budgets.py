from decimal import Decimal

from interviews.models import Session
from llm.costs.budgets import session_cost
from llm.tasks.call_context import Budget
from plans.bots.budgets import budget_of


def budget_for_turn(session: Session) -> Budget:
    """Return what is left for the interview and of the bot's day. Settle it after the turn."""
    bot = session.bot
    budget = budget_of(bot) if bot else Budget()
    budget.owed = Decimal(0)
    if bot and bot.session_budget is not None:
        budget.left = max(Decimal(0), bot.session_budget - session_cost(str(session.pk)))
    return budget


def budget_afterwards(session: Session) -> Budget:
    """Return the budget for work on an ended interview, whose own budget no longer counts."""
    return budget_of(session.bot) if session.bot else Budget()
