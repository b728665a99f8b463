from interviews.engine.protocol import TopicCoverage
from interviews.protocols.laddering.graph.measures import ElementCoverage, coverage
from interviews.protocols.laddering.signals.moment import ELEMENT
from interviews.protocols.laddering.state import LadderingState
from plans.protocols.laddering.content import LadderingMaterial

ENGAGEMENT = {"shallow": 0.0, "moderate": 0.5, "deep": 1.0}


def topic_coverage(material: LadderingMaterial, state: LadderingState) -> tuple[TopicCoverage, ...]:
    """Return a row per element, for exports.

    Its sub-goals are the rungs of the ladder, covered by its longest chain.
    """
    labels = {element.id: element.label for element in material.concept.elements}
    rungs = len(material.methodology.ladder)
    found = coverage(state.graph, material.concept, material.methodology)
    return tuple(_row(one, labels[one.element], rungs, state) for one in found)


def _row(one: ElementCoverage, label: str, rungs: int, state: LadderingState) -> TopicCoverage:
    names = (*one.nodes, ELEMENT + one.element)  # the element from before it had nodes
    states = [state.nodes[name] for name in names if name in state.nodes]
    depths = [ENGAGEMENT[depth] for node in states for depth in node.depths]
    covered = "full" if one.depth_score == 1 else "partial"
    return TopicCoverage(
        topic=one.element,
        label=label,
        turns=sum(node.focus_count for node in states),
        bonus_turns=0,
        deepening_turns=0,
        sub_goals=rungs,
        covered=round(one.depth_score * rungs),
        coverage=covered if one.covered else "none",
        engagement=round(sum(depths) / len(depths), 3) if depths else 0.0,
        key_insight="",
    )
