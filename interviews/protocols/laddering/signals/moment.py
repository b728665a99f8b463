from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from interviews.protocols.laddering.graph.chains import chain_lengths
from interviews.protocols.laddering.graph.measures import Metrics
from interviews.protocols.laddering.graph.states import Depth, NodeState, States
from interviews.protocols.laddering.graph.types import Graph
from plans.protocols.laddering.schema.concept import Concept
from plans.protocols.laddering.schema.methodology import Methodology

Sentiment = Literal["negative", "neutral", "positive"]
ELEMENT = "element:"  # before the id of an element without nodes
JUST_SAID = "answer:last"  # the id of what was just said, before it is read


@dataclass(frozen=True, slots=True)
class AnswerSignals:
    depth: Depth | None  # None: not judged, since the model failed
    sentiment: Sentiment | None = "neutral"
    topics: tuple[str, ...] = ()  # ids of the elements that it speaks of


@dataclass(frozen=True, slots=True)
class Talk:
    """How far the interview is, and what its questions have been about."""

    limit: int  # turns at most
    turn: int = 0
    focus: str = ""  # of the question that was answered last
    focus_turns: int = 0  # turns since the focus changed
    strategy: str = ""
    strategy_turns: int = 0  # times in a row that it was used

    def asked(self, strategy: str, focus: str) -> "Talk":
        """Return the state a turn later, after that question; at the opening both are empty."""
        streak = self.strategy_turns + 1 if strategy == self.strategy else 1
        return replace(
            self,
            turn=self.turn + 1,
            focus=focus,
            focus_turns=self.focus_turns + 1 if self.turn and focus == self.focus else 0,
            strategy=strategy,
            strategy_turns=streak if strategy else 0,
        )


@dataclass(frozen=True, slots=True)
class FocusCandidate:
    """What the next question could be about: a node, or an element without nodes."""

    id: str
    text: str
    state: NodeState
    uncovered: bool = False
    chain: int = 0  # nodes of the longest chain in what it is connected to
    newest: bool = False  # no node came up later
    place: int = 0  # in the graph, or in the concept


@dataclass(frozen=True)
class Moment:
    """All that signals may look at: the interview after an answer, or before the first one."""

    graph: Graph
    metrics: Metrics
    states: States
    talk: Talk
    methodology: Methodology
    concept: Concept
    reading: AnswerSignals | None = None
    left: str = ""  # id of what the next question isn't about: it was skipped
    gentle: bool = False  # something hard was told

    @cached_property
    def eligible(self) -> tuple[FocusCandidate, ...]:
        """What the next question may be about; after something hard, what hasn't come up yet."""
        free = [one for one in self.candidates if not one.state.closed and one.id != self.left]
        new = [one for one in free if one.uncovered]
        return tuple(new if self.gentle and new else free)

    @cached_property
    def candidates(self) -> tuple[FocusCandidate, ...]:
        """Nodes in the order in which they came up, then uncovered elements in the concept's."""
        chains = chain_lengths(self.graph)
        newest = max((node.created for node in self.graph.nodes), default=0)
        nodes = (
            FocusCandidate(
                id=node.id,
                text=node.text,
                state=self.states[node.id],
                chain=chains[node.id],
                newest=node.created == newest,
                place=place,
            )
            for place, node in enumerate(self.graph.nodes)
        )
        untouched = NodeState(created=self.talk.turn, turn=self.talk.turn)
        elements = (
            FocusCandidate(
                id=ELEMENT + one.id,
                text=one.label,
                state=self.states.get(ELEMENT + one.id) or untouched,
                uncovered=True,
                place=place,
            )
            for place, one in enumerate(self.concept.elements)
            if one.id in self.metrics.uncovered
        )
        return (*nodes, *elements)
