"""What people make of facts.

    editing   other words, and the original ones again
    merging   several made one, taken apart again, removed
    checks    the errors, and what is looked at before anything is changed

What an interview's state and its replay rest on is never changed by any of it.
"""

from interviews.protocols.knowledge_transfer.facts.checks import (
    FactError,
    NotSo,
    Stale,
    check_together,
    version,
)
from interviews.protocols.knowledge_transfer.facts.edit import MOST_CHARACTERS, put_back, write
from interviews.protocols.knowledge_transfer.facts.merge import merge, remove, take_apart

__all__ = [
    "MOST_CHARACTERS",
    "FactError",
    "NotSo",
    "Stale",
    "check_together",
    "merge",
    "put_back",
    "remove",
    "take_apart",
    "version",
    "write",
]
