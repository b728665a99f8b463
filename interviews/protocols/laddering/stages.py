"""What flows through the stages of a turn: each stage adds its part and changes nothing.

    1  loading       everything that is known before the answer          LadderingContext
    2  saving        done before a turn begins
    3  extraction    what the answer says, and how it says it            ExtractionStage
    4  graph         the graph with the answer, and what that changed    SelectionStage
    5  states        nodes, figures and talk as they stand now           SelectionStage.moment
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
from typing import Literal

from interviews.protocols.laddering.context import LadderingContext
from interviews.protocols.laddering.graph.types import Change, GraphExtraction
from interviews.protocols.laddering.signals.base import DetectedSignals
from interviews.protocols.laddering.signals.moment import ELEMENT, AnswerSignals, Moment
from interviews.protocols.laddering.state import Validation, Verdict
from interviews.protocols.laddering.strategy_choice import StrategyChoice

EXTRACT_KEY, SIGNALS_KEY = "extract", "signals"  # of the calls that read an answer
STALE = 3  # answers in a row that change nothing, from which a covered concept is done
OFFERS_END = 5  # such answers, after which an end is offered


@dataclass(frozen=True, kw_only=True)
class ExtractionStage:
    ctx: LadderingContext
    extraction: GraphExtraction
    reading: AnswerSignals
    nothing: bool = False  # no answer: skipped, refused, not known, or off topic
    read_by: Mapping[str, str] = field(default_factory=dict)  # model, fallback model or rules
    verdict: Verdict = "unclear"  # on a chain that was said back
    left_out: int = 0  # concepts and relations beyond the most that one answer may bring

    @property
    def turn(self) -> int:
        """Answers, this one included."""
        return self.ctx.state.talk.turn + 1

    @property
    def gentle(self) -> bool:
        return self.ctx.reading.care == "heavy"


@dataclass(frozen=True, kw_only=True)
class SelectionStage(ExtractionStage):
    change: Change
    moment: Moment
    validation: Validation | None  # of the chain that was said back
    detected: DetectedSignals
    choice: StrategyChoice

    @property
    def all_covered(self) -> bool:
        moment = self.moment
        left = (moment.states.get(ELEMENT + one) for one in moment.metrics.uncovered)
        return moment.unchanged >= STALE and all(one and one.closed for one in left)

    @property
    def ends(self) -> Literal["", "turn_limit", "all_covered", "all_exhausted", "last_one"]:
        if self.moment.talk.turn >= self.moment.talk.limit:
            return "turn_limit"
        if self.all_covered:
            return "all_covered"
        candidates = self.moment.candidates  # with uncovered elements
        exhausted = bool(candidates) and all(one.state.exhausted for one in candidates)
        if exhausted:
            return "all_exhausted"
        return "last_one" if self.ctx.state.ends_early else ""

    @property
    def offers_end(self) -> bool:
        """Return whether so little is new that the next question is whether to end."""
        return self.moment.unchanged >= OFFERS_END and not self.gentle
