import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from llm.languages import language_name
from plans.protocols.laddering.schema.methodology import (
    Focus,
    Methodology,
    Mode,
    Phase,
    Relation,
    Strategy,
)
from plans.protocols.laddering.schema.vocabulary import Term, parse_condition, registered_terms

FOCUS: dict[Focus, str] = {
    "any": "nothing in particular",
    "newest": "what came up last",
    "orphan": "what is tied to nothing yet",
    "current": "what was asked about last",
    "shallow_chain": "where the ladder is still short",
    "uncovered": "elements not spoken of yet",
}
MODES: dict[Mode, str] = {"coverage": "Every element first", "exploratory": "Depth first"}
MAY_BREAK = re.compile(r"(?<=[._])")
PHASES: tuple[Phase, ...] = get_args(Phase)


@dataclass(frozen=True)
class Weight:
    """What a signal, or one of its values, adds to a strategy's score."""

    signal: str
    value: str  # empty: it is a number, and counts times its size
    weight: float

    @property
    def parts(self) -> list[str]:
        """Return the signal's name in pieces between which a line may break."""
        return MAY_BREAK.split(self.signal)

    @property
    def words(self) -> str:
        return f"{self.weight:+g}".replace("-", "−")


@dataclass(frozen=True)
class StrategyPreview:
    """A strategy with its weights: signal by signal, the strongest first."""

    strategy: Strategy
    prefers: str
    weights: Sequence[Weight]
    questions: Sequence[tuple[str, Sequence[str]]]  # by language


@dataclass(frozen=True)
class PhaseMatrix:
    mode: str
    rows: Sequence[tuple[str, Sequence[float]]]  # a strategy's name, its factors


@dataclass(frozen=True)
class RelationPair:
    source: str
    targets: Sequence[str]


@dataclass(frozen=True)
class MethodologyPreview:
    methodology: Methodology
    relations: Sequence[tuple[Relation, Sequence[RelationPair]]]
    strategies: Sequence[StrategyPreview]
    matrices: Sequence[PhaseMatrix]
    signals: Sequence[Term]
    openings: Sequence[tuple[str, str, str]]  # language, opening, closing
    phases: Sequence[Phase] = PHASES


def preview(methodology: Methodology) -> MethodologyPreview:
    terms = registered_terms()
    return MethodologyPreview(
        methodology,
        relations=[(relation, _pairs(relation, methodology)) for relation in methodology.relations],
        strategies=[_strategy_preview(strategy, terms) for strategy in methodology.strategies],
        matrices=[_matrix(mode, methodology) for mode in MODES],
        signals=[terms[name] for name in methodology.signals if name in terms],
        openings=[_opening(tag, methodology) for tag in methodology.languages],
    )


def _pairs(relation: Relation, methodology: Methodology) -> list[RelationPair]:
    names = {rung.id: rung.name for rung in methodology.ladder}
    return [RelationPair(names[p.source], [names[t] for t in p.targets]) for p in relation.between]


def _strategy_preview(strategy: Strategy, terms: Mapping[str, Term]) -> StrategyPreview:
    weights = [_weight(key, weight, terms) for key, weight in strategy.signal_weights.items()]
    questions = [(language_name(tag), texts) for tag, texts in strategy.templates.items()]
    return StrategyPreview(strategy, FOCUS[strategy.focus_preference], _rank(weights), questions)


def _rank(weights: Sequence[Weight]) -> list[Weight]:
    strength: dict[str, float] = {}
    for one in weights:
        strength[one.signal] = max(strength.get(one.signal, 0.0), abs(one.weight))
    return sorted(weights, key=lambda w: (-strength[w.signal], w.signal, -abs(w.weight)))


def _weight(key: str, weight: float, terms: Mapping[str, Term]) -> Weight:
    meant = parse_condition(key, terms)
    return Weight(meant.name, meant.value or "", weight) if meant else Weight(key, "", weight)


def _matrix(mode: Mode, methodology: Methodology) -> PhaseMatrix:
    rows = [
        (one.name, [methodology.phase_weight(mode, phase, one.id) for phase in PHASES])
        for one in methodology.strategies
    ]
    return PhaseMatrix(MODES[mode], rows)


def _opening(tag: str, methodology: Methodology) -> tuple[str, str, str]:
    return language_name(tag), methodology.opening[tag], methodology.closing[tag]
