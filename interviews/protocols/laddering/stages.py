"""What flows through the stages of a turn: each stage adds its part and changes nothing.

    1  loading       everything that is known before the answer          LoadedStage
    2  saving        done before a turn begins
    3  extraction    what the answer says, and how it says it            ExtractionStage
    4  graph         the graph with the answer, and what that changed    ComputationStage
    5  states        nodes, figures and talk as they stand now           ComputationStage
    6  selection     signals, and the choice that they lead to           SelectionStage
    7  continuation  whether the interview ends, and why                 SelectionStage.ends
    8  question      what is said next (question.py)                     QuestionWording
    9  saving        done by the commit, from the TurnResult
    10 scores        signals, scores and reasons (explanation.py), with the TurnResult

The choice is always made over the graph with the answer in it. While the answer is still being
read, the question is begun for the choice that its first concept leads to (stage_cache.py); where
the whole of it leads elsewhere, nobody sees what was begun.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from interviews.protocols.laddering.context import LadderingContext
from interviews.protocols.laddering.graph.measures import Metrics
from interviews.protocols.laddering.graph.states import States
from interviews.protocols.laddering.graph.types import Change, Graph, GraphExtraction
from interviews.protocols.laddering.signals.base import DetectedSignals
from interviews.protocols.laddering.signals.moment import ELEMENT, AnswerSignals, Moment, Talk
from interviews.protocols.laddering.state import Validation
from interviews.protocols.laddering.strategy_choice.choice import StrategyChoice

EXTRACT_KEY, SIGNALS_KEY = "extract", "signals"  # of the calls that read an answer
STALE = 3  # answers in a row that change nothing, from which a covered concept is done
OFFERS_END = 5  # such answers, after which an end is offered


@dataclass(frozen=True)
class LoadedStage:
    ctx: LadderingContext
    turn: int  # answers, this one included


@dataclass(frozen=True, kw_only=True)
class ExtractionStage(LoadedStage):
    extraction: GraphExtraction
    reading: AnswerSignals
    nothing: bool = False  # no answer: skipped, refused, not known, or off topic
    read_by: Mapping[str, str] = field(default_factory=dict)  # model, fallback model or rules
    confirms: Literal["", "yes", "no"] = ""  # to a chain that was said back
    left_out: int = 0  # concepts and relations beyond the most that one answer may bring

    @property
    def gentle(self) -> bool:
        return self.ctx.reading.care == "heavy"


@dataclass(frozen=True, kw_only=True)
class ComputationStage(ExtractionStage):
    graph: Graph
    change: Change
    states: States
    metrics: Metrics
    talk: Talk
    unchanged: int  # answers in a row that left the graph as it was
    validation: Validation | None = None  # of the chain that was said back

    @property
    def all_covered(self) -> bool:
        left = (self.states.get(ELEMENT + one) for one in self.metrics.uncovered)
        return self.unchanged >= STALE and all(one and one.closed for one in left)


@dataclass(frozen=True, kw_only=True)
class SelectionStage(ComputationStage):
    moment: Moment
    detected: DetectedSignals
    choice: StrategyChoice

    @property
    def ends(self) -> Literal["", "turn_limit", "all_covered", "all_exhausted"]:
        if self.talk.turn >= self.talk.limit:
            return "turn_limit"
        if self.all_covered:
            return "all_covered"
        candidates = self.moment.candidates  # with uncovered elements
        exhausted = bool(candidates) and all(one.state.exhausted for one in candidates)
        return "all_exhausted" if exhausted else ""

    @property
    def offers_end(self) -> bool:
        """Return whether so little is new that the next question is whether to end."""
        return self.unchanged >= OFFERS_END and not self.gentle


Stage = TypeVar("Stage", bound=LoadedStage)


def advance(stage: LoadedStage, to: type[Stage], **parts: Any) -> Stage:
    return to(**vars(stage), **parts)
