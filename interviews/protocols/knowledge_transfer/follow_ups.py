"""Whether a follow-up comes: known as soon as the first fields of the extraction are."""

from collections.abc import Mapping
from typing import Any

from interviews.engine.language.sentences import single_spaced
from interviews.protocols.knowledge_transfer.context import (
    FOLLOW_UP,
    TransferContext,
    options_of,
    root_of,
    rounds_left,
)
from interviews.protocols.knowledge_transfer.tasks import word


def may_follow(ctx: TransferContext) -> bool:
    """Whether the open question's root has a follow-up left, and the interview a round."""
    state = ctx.state
    root = root_of(state, state.open)
    used = [i for i in state.items if i.origin == FOLLOW_UP and root_of(state, i).id == root.id]
    return len(used) < options_of(ctx).follow_ups and rounds_left(ctx, state) > 0


def comes(ctx: TransferContext, read: Mapping[str, Any]) -> bool | None:
    """Whether a follow-up comes, by an extraction as far as it is written; None: not certain yet.

    A high answer gets none, whatever else is written.
    """
    if not may_follow(ctx):
        return False
    match word(read.get("confidence")):
        case "high":
            return False
        case "medium" | "low" if "follow_up" in read:
            return _written(read)
    return None


def _written(read: Mapping[str, Any]) -> bool | None:
    """An empty text is no follow-up once the next field has begun."""
    text = read["follow_up"]
    if text is None:
        return False
    return True if single_spaced(str(text)) else (False if "facts" in read else None)
