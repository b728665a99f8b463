"""Celery's door to what is prepared ahead."""

from celery import shared_task

from plans.intelligence import making
from plans.knowledge import contexts, documents


@shared_task
def make_intelligence(intelligence_id: int) -> None:
    """Makes the intelligence of one bot."""
    making.make(intelligence_id)


@shared_task
def make_document(document_id: int) -> None:
    """Reads one document and looks into it."""
    documents.make(document_id)


@shared_task
def make_context(context_id: int) -> None:
    """Makes what the documents of one bot say together."""
    contexts.make(context_id)
