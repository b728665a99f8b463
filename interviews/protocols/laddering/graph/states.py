"""What the interview has done at each node.

A yield is an answer that changed the graph at a node or next to it; a node's first mention is no
yield of its own. Each state is made from the one before, so a long interview costs no more per turn
than a short one.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from interviews.protocols.laddering.graph.types import Change, Graph

Depth = Literal["shallow", "moderate", "deep"]
STAGNANT = 3  # turns without a yield
LONG_FOCUS = 2  # turns in a row
RECENT = 3  # answers that tell how deep the interview goes at a node
SHALLOW = 2 / 3  # of them


@dataclass(frozen=True, slots=True)
class NodeState:
    created: int  # turn
    turn: int  # as of which this holds
    focus_count: int = 0
    last_focus: int | None = None  # turn
    focus_streak: int = 0  # turns in a row, up to now
    last_yield: int | None = None  # turn
    yield_count: int = 0
    depths: tuple[Depth, ...] = ()  # of the answers while it was in focus
    strategies: Mapping[str, int] = field(default_factory=dict)  # how often each was used
    last_strategy: str = ""
    strategy_streak: int = 0  # times in a row that the last one was used here
    connected: tuple[str, ...] = ()
    edges_in: int = 0
    edges_out: int = 0
    exhausted: bool = False
    closed: bool = False  # never to be asked about again
    contradicted: str = ""  # id of what was said later and denies it

    @property
    def orphan(self) -> bool:
        return not self.connected

    @property
    def turns_since_focus(self) -> int | None:
        return None if self.last_focus is None else self.turn - self.last_focus

    @property
    def turns_since_yield(self) -> int:
        """Turns since the node's last yield, or since it came up."""
        return self.turn - (self.created if self.last_yield is None else self.last_yield)

    @property
    def shallow_ratio(self) -> float:
        recent = self.depths[-RECENT:]
        return recent.count("shallow") / len(recent) if recent else 0.0

    @property
    def exhaustion_score(self) -> float:
        """0 to 0.3 is fresh, up to 0.6 in use; above that the node is better left alone."""
        stagnant = min(self.turns_since_yield, 10) / 10 * 0.4
        return stagnant + min(self.focus_streak, 5) / 5 * 0.3 + self.shallow_ratio * 0.3


States = Mapping[str, NodeState]


@dataclass(frozen=True, slots=True)
class LastQuestion:
    focus: str  # empty: nothing in particular
    strategy: str
    depth: Depth | None  # of the answer; None: not judged


def states_after(
    before: States, graph: Graph, change: Change, turn: int, asked: LastQuestion | None
) -> dict[str, NodeState]:
    """Return the state of every node after an answer; `asked` is None at the opening.

    An element without nodes has a state under its own id once it has been asked about.
    """
    ins = Counter(edge.target for edge in graph.edges)
    outs = Counter(edge.source for edge in graph.edges)
    touched = change.touched
    beside = (other for name in touched for other in graph.neighbours[name])
    yielding = {*touched, *beside} - set(change.added)
    focus = [asked.focus] if asked and asked.focus else []
    denied = dict(change.contradicted)
    after = {}
    for name in dict.fromkeys((*graph.by_id, *before, *focus)):
        state = before.get(name) or NodeState(created=turn, turn=turn)
        state = replace(
            state,
            turn=turn,
            connected=graph.neighbours.get(name, ()),
            edges_in=ins[name],
            edges_out=outs[name],
            focus_streak=state.focus_streak if name in focus else 0,
            contradicted=denied.get(name, state.contradicted),
        )
        if asked and name in focus:
            state = _count_question(state, asked)
        after[name] = _update_yield(state, name in yielding)
    return after


def _count_question(state: NodeState, asked: LastQuestion) -> NodeState:
    again = asked.strategy == state.last_strategy
    used = state.strategies.get(asked.strategy, 0) + 1
    return replace(
        state,
        focus_count=state.focus_count + 1,
        last_focus=state.turn,
        focus_streak=state.focus_streak + 1,
        depths=(*state.depths, asked.depth) if asked.depth else state.depths,
        strategies={**state.strategies, asked.strategy: used},
        last_strategy=asked.strategy,
        strategy_streak=state.strategy_streak + 1 if again else 1,
    )


def _update_yield(state: NodeState, yields: bool) -> NodeState:
    if yields:
        count = state.yield_count + 1
        return replace(state, last_yield=state.turn, yield_count=count, exhausted=state.closed)
    exhausted = (
        state.focus_count >= 1
        and state.turns_since_yield >= STAGNANT
        and state.focus_streak >= LONG_FOCUS
        and state.shallow_ratio >= SHALLOW
    )
    return replace(state, exhausted=True) if exhausted and not state.exhausted else state
