"""What a knowledge transfer is prepared by: documents, what they say, and the backlog drafted.

    file or text -> adding -> reading -> diving -> (all documents) drafting -> reconciling

    adding       documents are taken in
    reading      from a file to its parts, once
    diving       what a model finds in a document, chunk by chunk; its own sentences without one
    documents    documents as jobs
    drafting     what a model makes of all documents: summary and questions
    questions    which of the questions are usable, and where they come from
    reconciling  those become rows of the backlog
    contexts     project contexts as jobs
    sources      where in the documents a question comes from
    wishes       what people do to all of it
    state        how far it is

A bot is whole without any model: then documents are read, and people write the backlog.
"""

from plans.knowledge.adding import NotAdded, add_file, add_text
from plans.knowledge.contexts import wish_context
from plans.knowledge.reconciling import reconcile
from plans.knowledge.sources import sources_for
from plans.knowledge.state import Progress, is_stale, progress
from plans.knowledge.wishes import (
    context_again,
    dive_again,
    remove_document,
    write_dive,
    write_summary,
)

__all__ = [
    "NotAdded",
    "Progress",
    "add_file",
    "add_text",
    "context_again",
    "dive_again",
    "is_stale",
    "progress",
    "reconcile",
    "remove_document",
    "sources_for",
    "wish_context",
    "write_dive",
    "write_summary",
]
