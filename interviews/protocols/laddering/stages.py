"""What flows through the stages of a turn: each adds its own part and changes nothing.

    1  loading        everything that is known before the answer            Loaded
    2  saving         done by the door before a turn begins; `now` holds it
    3  extraction     what the answer says, and how it says it              Read
    4  graph update   the graph with it, and what that changed              Grown
    5  states         nodes, metrics and talk as they stand now             Computed
    6  selection      signals, and the joint choice they lead to            Chosen
    7  continuation   whether it goes on, and why not                       Continued
    8  question       asking.py: what is said next                          Words
    9  saving         done by the commit, from the Move
    10 scores         explaining.py: signals, scores and reasons, with the Move

A stage is a function from one of these types to the next, so a type says which parts are there.

Where the question is begun before the answer is read (foreseeing.py), stages 3 to 6 are gone
through twice: at once, over the graph at hand, for the choice; then as above, for all the rest.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from interviews.protocols.laddering.context import LadderingContext
from interviews.protocols.laddering.graph.measures import Metrics
from interviews.protocols.laddering.graph.states import States
from interviews.protocols.laddering.graph.types import Change, Graph, GraphExtraction
from interviews.protocols.laddering.signals.detection import DetectedSignals
from interviews.protocols.laddering.signals.moment import AnswerReading, Moment, Talk
from interviews.protocols.laddering.strategy_choice.choice import StrategyChoice

End = Literal["", "turn_limit", "all_covered", "all_exhausted"]


@dataclass(frozen=True)
class LoadedStage:
    """Session, plan, state and the last utterances are all in `now`."""

    ctx: LadderingContext
    turn: int  # answers, this one included


@dataclass(frozen=True)
class ExtractionStage(LoadedStage):
    """What the answer says, and how; `nothing` where it was left out or tells nothing."""

    extraction: GraphExtraction
    reading: AnswerReading
    nothing: bool
    read_by: Mapping[str, str]  # who has read what: model, fallback model, rules
    left_out: int  # concepts and relations beyond the most that one answer may bring


@dataclass(frozen=True)
class GraphStage(ExtractionStage):
    """The graph with the answer in it."""

    graph: Graph
    change: Change


@dataclass(frozen=True)
class ComputationStage(GraphStage):
    """Where nodes and talk stand now."""

    states: States
    metrics: Metrics
    talk: Talk
    unchanged: int  # answers in a row that left the graph as it was


@dataclass(frozen=True)
class SelectionStage(ComputationStage):
    """How to go on, and what that rests on: the graph of the moment, or the one at hand."""

    moment: Moment
    detected: DetectedSignals
    choice: StrategyChoice
    at_hand: bool  # chosen before the answer was read


@dataclass(frozen=True)
class ContinuationStage(SelectionStage):
    """Whether it goes on; why not, if it doesn't."""

    ends: End


Next = TypeVar("Next", bound=LoadedStage)


def onward(context: LoadedStage, shape: type[Next], **parts: Any) -> Next:
    """The context with the parts that a stage adds to it."""
    return shape(**vars(context), **parts)
