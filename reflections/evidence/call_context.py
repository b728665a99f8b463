"""Who model calls are made for after an interview."""

from interviews.models import Session
from interviews.turns.budgets import budget_afterwards
from interviews.turns.store import plan_content
from llm.tasks.call_context import CallContext


def call_context_for(session: Session) -> CallContext:
    models = plan_content(session.plan_id).models
    budget = budget_afterwards(session)
    return CallContext(str(session.pk), bot=str(session.bot_id), models=models, budget=budget)
