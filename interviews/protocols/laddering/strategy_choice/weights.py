from collections.abc import Mapping
from dataclasses import dataclass

from interviews.protocols.laddering.signals.base import Value, Values
from plans.protocols.laddering.schema.methodology import Methodology, Strategy
from plans.protocols.laddering.schema.vocabulary import Term, parse_condition, registered_terms


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one signal adds to a score."""

    signal: str
    value: Value  # as it is weighed
    weight: float
    points: float


@dataclass(frozen=True, slots=True)
class Weights:
    """A strategy's weights in the order of the signals' names, read once to score pairs fast."""

    strategy: Strategy
    values: Mapping[str, Mapping[Value, float]]  # signal -> value -> weight
    numbers: Mapping[str, float]  # signal -> what its number is multiplied with

    def contributions(self, seen: Values) -> list[Contribution]:
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
    terms = registered_terms()
    return tuple(_read(strategy, terms) for strategy in methodology.strategies)


def _read(strategy: Strategy, terms: Mapping[str, Term]) -> Weights:
    values: dict[str, dict[Value, float]] = {}
    numbers: dict[str, float] = {}
    for key, weight in sorted(strategy.signal_weights.items()):
        found = parse_condition(key, terms)
        if found is None:
            continue
        if found.value is None:
            numbers[found.name] = weight
        else:
            values.setdefault(found.name, {})[found.value] = weight
    return Weights(strategy, values, numbers)
