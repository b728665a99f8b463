"""Preparing a knowledge transfer: documents, what they say, and a backlog drafted from them.

Without a model, documents are still read, and people write the backlog.
"""

from plans.protocols.knowledge_transfer.analysis.requests import (
    DocumentRejected,
    add_file,
    add_text,
    remove_document,
    request_new_context,
    request_new_dive,
    write_dive,
    write_summary,
)
from plans.protocols.knowledge_transfer.analysis.sources import sources_for
from plans.protocols.knowledge_transfer.analysis.status import Progress, is_stale, progress

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
