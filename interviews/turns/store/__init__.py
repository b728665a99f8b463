"""A turn's transactions: record, claim, load, commit. None is open during a model call."""

from interviews.models.updates import Conflict
from interviews.turns.store.commit_turn import TurnTrace, commit
from interviews.turns.store.lease import ClaimedTurn, leased_until, reclaim, release, renew
from interviews.turns.store.load_turn import (
    NO_READING,
    UNREAD,
    context_of,
    load,
    plan_content,
    stored_state,
)
from interviews.turns.store.record_answer import begin, pause, record, resume
