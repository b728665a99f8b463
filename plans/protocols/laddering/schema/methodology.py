"""How a laddering interview explores."""

from typing import Annotated, Literal

from pydantic import Field

from plans.protocols.laddering.schema.fields import (
    VERSION,
    Id,
    InLanguages,
    Language,
    Name,
    Phrase,
    RequiredText,
)
from plans.protocols.plan_content import Frozen

Focus = Literal["any", "newest", "orphan", "current", "shallow_chain", "uncovered"]
Mode = Literal["coverage", "exploratory"]
Phase = Literal["early", "mid", "late"]
Weight = Annotated[float, Field(ge=-100, le=100, allow_inf_nan=False)]
Factor = Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)]
MOST_TYPES = 8  # a chain's length is found by trying sets of types, which double with each


class NodeType(Frozen):
    """One rung of the ladder.

    What marks it without a model: `cues` wherever a word begins like them, `words` as they stand.
    """

    id: Id
    name: Name
    meaning: RequiredText
    cues: dict[Language, tuple[Phrase, ...]] = {}
    words: dict[Language, tuple[Phrase, ...]] = {}


class Between(Frozen):
    """From one type of node to some others."""

    source: Id
    targets: tuple[Id, ...] = Field(min_length=1, max_length=MOST_TYPES)


class Relation(Frozen):
    """A way in which one node may be tied to another, and between which types."""

    id: Id
    meaning: RequiredText
    between: tuple[Between, ...] = Field(min_length=1, max_length=MOST_TYPES)

    def allows(self, source: str, target: str) -> bool:
        """Whether it may lead from one type to the other."""
        return any(pair.source == source and target in pair.targets for pair in self.between)


class Strategy(Frozen):
    """One way to go on. The description goes into prompts; templates ask without a model.

    A template may name what is asked about as {focus}; one without it asks about nothing in
    particular. The key of a weight is a signal with a value, or a number's signal alone.
    """

    id: Id
    name: Name
    description: RequiredText
    technique: Id
    focus_preference: Focus = "any"
    signal_weights: dict[str, Weight] = {}
    templates: dict[Language, tuple[RequiredText, ...]] = Field(min_length=1)


PhaseWeights = dict[Phase, dict[str, Factor]]  # strategies that are not named: 1


class Methodology(Frozen):
    """A way of laddering: rungs, relations, strategies, and what leads from one to the next.

    The opening may name what the interview is about as {topic}.
    """

    format: Literal["interviewsite/methodology"] = "interviewsite/methodology"
    version: Annotated[int, Field(ge=1, le=VERSION)] = VERSION
    id: Id
    name: Name
    goal: RequiredText
    ladder: tuple[NodeType, ...] = Field(min_length=2, max_length=MOST_TYPES)
    relations: tuple[Relation, ...] = Field(min_length=1, max_length=20)
    signals: tuple[str, ...] = Field(max_length=100)
    strategies: tuple[Strategy, ...] = Field(min_length=1, max_length=40)
    phase_weights: dict[Mode, PhaseWeights] = {}
    opening: InLanguages = Field(min_length=1)
    closing: InLanguages = Field(min_length=1)

    @property
    def types(self) -> tuple[str, ...]:
        """The types of nodes, from the lowest rung up."""
        return tuple(rung.id for rung in self.ladder)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that it can be led in without a model."""
        return tuple(self.opening)

    def allows(self, relation: str, source: str, target: str) -> bool:
        """Whether nodes of these types may be tied in this way."""
        return any(one.id == relation and one.allows(source, target) for one in self.relations)

    def phase_weight(self, mode: Mode, phase: Phase, strategy: str) -> float:
        """How much a strategy counts in a phase of the interview."""
        return self.phase_weights.get(mode, {}).get(phase, {}).get(strategy, 1.0)
