from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Literal

from pydantic import Field

from interviews.engine.context import ProtocolState
from interviews.protocols.laddering.graph.states import NodeState
from interviews.protocols.laddering.graph.types import Graph
from interviews.protocols.laddering.signals.moment import Talk
from plans.protocols.plan_content import Frozen


class PutQuestion(Frozen):
    """A question as it was put. The opening has neither strategy nor focus."""

    text: str
    strategy: str = ""
    focus: str = ""  # a node's id, or ELEMENT and an element's


Verdict = Literal["confirmed", "denied", "unclear"]


class Validation(Frozen):
    """A chain of reasons that was said back, and what the person said to that."""

    chain: tuple[str, ...]  # ids of nodes, from the lowest up
    verdict: Verdict


class LadderingState(ProtocolState):
    talk: Talk
    asked: tuple[PutQuestion, ...] = Field(min_length=1)  # the last one is open
    graph: Graph = Graph()
    nodes: Mapping[str, NodeState] = {}
    unchanged: int = 0  # answers in a row that left the graph as it was
    validations: tuple[Validation, ...] = ()
    offering: bool = False  # the open question offers to end
    hard_told: bool = False  # something hard was told

    @property
    def open(self) -> PutQuestion:
        return self.asked[-1]


def without_nodes(state: LadderingState, gone: Collection[str]) -> LadderingState:
    """Return the state without these nodes, their ties, and what was asked of them."""
    graph, talk = state.graph, state.talk
    states = {name: one for name, one in state.nodes.items() if name not in gone}
    return state.but(
        talk=replace(talk, focus="") if talk.focus in gone else talk,
        asked=tuple(
            put.model_copy(update={"focus": ""}) if put.focus in gone else put
            for put in state.asked
        ),
        graph=Graph(
            tuple(one for one in graph.nodes if one.id not in gone),
            tuple(one for one in graph.edges if not {one.source, one.target} & {*gone}),
        ),
        nodes={
            name: replace(one, contradicted="") if one.contradicted in gone else one
            for name, one in states.items()
        },
        validations=tuple(one for one in state.validations if not {*one.chain} & {*gone}),
    )
