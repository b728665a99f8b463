"""Go through the stages of a turn once, although `step` is called with every word of a model."""

from functools import lru_cache
from typing import Any

from interviews.engine.result import CallResults, PartialResults
from interviews.protocols.laddering import extraction
from interviews.protocols.laddering.context import LadderingContext
from interviews.protocols.laddering.decision import decide
from interviews.protocols.laddering.graph.states import Depth
from interviews.protocols.laddering.stages import EXTRACT_KEY, SIGNALS_KEY, SelectionStage
from llm.tasks.outcome import Outcome

FIRST = 2  # concepts of an answer that a guess goes by
KEPT = 32  # turns that run at the same time; one more only takes longer


class _Turn:
    """A turn's answer with its two results; equal only if they are the very same objects."""

    def __init__(
        self,
        ctx: LadderingContext,
        found: Outcome[Any] | None = None,
        signals: Outcome[Any] | None = None,
    ) -> None:
        self.ctx, self.found, self.signals = ctx, found, signals
        # the common rules make these anew each time
        made_anew = ("awaiting", "closed")
        state = (value for name, value in ctx.state if name not in made_anew)
        self._parts = (*state, ctx.received, ctx.material, found, signals)
        self._values = (ctx.state.closed, ctx.reading.intent, ctx.reading.care)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Turn):
            return False
        same = all(a is b for a, b in zip(self._parts, other._parts, strict=True))
        return same and self._values == other._values

    def __hash__(self) -> int:
        return hash((*map(id, self._parts), self._values))


def after_answer(ctx: LadderingContext, results: CallResults) -> SelectionStage:
    found, signals = results[EXTRACT_KEY], results[SIGNALS_KEY]
    return _decide(_Turn(ctx, found, signals))


def after_nothing(ctx: LadderingContext, results: CallResults) -> SelectionStage:
    """Continue after what is no answer; what was told besides is kept, unless it's off topic."""
    found = results.get(EXTRACT_KEY)
    kept = found and found.by_model and ctx.reading.intent != "off_topic"
    return _decide(_Turn(ctx, found if kept else None))


def guess(
    ctx: LadderingContext, results: CallResults, partials: PartialResults
) -> SelectionStage | None:
    """Return the choice that the first concepts of an answer lead to; None while it isn't known.

    The first one is what the answer arrives at, so the question is mostly about it, and the second
    one mostly leads to it. More of them would only begin the question anew. The choice stays while
    the rest of the answer is read, or its question would be asked for twice.
    """
    depth, found = extraction.depth_of(results, partials), partials.get(EXTRACT_KEY, {})
    concepts = found.get("concepts")
    concepts = concepts if isinstance(concepts, list) else []
    whole = concepts if "relations" in found else concepts[:-1]  # the last may still grow
    if depth is None or not whole or {EXTRACT_KEY, SIGNALS_KEY} <= results.keys():
        return None
    return _guess(_Turn(ctx), tuple(map(str, whole[:FIRST])), depth)


@lru_cache(maxsize=KEPT)
def _decide(turn: _Turn) -> SelectionStage:
    return decide(extraction.read(turn.ctx, turn.found, turn.signals))


@lru_cache(maxsize=KEPT)
def _guess(turn: _Turn, lines: tuple[str, ...], depth: Depth) -> SelectionStage:
    return decide(extraction.read_first(turn.ctx, lines, depth))
