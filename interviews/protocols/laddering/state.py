"""Where a laddering interview stands."""

from collections.abc import Mapping

from pydantic import Field

from interviews.engine.context import ProtocolState
from interviews.protocols.laddering.graph.states import NodeState
from interviews.protocols.laddering.graph.types import Graph
from interviews.protocols.laddering.signals.moment import Talk
from plans.protocols.plan_content import Frozen


class PutQuestion(Frozen):
    """A question as it was put, with the strategy and the focus behind it.

    The opening has neither; a focus is a node's id, or ELEMENT and an element's.
    """

    text: str
    strategy: str = ""
    focus: str = ""


class LadderingState(ProtocolState):
    """The graph, what the talk has done at each node, and all questions; the last one is open."""

    talk: Talk
    asked: tuple[PutQuestion, ...] = Field(min_length=1)
    graph: Graph = Graph()
    nodes: Mapping[str, NodeState] = {}
    unchanged: int = 0  # answers in a row that left the graph as it was
    asides: int = 0  # questions back in a row

    @property
    def open(self) -> PutQuestion:
        """The question that waits for an answer."""
        return self.asked[-1]
