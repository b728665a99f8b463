from typing import Annotated, Literal

from pydantic import Field

from plans.portability.documents import Language, Name, Phrase
from plans.portability.documents import Required as RequiredText
from plans.protocols.laddering.schema.concept import VERSION, Id, InLanguages
from plans.protocols.plan_content import Frozen

Focus = Literal["any", "newest", "orphan", "current", "shallow_chain", "uncovered"]
Mode = Literal["coverage", "exploratory"]
Phase = Literal["early", "mid", "late"]
Weight = Annotated[float, Field(ge=-100, le=100, allow_inf_nan=False)]
Factor = Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)]
MOST_TYPES = 8  # finding a chain's length is exponential in the number of types


class NodeType(Frozen):
    """One rung of the ladder.

    Without a model it is recognised by words: `cues` match beginnings of words, `words` whole ones.
    """

    id: Id
    name: Name
    meaning: RequiredText
    cues: dict[Language, tuple[Phrase, ...]] = {}
    words: dict[Language, tuple[Phrase, ...]] = {}


class Between(Frozen):
    source: Id
    targets: tuple[Id, ...] = Field(min_length=1, max_length=MOST_TYPES)


class Relation(Frozen):
    """A way in which one node may lead to another, and between which types."""

    id: Id
    meaning: RequiredText
    between: tuple[Between, ...] = Field(min_length=1, max_length=MOST_TYPES)

    def allows(self, source: str, target: str) -> bool:
        return any(pair.source == source and target in pair.targets for pair in self.between)


class Strategy(Frozen):
    """One way of asking. The description goes into prompts; templates ask without a model.

    A template may name what it asks about as {focus}; one without it asks about nothing in
    particular. The key of a weight is a signal with a value, or the signal alone if it is a number.
    """

    id: Id
    name: Name
    description: RequiredText
    technique: Id
    focus_preference: Focus = "any"
    signal_weights: dict[str, Weight] = {}
    templates: dict[Language, tuple[RequiredText, ...]] = Field(min_length=1)


PhaseWeights = dict[Phase, dict[str, Factor]]  # strategies that aren't named: 1


class Methodology(Frozen):
    """A way of laddering: rungs, relations, strategies, and what leads from one to the next.

    The opening may name the interview's topic as {topic}.
    """

    format: Literal["interviewsite/methodology"] = "interviewsite/methodology"
    version: Annotated[int, Field(ge=1, le=VERSION)] = VERSION
    id: Id
    name: Name
    goal: RequiredText
    ladder: tuple[NodeType, ...] = Field(min_length=2, max_length=MOST_TYPES)
    relations: tuple[Relation, ...] = Field(min_length=1, max_length=20)
    signals: tuple[str, ...] = Field((), max_length=100)
    strategies: tuple[Strategy, ...] = Field(min_length=1, max_length=40)
    phase_weights: dict[Mode, PhaseWeights] = {}
    opening: InLanguages = Field(min_length=1)
    closing: InLanguages = Field(min_length=1)

    @property
    def types(self) -> tuple[str, ...]:
        """Return the types of nodes, from the lowest rung up."""
        return tuple(rung.id for rung in self.ladder)

    @property
    def upward(self) -> str:
        """Return the relation that leads up the ladder."""
        return self.relations[0].id

    @property
    def languages(self) -> tuple[str, ...]:
        """Return the languages it can be used in without a model."""
        return tuple(self.opening)

    def allows(self, relation: str, source: str, target: str) -> bool:
        return any(one.id == relation and one.allows(source, target) for one in self.relations)

    def phase_weight(self, mode: Mode, phase: Phase, strategy: str) -> float:
        return self.phase_weights.get(mode, {}).get(phase, {}).get(strategy, 1.0)
