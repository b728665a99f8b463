from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from interviews.protocols.laddering.graph.measures import Metrics, connected_to
from interviews.protocols.laddering.graph.states import Depth, NodeState, States
from interviews.protocols.laddering.graph.types import Graph, GraphNode
from plans.protocols.laddering.schema.concept import Concept
from plans.protocols.laddering.schema.methodology import Methodology

Sentiment = Literal["negative", "neutral", "positive"]
ELEMENT = "element:"  # before the id of an element without nodes
JUST_SAID = "answer:last"  # in older traces: what was just said, before it was read
MOVES_ON = 3  # answers in a row without anything new, from which another place is asked about
Way = Literal["up", "down", "stay", "across", "validate", "reconcile"]
WAYS: dict[str, Way] = {  # where a technique asks; any other one may ask anywhere
    "ladder_up": "up",
    "return": "up",
    "ladder_down": "down",
    "elaborate": "stay",
    "contrast": "stay",
    "connect": "across",
    "validate": "validate",
    "reconcile": "reconcile",
}
NOWHERE: frozenset[Way] = frozenset(WAYS.values())


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
    chain: int = 0  # rungs of the longest climb through it
    rung: int = 0
    barred: frozenset[Way] = frozenset()  # where it leads no further
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
    left: frozenset[str] = frozenset()  # what the next question isn't about: it was skipped
    unchanged: int = 0  # answers in a row that brought nothing new
    gentle: bool = False  # something hard was told

    @cached_property
    def eligible(self) -> tuple[FocusCandidate, ...]:
        """What the next question may be about; after something hard, what hasn't come up yet."""
        free = [one for one in self.candidates if not one.state.closed and one.id not in self.left]
        new = [one for one in free if one.uncovered]
        if self.gentle and new:
            return tuple(new)
        if self.unchanged >= MOVES_ON:
            here = connected_to(self.graph, self.talk.focus)
            free = [one for one in free if one.id not in here] or free
        return tuple(free)

    @cached_property
    def candidates(self) -> tuple[FocusCandidate, ...]:
        """Nodes in the order in which they came up, then uncovered elements in the concept's."""
        newest = max((node.created for node in self.graph.nodes), default=0)
        nodes = (
            FocusCandidate(
                id=node.id,
                text=node.text,
                state=self.states[node.id],
                chain=self.metrics.lengths[node.id],
                rung=self.methodology.types.index(node.type),
                barred=self._barred(node),
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
                barred=NOWHERE,  # nobody has said anything of it yet
            )
            for place, one in enumerate(self.concept.elements)
            if one.id in self.metrics.uncovered
        )
        return (*nodes, *elements)

    def _barred(self, node: GraphNode) -> frozenset[Way]:
        """Return where a node leads no further: at the ladder's ends, and where it was said."""
        types, state = self.methodology.types, self.states[node.id]
        asked = {s.technique for s in self.methodology.strategies if s.id in state.strategies}
        ends: tuple[tuple[Way, bool], ...] = (
            ("up", node.type == types[-1] or node.id in self._leading),
            ("down", node.type == types[0]),
            ("across", self._is_one_piece),
            ("validate", node.id not in self.metrics.complete or "validate" in asked),
            ("reconcile", not state.contradicted or "reconcile" in asked),
        )
        return frozenset(way for way, is_barred in ends if is_barred)

    @cached_property
    def _is_one_piece(self) -> bool:
        """Return whether everything that was said hangs together already."""
        return len(connected_to(self.graph, self.graph.nodes[0].id)) == len(self.graph.nodes)

    @cached_property
    def _leading(self) -> frozenset[str]:
        upward = self.methodology.upward
        return frozenset(edge.source for edge in self.graph.edges if edge.relation == upward)
