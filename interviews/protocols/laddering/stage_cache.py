"""The stages of a turn are gone through once, although `step` is called with every word that a
model writes; those over the graph at hand too."""

from functools import lru_cache
from typing import Any

from interviews.engine.result import CallResults
from interviews.protocols.laddering import extraction
from interviews.protocols.laddering.context import LadderingContext
from interviews.protocols.laddering.decision import decided
from interviews.protocols.laddering.graph.states import Depth
from interviews.protocols.laddering.speculation import foreseen
from interviews.protocols.laddering.stages import ContinuationStage, LoadedStage, SelectionStage
from llm.tasks.outcome import Outcome

KEPT = 32  # turns that are led at the same time; one more only takes longer


class _Turn:
    """A turn's answer with its two readings; the same only if they are the very same objects."""

    def __init__(
        self,
        ctx: LadderingContext,
        found: Outcome[Any] | None = None,
        heard: Outcome[Any] | None = None,
    ) -> None:
        self.ctx, self.found, self.heard = ctx, found, heard
        # a question of the common rules that waits for an answer makes the state anew each time
        state = (value for name, value in ctx.state if name != "awaiting")
        self._parts = (*state, ctx.received, ctx.material, found, heard)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Turn):
            return False
        return all(a is b for a, b in zip(self._parts, other._parts, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(map(id, self._parts)))


def after_answer(ctx: LadderingContext, results: CallResults) -> ContinuationStage:
    """Stages 1 to 7 for an answer of which both readings are there."""
    return _stages(_Turn(ctx, results[extraction.FOUND], results[extraction.HEARD]))


def after_nothing(ctx: LadderingContext) -> ContinuationStage:
    """The same for what tells nothing."""
    return _stages(_Turn(ctx))


def before_reading(ctx: LadderingContext, depth: Depth | None) -> SelectionStage | None:
    """The choice for an answer that gives so much; None where it has to wait for the readings."""
    return None if depth is None else _foreseen(_Turn(ctx), depth)


@lru_cache(maxsize=KEPT)
def _stages(turn: _Turn) -> ContinuationStage:
    if turn.found is None or turn.heard is None:
        return decided(extraction.nothing_read(_loaded(turn)))
    read = extraction.read(_loaded(turn), turn.found, turn.heard)
    depth = extraction.depth_of({extraction.HEARD: turn.heard}, {})
    return decided(read, before_reading(turn.ctx, depth))


@lru_cache(maxsize=KEPT)
def _foreseen(turn: _Turn, depth: Depth) -> SelectionStage | None:
    return foreseen(_loaded(turn), depth)


def _loaded(turn: _Turn) -> LoadedStage:
    return LoadedStage(turn.ctx, turn.ctx.state.talk.turn + 1)
