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

from plans.protocols.knowledge_transfer.analysis.backlog_merge import reconcile
from plans.protocols.knowledge_transfer.analysis.context_job import request_context
from plans.protocols.knowledge_transfer.analysis.requests import (
    remove_document,
    request_new_context,
    request_new_dive,
    write_dive,
    write_summary,
)
from plans.protocols.knowledge_transfer.analysis.sources import sources_for
from plans.protocols.knowledge_transfer.analysis.status import Progress, is_stale, progress
from plans.protocols.knowledge_transfer.analysis.uploads import DocumentRejected, add_file, add_text

__all__ = [
    "DocumentRejected",
    "Progress",
    "add_file",
    "add_text",
    "is_stale",
    "progress",
    "reconcile",
    "remove_document",
    "request_context",
    "request_new_context",
    "request_new_dive",
    "sources_for",
    "write_dive",
    "write_summary",
]
