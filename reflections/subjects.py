"""On whose behalf models are asked after an interview."""

from interviews.budgets import purse_afterwards
from interviews.models import Session
from interviews.store import plan_content
from llm.subject import Subject


def subject_of(session: Session) -> Subject:
    """The interview, with the models that its plan names."""
    models = plan_content(session.plan_id).models
    purse = purse_afterwards(session)
    return Subject(str(session.pk), bot=str(session.bot_id), models=models, purse=purse)
