"""Why a question is asked: for its prompt, and (stage 10) for the trace of the turn."""

from typing import Any

from interviews.protocols.laddering.context import find_strategy, shorten
from interviews.protocols.laddering.graph.types import ExtractedConcept, RejectedPart
from interviews.protocols.laddering.signals.base import SIGNALS, Value, Values
from interviews.protocols.laddering.stages import SelectionStage
from interviews.protocols.laddering.strategy_choice.choice import ScoredPair
from interviews.protocols.laddering.strategy_choice.weights import Contribution
from interviews.protocols.laddering.tasks import ActiveSignal
from plans.protocols.laddering.schema.methodology import Focus

MOST_REASONS, MOST_SIGNALS = 6, 4
MOST_SHOWN = 100  # nodes with their exhaustion, refused parts
SHORT = 80  # characters
PREFERENCES: dict[Focus, str] = {
    "any": "",
    "newest": "it came up last",
    "orphan": "it is tied to nothing",
    "current": "the talk is about it",
    "shallow_chain": "its chain is short",
    "uncovered": "nobody has spoken of it",
}


def focus_text(stage: SelectionStage, focus: str) -> str:
    return next((one.text for one in stage.moment.candidates if one.id == focus), "")


def _signal_values(stage: SelectionStage, focus: str) -> Values:
    return {**stage.detected.talk, **stage.detected.nodes.get(focus, {})}


def active_signals(stage: SelectionStage, pair: ScoredPair) -> list[ActiveSignal]:
    """Return the signals that speak for the choice, those of most weight first.

    What spoke against it is left out: it would only argue with the strategy.
    """
    values = _signal_values(stage, pair.candidate)
    return [
        ActiveSignal(
            name=one.signal,
            value=_as_text(values[one.signal]),
            meaning=SIGNALS[one.signal].description,
        )
        for one in _weightiest(pair)
        if one.points > 0 and one.signal in values and one.signal in SIGNALS
    ][:MOST_SIGNALS]


def _weightiest(pair: ScoredPair) -> list[Contribution]:
    return sorted((one for one in pair.contributions if one.points), key=lambda o: -abs(o.points))


def reasons(stage: SelectionStage, pair: ScoredPair) -> list[str]:
    strategy = find_strategy(stage.moment.methodology, pair.strategy)
    preference = PREFERENCES[strategy.focus_preference] if strategy and pair.bonus else ""
    parts = _weightiest(pair)[:MOST_REASONS]
    texts = [f"{one.signal} is {_as_text(one.value)} ({one.points:+.1f})" for one in parts]
    return [f"{preference} ({pair.bonus:+.1f})", *texts] if preference else texts


def explain(stage: SelectionStage, pair: ScoredPair) -> str:
    strategy = find_strategy(stage.moment.methodology, pair.strategy)
    name = strategy.name if strategy else pair.strategy
    focus = focus_text(stage, pair.candidate)
    about = f" at “{shorten(focus, SHORT)}”" if focus else ""
    phase = f"; x {pair.phase_weight:g} in this phase" if pair.phase_weight != 1 else ""
    because = "; ".join(reasons(stage, pair)) or "nothing speaks for anything else"
    return f"{name}{about}, {pair.score:.2f}: {because}{phase}"


def turn_details(stage: SelectionStage, asked: ScoredPair | None) -> dict[str, Any]:
    """Return what is stored of the turn: signals, scores, the choice, graph, coverage.

    `asked` is the pair that was asked in the end, which need not be the chosen one; None at an end.
    """
    choice, change = stage.choice, stage.change
    chosen = asked or choice.chosen
    exhaustion = {name: round(one.exhaustion_score, 3) for name, one in stage.states.items()}
    return {
        "strategy": chosen.strategy if asked else "",
        "focus": chosen.candidate if asked else "",
        "why": explain(stage, chosen) if asked else "",
        "chosen": [choice.chosen.strategy, choice.chosen.candidate],
        "read_by": dict(stage.read_by),
        "depth": stage.reading.depth or "",
        "unchanged": stage.unchanged,
        "graph": {
            "nodes": stage.metrics.node_count,
            "edges": stage.metrics.edge_count,
            "added": list(change.added),
            "merged": list(change.merged),
            "tied": [list(edge.key) for edge in change.tied],
            "contradicted": [list(pair) for pair in change.contradicted],
            "refused": [_refused(one) for one in change.refused[:MOST_SHOWN]],
            "left_out": stage.left_out,
        },
        **({"validation": stage.validation.model_dump()} if stage.validation else {}),
        "coverage": {one.element: round(one.depth_score, 3) for one in stage.metrics.coverage},
        "exhausted": [name for name, one in stage.states.items() if one.exhausted],
        "exhaustion": dict(sorted(exhaustion.items(), key=lambda one: -one[1])[:MOST_SHOWN]),
        "signals": {
            name: value if isinstance(value, str) else round(value, 3)
            for name, value in _signal_values(stage, chosen.candidate).items()
        },
        "table": [_row(pair) for pair in choice.table],
        "considered": choice.considered,
    }


def _refused(part: RejectedPart) -> dict[str, str]:
    what = part.what
    if isinstance(what, ExtractedConcept):
        return {"what": what.text, "as": what.type, "why": part.why, "part": "concept"}
    tie = f"{what.source} → {what.target}"
    return {"what": tie, "as": what.relation, "why": part.why, "part": "relation"}


def _row(pair: ScoredPair) -> dict[str, Any]:
    return {
        "strategy": pair.strategy,
        "focus": pair.candidate,
        "score": round(pair.score, 3),
        "phase": pair.phase_weight,
        "bonus": pair.bonus,
        "because": {_condition(p): round(p.points, 3) for p in pair.contributions if p.points},
    }


def _condition(part: Contribution) -> str:
    return f"{part.signal}={part.value}" if isinstance(part.value, str) else part.signal


def _as_text(value: Value) -> str:
    return value if isinstance(value, str) else f"{value:.3g}"
