"""A strategy's weights, read once so that every pair is quick."""

from collections.abc import Mapping
from dataclasses import dataclass

from interviews.protocols.laddering.signals.base import Value, Values
from plans.protocols.laddering.schema.methodology import Methodology, Strategy
from plans.protocols.laddering.schema.vocabulary import Term, parse_condition, registered_terms


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one signal brings to a score, and why."""

    signal: str
    value: Value  # as it is weighed
    weight: float
    points: float


@dataclass(frozen=True, slots=True)
class Weights:
    """One strategy with what its weights rest on, in the order of signals' names.

    `values` says for a signal what each value weighs, `numbers` what a number is multiplied with.
    """

    strategy: Strategy
    values: Mapping[str, Mapping[Value, float]]
    numbers: Mapping[str, float]

    @property
    def signals(self) -> tuple[str, ...]:
        """The names of all signals that it looks at."""
        return (*self.values, *self.numbers)

    def contributions(self, seen: Values) -> list[Contribution]:
        """What each signal brings, among those that match."""
        matched = [
            Contribution(name, seen[name], by_value[seen[name]], by_value[seen[name]])
            for name, by_value in self.values.items()
            if seen.get(name) in by_value
        ]
        numbers = [
            Contribution(name, value, weight, weight * value)
            for name, weight in self.numbers.items()
            if isinstance(value := seen.get(name), int | float)
        ]
        return matched + numbers


def weights_of(methodology: Methodology) -> tuple[Weights, ...]:
    """Every strategy's weights. A key that no signal answers to any more weighs nothing."""
    terms = registered_terms()
    return tuple(_read(strategy, terms) for strategy in methodology.strategies)


def _read(strategy: Strategy, terms: Mapping[str, Term]) -> Weights:
    values: dict[str, dict[Value, float]] = {}
    numbers: dict[str, float] = {}
    for key, weight in sorted(strategy.signal_weights.items()):
        meant = parse_condition(key, terms)
        if meant is None:
            continue
        if meant.value is None:
            numbers[meant.name] = weight
        else:
            values.setdefault(meant.name, {})[meant.value] = weight
    return Weights(strategy, values, numbers)
