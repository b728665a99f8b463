"""All that a signal may look at: the talk as it stands after an answer."""

from collections.abc import Sequence
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
ELEMENT = "element:"  # before the id of an element that nobody has spoken of
JUST_SAID = "answer:last"  # for an id: what was just said, before it is read


@dataclass(frozen=True, slots=True)
class AnswerReading:
    """What was read in one answer, and holds for that answer only."""

    depth: Depth
    sentiment: Sentiment = "neutral"
    topics: tuple[str, ...] = ()  # ids of the elements that it speaks of


@dataclass(frozen=True, slots=True)
class Talk:
    """How far the talk is, and where it has lingered."""

    limit: int  # turns at most
    turn: int = 0
    focus: str = ""  # of the question that was answered last
    focus_turns: int = 0  # turns since the focus changed
    strategy: str = ""
    strategy_turns: int = 0  # times in a row that it was used

    def asked(self, strategy: str, focus: str) -> "Talk":
        """The talk a turn later, in which that strategy asked about that focus; at the opening
        there is neither."""
        return replace(
            self,
            turn=self.turn + 1,
            focus=focus,
            focus_turns=self.focus_turns + 1 if self.turn and focus == self.focus else 0,
            strategy=strategy,
            strategy_turns=self._in_a_row(strategy),
        )

    def _in_a_row(self, strategy: str) -> int:
        if not strategy:
            return 0
        return self.strategy_turns + 1 if strategy == self.strategy else 1


@dataclass(frozen=True, slots=True)
class FocusCandidate:
    """Where the next question could go: a node, or an element that nobody has spoken of."""

    id: str
    text: str
    state: NodeState
    uncovered: bool = False
    chain: int = 0  # nodes of the longest chain in what it is connected to
    newest: bool = False  # no node came up later
    place: int = 0  # in the graph, or in the concept


@dataclass(frozen=True)
class Moment:
    """The talk as it stands after an answer; without a reading before the first one."""

    graph: Graph
    metrics: Metrics
    states: States
    talk: Talk
    methodology: Methodology
    concept: Concept
    reading: AnswerReading | None = None

    @cached_property
    def candidates(self) -> tuple[FocusCandidate, ...]:
        """Nodes in the order in which they came up, then uncovered elements in the concept's."""
        return (*self._nodes(), *self._elements())

    def _nodes(self) -> Sequence[FocusCandidate]:
        chains = chain_lengths(self.graph)
        newest = max((node.created for node in self.graph.nodes), default=0)
        return [
            FocusCandidate(
                id=node.id,
                text=node.text,
                state=self.states[node.id],
                chain=chains[node.id],
                newest=node.created == newest,
                place=place,
            )
            for place, node in enumerate(self.graph.nodes)
        ]

    def _elements(self) -> Sequence[FocusCandidate]:
        uncovered = set(self.metrics.uncovered)
        return [
            FocusCandidate(
                id=ELEMENT + one.id,
                text=one.label,
                state=self._state_of(ELEMENT + one.id),
                uncovered=True,
                place=place,
            )
            for place, one in enumerate(self.concept.elements)
            if one.id in uncovered
        ]

    def _state_of(self, name: str) -> NodeState:
        return self.states.get(name) or NodeState(created=self.talk.turn, turn=self.talk.turn)
