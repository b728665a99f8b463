"""What an interview's models may cost, by the bot as it is now."""

from decimal import Decimal

from interviews.models import Session
from llm.budgets import spent_by
from llm.subject import Purse
from plans.budgets import purse_of


def purse_for_turn(session: Session) -> Purse:
    """Pays for the calls of one turn: what is left for the interview, and of the bot's day.

    It is to be settled when the turn is over.
    """
    bot = session.bot
    purse = purse_of(bot) if bot else Purse()
    purse.owed = Decimal(0)
    if bot and bot.session_budget is not None:
        purse.left = max(Decimal(0), bot.session_budget - spent_by(str(session.pk)))
    return purse


def purse_afterwards(session: Session) -> Purse:
    """Pays for what is made of an interview: the interview's own budget is over."""
    return purse_of(session.bot) if session.bot else Purse()
