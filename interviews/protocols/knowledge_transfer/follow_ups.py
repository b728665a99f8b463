from collections.abc import Mapping
from typing import Any

from interviews.engine.language.sentences import single_spaced
from interviews.protocols.knowledge_transfer.context import (
    FOLLOW_UP,
    TransferContext,
    is_closed,
    root_of,
    rounds_left,
    say,
)
from interviews.protocols.knowledge_transfer.tasks import lowercase


def may_follow_up(ctx: TransferContext) -> bool:
    state = ctx.state
    root = root_of(state, state.open)
    used = [i for i in state.items if i.origin == FOLLOW_UP and root_of(state, i).id == root.id]
    return len(used) < ctx.material.options.follow_ups and rounds_left(ctx, state) > 0


def follow_up_comes(ctx: TransferContext, read: Mapping[str, Any]) -> bool | None:
    """Return whether the extraction, as far as it is written, has a follow-up; None: not certain.

    A high answer gets none, nor does something hard, whatever else is written. Whoever doesn't
    know is asked who would.
    """
    if not may_follow_up(ctx) or ctx.reading.care != "none":
        return False
    if ctx.reading.intent == "dont_know":
        return True if _written(read) or "facts" in read else None
    match lowercase(read.get("confidence")):
        case "high":
            return False
        case "medium" | "low" if "follow_up" in read:
            if text := _written(read):
                return not is_closed(ctx, ctx.state, text)
            # empty text, until the next field follows
            return False if read["follow_up"] is None or "facts" in read else None
    return None


def follow_up_text(ctx: TransferContext, read: Mapping[str, Any]) -> str:
    if ctx.reading.intent != "dont_know":
        return _written(read)
    text = _written(read)
    return text if text and not is_closed(ctx, ctx.state, text) else who_knows(ctx)


def who_knows(ctx: TransferContext) -> str:
    return say(ctx.language, "who_knows", ctx.state.round)


def _written(read: Mapping[str, Any]) -> str:
    return single_spaced(str(read.get("follow_up") or ""))
