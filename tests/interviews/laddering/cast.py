"""A methodology, a concept and graphs that tests share."""

from collections.abc import Iterable

from interviews.protocols.laddering.graph.types import (
    Change,
    ExtractedConcept,
    ExtractedRelation,
    Graph,
    GraphEdge,
    GraphExtraction,
    GraphNode,
)
from interviews.protocols.laddering.graph.update import update_graph
from plans.protocols.laddering.schema.concept import Concept, Context, Element
from plans.protocols.laddering.schema.methodology import (
    Between,
    Methodology,
    NodeType,
    Relation,
    Strategy,
)

TYPES = ("thing", "effect", "feeling", "value")

STRATEGIES = (
    Strategy(
        id="up",
        name="Up",
        description="Ask what follows from it.",
        technique="ladder_up",
        focus_preference="newest",
        signal_weights={"graph.node.exhausted.true": -5, "llm.response_depth.deep": 1},
        templates={"en": ("What does {focus} do for you?",)},
    ),
    Strategy(
        id="wider",
        name="Wider",
        description="Ask for something else.",
        technique="widen",
        focus_preference="uncovered",
        signal_weights={"llm.response_depth.shallow": 1.5},
        templates={"en": ("What about {focus}?", "What else comes to mind?")},
    ),
)


def methodology(*strategies: Strategy, **changes: object) -> Methodology:
    """Four rungs, each of which may lead to any higher one, and the next rung back down."""
    rungs = tuple(NodeType(id=name, name=name.title(), meaning=f"A {name}.") for name in TYPES)
    up = tuple(Between(source=t, targets=TYPES[i + 1 :]) for i, t in enumerate(TYPES[:-1]))
    made = Methodology(
        id="small",
        name="Small",
        goal="To see what follows from what.",
        ladder=rungs,
        relations=(Relation(id="leads_to", meaning="Brings it about.", between=up),),
        signals=("graph.node.exhausted", "llm.response_depth"),
        strategies=strategies or STRATEGIES,
        opening={"en": "What comes to mind about {topic}?"},
        closing={"en": "Thank you."},
    )
    return made.model_copy(update=changes)


def concept(**names: tuple[str, ...]) -> Concept:
    """A concept whose elements are known by these words, the first one being the label."""
    names = names or {"light": ("warm light", "soft light"), "price": ("price",)}
    return Concept(
        id="lamp",
        name="A lamp",
        context=Context(topic="reading in the evening"),
        elements=tuple(Element(id=i, label=n[0], aliases=n[1:]) for i, n in names.items()),
    )


def graph(nodes: str, edges: str = "", elements: str = "light") -> Graph:
    """A graph from “a:thing b:effect” and “a-b”; every node speaks of these elements."""
    about = tuple(elements.split())
    pairs = [node.split(":") for node in nodes.split()]
    return Graph(
        tuple(GraphNode(name, f"text {name}", kind, (1,), 1, about) for name, kind in pairs),
        tuple(GraphEdge(*edge.split("-"), "leads_to", (1,)) for edge in edges.split()),
    )


def extraction(concepts: Iterable[tuple[str, str]], *relations: tuple[str, str]) -> GraphExtraction:
    """Texts with their types, and which leads to which."""
    return GraphExtraction(
        tuple(ExtractedConcept(text, kind) for text, kind in concepts),
        tuple(ExtractedRelation(source, target, "leads_to") for source, target in relations),
    )


def grown(*answers: GraphExtraction, before: Graph | None = None) -> tuple[Graph, Change]:
    """The graph after these answers, and what the last one changed."""
    made, change = before or Graph(), Change()
    for turn, answer in enumerate(answers, 1):
        made, change = update_graph(made, answer, turn, turn * 2, methodology(), concept())
    return made, change
