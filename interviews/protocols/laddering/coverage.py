"""How far each element of the concept was talked about, as exports tell it."""

from interviews.engine.protocol import TopicCoverage
from interviews.protocols.laddering.graph.measures import ElementCoverage, coverage
from interviews.protocols.laddering.graph.states import NodeState
from interviews.protocols.laddering.signals.moment import ELEMENT
from interviews.protocols.laddering.state import LadderingState
from plans.protocols.laddering.content import LadderingMaterial

DEEP = {"shallow": 0.0, "moderate": 0.5, "deep": 1.0}


def reached(material: LadderingMaterial, state: LadderingState) -> tuple[TopicCoverage, ...]:
    """A row an element: its sub-goals are the rungs of the ladder, covered by its longest chain."""
    labels = {element.id: element.label for element in material.concept.elements}
    found = coverage(state.graph, material.concept, material.methodology)
    return tuple(_row(one, labels[one.element], material, state) for one in found)


def _row(
    one: ElementCoverage, label: str, material: LadderingMaterial, state: LadderingState
) -> TopicCoverage:
    rungs = len(material.methodology.ladder)
    states = [state.nodes[name] for name in _names(one) if name in state.nodes]
    return TopicCoverage(
        topic=one.element,
        label=label,
        turns=sum(each.focus_count for each in states),
        bonus_turns=0,
        deepening_turns=0,
        sub_goals=rungs,
        covered=round(one.depth_score * rungs),
        coverage=_extent(one),
        engagement=_engagement(states),
        key_insight="",
    )


def _names(one: ElementCoverage) -> tuple[str, ...]:
    """Its nodes, and itself from the time when nobody had spoken of it."""
    return (*one.nodes, ELEMENT + one.element)


def _extent(one: ElementCoverage) -> str:
    if not one.covered:
        return "none"
    return "full" if one.depth_score == 1 else "partial"


def _engagement(states: list[NodeState]) -> float:
    """How deep the answers about it went, 0 to 1."""
    depths = [DEEP[depth] for state in states for depth in state.depths]
    return round(sum(depths) / len(depths), 3) if depths else 0.0
