from collections.abc import Mapping
from typing import Any

from interviews.engine.language.sentences import single_spaced
from interviews.protocols.knowledge_transfer.context import (
    FOLLOW_UP,
    TransferContext,
    root_of,
    rounds_left,
)
from interviews.protocols.knowledge_transfer.tasks import lowercase


def may_follow_up(ctx: TransferContext) -> bool:
    state = ctx.state
    root = root_of(state, state.open)
    used = [i for i in state.items if i.origin == FOLLOW_UP and root_of(state, i).id == root.id]
    return len(used) < ctx.material.options.follow_ups and rounds_left(ctx, state) > 0


def follow_up_comes(ctx: TransferContext, read: Mapping[str, Any]) -> bool | None:
    """Return whether the extraction, as far as it is written, has a follow-up; None: not certain.

    A high answer gets none, whatever else is written.
    """
    if not may_follow_up(ctx):
        return False
    match lowercase(read.get("confidence")):
        case "high":
            return False
        case "medium" | "low" if "follow_up" in read:
            text = read["follow_up"]
            if text is None:
                return False
            if single_spaced(str(text)):
                return True
            return False if "facts" in read else None  # empty and followed by the next field
    return None
