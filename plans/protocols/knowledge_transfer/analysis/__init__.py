"""Preparing a knowledge transfer: documents, what they say, and a backlog drafted from them.

    uploads            a file or text becomes a document
    document_parts     a document's file is read into parts, once
    deep_dive          what a model finds in a document, chunk by chunk
    document_job       the background job for a document: read it, then look into it
    drafts             the summary and questions that a model drafts from all documents
    usable_questions   which drafted questions are usable, and their sources
    backlog_merge      usable questions become rows of the backlog
    context_job        the background job for all documents: draft, then merge
    sources            where in the documents a question comes from
    requests           what people do to documents and the summary
    status             progress, signatures and locks

Without a model, documents are still read, and people write the backlog.
"""

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
    "remove_document",
    "request_new_context",
    "request_new_dive",
    "sources_for",
    "write_dive",
    "write_summary",
]
