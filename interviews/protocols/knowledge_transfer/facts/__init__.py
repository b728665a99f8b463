"""Changes to facts: edit their words, merge several into one, undo a merge, remove them.

They never change an interview's state, nor what its replay depends on.
"""

from interviews.protocols.knowledge_transfer.facts.checks import (
    FactError,
    Invalid,
    Stale,
    check_mergeable,
    version,
)
from interviews.protocols.knowledge_transfer.facts.edit import MAX_LENGTH, restore_original, write
from interviews.protocols.knowledge_transfer.facts.merge import merge, remove, unmerge

__all__ = [
    "MAX_LENGTH",
    "FactError",
    "Invalid",
    "Stale",
    "check_mergeable",
    "merge",
    "remove",
    "restore_original",
    "unmerge",
    "version",
    "write",
]
