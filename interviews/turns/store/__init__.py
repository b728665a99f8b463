"""The transactions of a turn: recorded, claimed, loaded, committed. Never around a model.

Every claim is a conditional update whose row count tells who won.
"""

from interviews.models.updates import Conflict
from interviews.turns.store.commit_turn import TurnTrace, commit
from interviews.turns.store.lease import ClaimedTurn, reclaim, release, renew
from interviews.turns.store.load_turn import context_of, load, plan_content, stored_state
from interviews.turns.store.record_answer import begin, paused, record, resumed

__all__ = [
    "ClaimedTurn",
    "Conflict",
    "TurnTrace",
    "begin",
    "commit",
    "context_of",
    "load",
    "paused",
    "plan_content",
    "reclaim",
    "record",
    "release",
    "renew",
    "resumed",
    "stored_state",
]
