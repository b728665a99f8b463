"""Facts: how they come from turns, and what people make of them.

    keeping   rows, in the transaction that commits their turn
    editing   other words, and the original ones again
    merging   several made one, taken apart again, removed
    checks    the errors, and what is looked at before anything is changed

What an interview's state and its replay rest on is never changed by any of it.
"""

from interviews.facts.checks import FactError, NotSo, Stale, check_together, version
from interviews.facts.editing import MOST_CHARACTERS, put_back, write
from interviews.facts.keeping import keep_facts
from interviews.facts.merging import merge, remove, take_apart

__all__ = [
    "MOST_CHARACTERS",
    "FactError",
    "NotSo",
    "Stale",
    "check_together",
    "keep_facts",
    "merge",
    "put_back",
    "remove",
    "take_apart",
    "version",
    "write",
]
