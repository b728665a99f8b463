"""The transactions of a turn: recorded, claimed, loaded, committed. Never around a model.

Every claim is a conditional update whose row count tells who won.
"""

from interviews.store.claims import Claimed, reclaim, release, renew
from interviews.store.committing import Trace, commit
from interviews.store.loading import load, now_of, plan_content
from interviews.store.recording import begin, paused, record, resumed
from interviews.store.rows import Conflict

__all__ = [
    "Claimed",
    "Conflict",
    "Trace",
    "begin",
    "commit",
    "load",
    "now_of",
    "paused",
    "plan_content",
    "reclaim",
    "record",
    "release",
    "renew",
    "resumed",
]
