"""Why a question is asked: for its prompt, and (stage 10) for those who follow the interview."""

from collections.abc import Iterable
from typing import Any

from interviews.protocols.laddering.context import shortened, strategy_of
from interviews.protocols.laddering.graph.types import ExtractedConcept, RejectedPart
from interviews.protocols.laddering.signals.base import SIGNALS, Value, Values
from interviews.protocols.laddering.stages import ContinuationStage, SelectionStage
from interviews.protocols.laddering.strategy_choice.choice import ScoredPair
from interviews.protocols.laddering.strategy_choice.weights import Contribution
from interviews.protocols.laddering.tasks import ActiveSignal
from plans.protocols.laddering.schema.methodology import Focus

MOST_REASONS = 6
MOST_SHOWN = 100  # nodes with their exhaustion, refused parts
SHORT = 80  # characters
PREFERS: dict[Focus, str] = {
    "any": "",
    "newest": "it came up last",
    "orphan": "it is tied to nothing",
    "current": "the talk is about it",
    "shallow_chain": "its chain is short",
    "uncovered": "nobody has spoken of it",
}


def focus_text(context: SelectionStage, focus: str) -> str:
    """The words of a candidate; empty for none."""
    return next((one.text for one in context.moment.candidates if one.id == focus), "")


def seen(context: SelectionStage, focus: str) -> Values:
    """All signals of the talk and of one candidate, as they are told."""
    return {**context.detected.talk, **context.detected.nodes.get(focus, {})}


def active(context: SelectionStage, pair: ScoredPair) -> list[ActiveSignal]:
    """The signals that this methodology looks at, with their values and meanings."""
    values = seen(context, pair.candidate)
    return [
        ActiveSignal(name=name, value=_told(values[name]), meaning=SIGNALS[name].description)
        for name in context.moment.methodology.signals
        if name in values and name in SIGNALS
    ]


def reasons(context: SelectionStage, pair: ScoredPair) -> list[str]:
    """What speaks for a pair, the weightiest first."""
    strategy = strategy_of(context.moment.methodology, pair.strategy)
    liked = PREFERS[strategy.focus_preference] if strategy and pair.bonus else ""
    parts = sorted(pair.contributions, key=lambda one: -abs(one.points))
    said = [_reason(one) for one in parts if one.points][:MOST_REASONS]
    return [f"{liked} ({pair.bonus:+.1f})", *said] if liked else said


def why(context: SelectionStage, pair: ScoredPair) -> str:
    """The same in one line, with its score."""
    strategy = strategy_of(context.moment.methodology, pair.strategy)
    name = strategy.name if strategy else pair.strategy
    focus = focus_text(context, pair.candidate)
    about = f" at “{shortened(focus, SHORT)}”" if focus else ""
    phase = f"; x {pair.phase_weight:g} in this phase" if pair.phase_weight != 1 else ""
    because = "; ".join(reasons(context, pair)) or "nothing speaks for anything else"
    return f"{name}{about}, {pair.score:.2f}: {because}{phase}"


def details(
    context: ContinuationStage, asked: ScoredPair | None, focus: str = ""
) -> dict[str, Any]:
    """What is kept of the turn: signals, scores, the choice, graph, coverage.

    `asked` is the pair that was asked in the end, which need not be the chosen one; None at an end.
    `focus` is what its candidate has become in the kept graph. What was chosen before the answer
    was read tells its candidate too (`meant`), since signals and scores are told by that.
    """
    chosen = asked or context.choice.chosen
    return {
        "strategy": chosen.strategy if asked else "",
        "focus": focus,
        **({"at_hand": True, "meant": chosen.candidate} if context.at_hand and asked else {}),
        "why": why(context, chosen) if asked else "",
        "chosen": [context.choice.chosen.strategy, context.choice.chosen.candidate],
        "read_by": dict(context.read_by),
        "depth": context.reading.depth,
        "unchanged": context.unchanged,
        "graph": _graph(context),
        "coverage": {one.element: round(one.depth_score, 3) for one in context.metrics.coverage},
        "exhausted": [name for name, one in context.states.items() if one.exhausted],
        "exhaustion": _exhaustion(context),
        "signals": {
            name: _rounded(value) for name, value in seen(context, chosen.candidate).items()
        },
        "table": [_row(pair) for pair in context.choice.table],
        "considered": context.choice.considered,
    }


def _graph(context: ContinuationStage) -> dict[str, Any]:
    """What the answer did to it."""
    change = context.change
    refused = [_refused(one) for one in change.refused[:MOST_SHOWN]]
    return {
        "nodes": context.metrics.node_count,
        "edges": context.metrics.edge_count,
        "added": list(change.added),
        "merged": list(change.merged),
        "tied": [list(edge.key) for edge in change.tied],
        "refused": refused,
        "left_out": context.left_out,
    }


def _refused(one: RejectedPart) -> dict[str, str]:
    what = one.what
    concept = isinstance(what, ExtractedConcept)
    said = what.text if isinstance(what, ExtractedConcept) else f"{what.source} → {what.target}"
    kind = what.type if isinstance(what, ExtractedConcept) else what.relation
    return {"what": said, "as": kind, "why": one.why, "part": "concept" if concept else "relation"}


def _exhaustion(context: ContinuationStage) -> dict[str, float]:
    scores = {name: round(one.exhaustion_score, 3) for name, one in context.states.items()}
    return dict(sorted(scores.items(), key=lambda one: -one[1])[:MOST_SHOWN])


def _row(pair: ScoredPair) -> dict[str, Any]:
    return {
        "strategy": pair.strategy,
        "focus": pair.candidate,
        "score": round(pair.score, 3),
        "phase": pair.phase_weight,
        "bonus": pair.bonus,
        "because": _points(pair.contributions),
    }


def _points(parts: Iterable[Contribution]) -> dict[str, float]:
    return {_condition(one): round(one.points, 3) for one in parts if one.points}


def _condition(one: Contribution) -> str:
    """A signal's name; with its value if it is not a number."""
    return f"{one.signal}={one.value}" if isinstance(one.value, str) else one.signal


def _reason(one: Contribution) -> str:
    return f"{one.signal} is {_told(one.value)} ({one.points:+.1f})"


def _told(value: Value) -> str:
    return value if isinstance(value, str) else f"{value:.3g}"


def _rounded(value: Value) -> Value:
    return value if isinstance(value, str) else round(value, 3)
