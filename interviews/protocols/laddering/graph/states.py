"""What the talk has done at each node.

A yield is an answer that changed the graph at a node or next to it. That a node came up is no yield
of its own. A state is made anew with each answer from the one before, so that a long talk costs no
more than a short one.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from interviews.protocols.laddering.graph.types import Change, Graph

Depth = Literal["shallow", "moderate", "deep"]
STAGNANT = 3  # turns without a yield
LONG_FOCUS = 2  # turns in a row
RECENT = 3  # answers that tell how deep the talk goes
SHALLOW = 2 / 3  # of them


@dataclass(frozen=True, slots=True)
class NodeState:
    """One node's past, as of a turn."""

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

    @property
    def orphan(self) -> bool:
        """Whether no edge touches it."""
        return not self.connected

    @property
    def turns_since_focus(self) -> int | None:
        """Turns since it was last in focus; None if it never was."""
        return None if self.last_focus is None else self.turn - self.last_focus

    @property
    def turns_since_yield(self) -> int:
        """Turns since its last yield, or since it came up."""
        return self.turn - (self.created if self.last_yield is None else self.last_yield)

    @property
    def yield_rate(self) -> float:
        """Yields / times in focus, at most 1; 0 for a node never in focus."""
        return min(1.0, self.yield_count / self.focus_count) if self.focus_count else 0.0

    @property
    def shallow_ratio(self) -> float:
        """How many of its last three answers were shallow; 0 without answers."""
        recent = self.depths[-RECENT:]
        return recent.count("shallow") / len(recent) if recent else 0.0

    @property
    def exhaustion_score(self) -> float:
        """0 to 0.3 fresh, to 0.6 in use; above that better left for something else."""
        stagnant = min(self.turns_since_yield, 10) / 10 * 0.4
        return stagnant + min(self.focus_streak, 5) / 5 * 0.3 + self.shallow_ratio * 0.3


States = Mapping[str, NodeState]


@dataclass(frozen=True, slots=True)
class LastQuestion:
    """What the last question was about (nothing in particular: empty), and how it was answered."""

    focus: str
    strategy: str
    depth: Depth


def states_after(
    before: States, graph: Graph, change: Change, turn: int, asked: LastQuestion | None
) -> dict[str, NodeState]:
    """The state of every node once an answer stands in the graph; `asked` is None at the opening.

    An element that nobody has spoken of is in it under its own id once it has been asked about.
    """
    ins = Counter(edge.target for edge in graph.edges)
    outs = Counter(edge.source for edge in graph.edges)
    yielding = _yielding(graph, change)
    after = {}
    for name in _names(before, graph, asked):
        state = before.get(name) or NodeState(created=turn, turn=turn)
        focused = asked is not None and asked.focus == name
        state = replace(
            state,
            turn=turn,
            connected=graph.neighbours.get(name, ()),
            edges_in=ins[name],
            edges_out=outs[name],
            focus_streak=state.focus_streak if focused else 0,
        )
        state = _asked(state, asked) if asked and focused else state
        after[name] = _judged(state, name in yielding and name not in change.added)
    return after


def _names(before: States, graph: Graph, asked: LastQuestion | None) -> list[str]:
    """All nodes, and elements that were asked about."""
    focus = (asked.focus,) if asked and asked.focus else ()
    return list(dict.fromkeys((*graph.by_id, *before, *focus)))


def _yielding(graph: Graph, change: Change) -> frozenset[str]:
    """Nodes at which or next to which the answer changed the graph."""
    touched = change.touched
    beside = (other for name in touched for other in graph.neighbours[name])
    return frozenset((*touched, *beside))


def _asked(state: NodeState, asked: LastQuestion) -> NodeState:
    again = asked.strategy == state.last_strategy
    used = state.strategies.get(asked.strategy, 0) + 1
    return replace(
        state,
        focus_count=state.focus_count + 1,
        last_focus=state.turn,
        focus_streak=state.focus_streak + 1,
        depths=(*state.depths, asked.depth),
        strategies={**state.strategies, asked.strategy: used},
        last_strategy=asked.strategy,
        strategy_streak=state.strategy_streak + 1 if again else 1,
    )


def _judged(state: NodeState, yields: bool) -> NodeState:
    """With its yield counted, and whether there is nothing more to be had there."""
    if yields:
        count = state.yield_count + 1
        return replace(state, last_yield=state.turn, yield_count=count, exhausted=False)
    if _is_exhausted(state) and not state.exhausted:
        return replace(state, exhausted=True)
    return state


def _is_exhausted(state: NodeState) -> bool:
    return (
        state.focus_count >= 1
        and state.turns_since_yield >= STAGNANT
        and state.focus_streak >= LONG_FOCUS
        and state.shallow_ratio >= SHALLOW
    )
