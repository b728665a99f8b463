"""The stored graphs of interviews, with the names of what they are made of."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from interviews.models import Edge as EdgeRow
from interviews.models import Node as NodeRow
from interviews.models import Session
from interviews.protocols.laddering.graph.types import Graph, GraphEdge, GraphNode
from interviews.turns.store import plan_content
from plans.protocols.laddering.content import LadderingMaterial

UPWARD = "leads_to"  # the relation that ladders are made of, where a plan names none
EDGE_COLUMNS = ("session_id", "source__key", "target__key", "relation", "positions")


@dataclass(frozen=True, slots=True)
class Rung:
    id: str
    number: int  # from 1, the lowest
    name: str
    meaning: str = ""


@dataclass(frozen=True)
class Ladder:
    """What the nodes and edges of some graphs are called."""

    rungs: tuple[Rung, ...]
    relations: tuple[str, ...]  # the one that leads up the ladder comes first
    elements: Mapping[str, str]  # id -> label

    @property
    def types(self) -> tuple[str, ...]:
        return tuple(rung.id for rung in self.rungs)

    @property
    def by_type(self) -> dict[str, Rung]:
        return {rung.id: rung for rung in self.rungs}

    def labels(self, elements: Iterable[str]) -> list[str]:
        return [self.elements.get(one, one) for one in elements]


def graph_of(session: Session) -> Graph:
    return graphs_of([session.pk])[session.pk]


def graphs_of(sessions: Iterable[UUID]) -> dict[UUID, Graph]:
    """Return the graph of each of these interviews, in their order, with two queries."""
    keys = list(sessions)
    nodes: dict[UUID, list[GraphNode]] = defaultdict(list)
    edges: dict[UUID, list[GraphEdge]] = defaultdict(list)
    for row in NodeRow.objects.filter(session__in=keys).order_by("id"):
        positions, elements = tuple(row.positions), tuple(row.elements)
        node = GraphNode(row.key, row.text, row.type, positions, row.created_turn, elements)
        nodes[row.session_id].append(node)
    rows = EdgeRow.objects.filter(session__in=keys).order_by("id").values_list(*EDGE_COLUMNS)
    for session, source, target, relation, places in rows:
        edges[session].append(GraphEdge(source, target, relation, tuple(places)))
    return {key: Graph(tuple(nodes[key]), tuple(edges[key])) for key in keys}


def material_of(plan_id: int) -> LadderingMaterial | None:
    material = plan_content(plan_id).material
    return material if isinstance(material, LadderingMaterial) else None


def ladder_of(plan_id: int, graphs: Iterable[Graph] = (), types: Iterable[str] = ()) -> Ladder:
    """Return the plan's names; what else there is in graphs and types comes after, by its own."""
    rungs: dict[str, tuple[str, str]] = {}  # type -> name, meaning
    relations: list[str] = []
    elements: dict[str, str] = {}
    if material := material_of(plan_id):
        rungs = {rung.id: (rung.name, rung.meaning) for rung in material.methodology.ladder}
        relations = [relation.id for relation in material.methodology.relations]
        elements = {element.id: element.label for element in material.concept.elements}
    for graph in graphs:
        for node in graph.nodes:
            rungs.setdefault(node.type, ("", ""))
        relations += [edge.relation for edge in graph.edges]
    for kind in types:
        rungs.setdefault(kind, ("", ""))
    return Ladder(
        rungs=tuple(
            Rung(kind, number, name or in_words(kind), meaning)
            for number, (kind, (name, meaning)) in enumerate(rungs.items(), 1)
        ),
        relations=tuple(dict.fromkeys(relations)) or (UPWARD,),
        elements=elements,
    )


def in_words(name: str) -> str:
    return name.replace("_", " ").capitalize()
