"""The graphs of interviews as they are stored, with the names of what they are made of."""

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
    """A type of node. Rungs are counted from 1, the lowest."""

    id: str
    number: int
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
        """The types from the lowest rung up."""
        return tuple(rung.id for rung in self.rungs)

    @property
    def by_type(self) -> dict[str, Rung]:
        return {rung.id: rung for rung in self.rungs}

    def labels(self, elements: Iterable[str]) -> list[str]:
        """Elements by their labels; one that the plan doesn't know by its id."""
        return [self.elements.get(one, one) for one in elements]


def graph_of(session: Session) -> Graph:
    """What was said in an interview, as its graph."""
    return graphs_of([session.pk])[session.pk]


def graphs_of(sessions: Iterable[UUID]) -> dict[UUID, Graph]:
    """The graph of each of these interviews, in their order, in two queries."""
    keys = list(sessions)
    nodes: dict[UUID, list[GraphNode]] = defaultdict(list)
    edges: dict[UUID, list[GraphEdge]] = defaultdict(list)
    for row in NodeRow.objects.filter(session__in=keys).order_by("id"):
        nodes[row.session_id].append(_node(row))
    rows = EdgeRow.objects.filter(session__in=keys).order_by("id").values_list(*EDGE_COLUMNS)
    for session, source, target, relation, positions in rows:
        edges[session].append(GraphEdge(source, target, relation, tuple(positions)))
    return {key: Graph(tuple(nodes[key]), tuple(edges[key])) for key in keys}


def _node(row: NodeRow) -> GraphNode:
    return GraphNode(
        id=row.key,
        text=row.text,
        type=row.type,
        positions=tuple(row.positions),
        created=row.created_turn,
        elements=tuple(row.elements),
    )


def material_of(plan_id: int) -> LadderingMaterial | None:
    """The plan's concept and methodology; None for a plan whose interviews build no graph."""
    material = plan_content(plan_id).material
    return material if isinstance(material, LadderingMaterial) else None


def ladder_of(plan_id: int, graphs: Iterable[Graph] = ()) -> Ladder:
    """The names that a plan gives; what else the graphs hold comes after, by its own name."""
    rungs, relations, elements = _named(material_of(plan_id))
    known = list(graphs)
    rungs |= {node.type: ("", "") for g in known for node in g.nodes if node.type not in rungs}
    relations += [e.relation for g in known for e in g.edges]
    return Ladder(
        rungs=tuple(
            Rung(kind, number, name or in_words(kind), meaning)
            for number, (kind, (name, meaning)) in enumerate(rungs.items(), 1)
        ),
        relations=tuple(dict.fromkeys(relations)) or (UPWARD,),
        elements=elements,
    )


def _named(
    material: LadderingMaterial | None,
) -> tuple[dict[str, tuple[str, str]], list[str], dict[str, str]]:
    """Rungs with name and meaning, relations, labels of elements."""
    if material is None:
        return {}, [], {}
    how = material.methodology
    rungs = {rung.id: (rung.name, rung.meaning) for rung in how.ladder}
    labels = {element.id: element.label for element in material.concept.elements}
    return rungs, [relation.id for relation in how.relations], labels


def in_words(name: str) -> str:
    """An id as people would write it."""
    return name.replace("_", " ").capitalize()
