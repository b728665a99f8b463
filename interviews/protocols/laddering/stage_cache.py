"""Go through the stages of a turn once, although `step` is called with every word of a model."""

from functools import lru_cache
from typing import Any

from interviews.engine.result import CallResults
from interviews.protocols.laddering import extraction
from interviews.protocols.laddering.context import LadderingContext
from interviews.protocols.laddering.decision import decide
from interviews.protocols.laddering.graph.states import Depth
from interviews.protocols.laddering.speculation import speculate
from interviews.protocols.laddering.stages import LoadedStage, SelectionStage
from llm.tasks.outcome import Outcome

KEPT = 32  # turns that run at the same time; one more only takes longer


class _Turn:
    """A turn's answer with its two results; equal only if they are the very same objects."""

    def __init__(
        self,
        ctx: LadderingContext,
        found: Outcome[Any] | None = None,
        signals: Outcome[Any] | None = None,
    ) -> None:
        self.loaded = LoadedStage(ctx, ctx.state.talk.turn + 1)
        self.found, self.signals = found, signals
        # a question of the common rules that waits for an answer makes the state anew each time
        state = (value for name, value in ctx.state if name != "awaiting")
        self._parts = (*state, ctx.received, ctx.material, found, signals)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Turn):
            return False
        return all(a is b for a, b in zip(self._parts, other._parts, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(map(id, self._parts)))


def after_answer(ctx: LadderingContext, results: CallResults) -> SelectionStage:
    found, signals = results[extraction.EXTRACT_KEY], results[extraction.SIGNALS_KEY]
    return _decide(_Turn(ctx, found, signals))


def after_nothing(ctx: LadderingContext) -> SelectionStage:
    return _decide(_Turn(ctx))


def before_reading(ctx: LadderingContext, depth: Depth | None) -> SelectionStage | None:
    """Return the choice for an answer that gives so much; None where it has to be read first."""
    return None if depth is None else _speculate(_Turn(ctx), depth)


@lru_cache(maxsize=KEPT)
def _decide(turn: _Turn) -> SelectionStage:
    if turn.found is None or turn.signals is None:
        return decide(extraction.read_nothing(turn.loaded))
    read = extraction.read(turn.loaded, turn.found, turn.signals)
    depth = extraction.depth_of({extraction.SIGNALS_KEY: turn.signals}, {})
    return decide(read, before_reading(turn.loaded.ctx, depth))


@lru_cache(maxsize=KEPT)
def _speculate(turn: _Turn, depth: Depth) -> SelectionStage | None:
    return speculate(turn.loaded, depth)
