"""Make the ladders of a laddering interview: figures, chains by name, matrix. By rules."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Literal

from interviews.models import Session
from interviews.protocols.laddering.codes.assignment import code_interviews, codes_of
from interviews.protocols.laddering.codes.pooled_codes import CodePool, ConceptCode, pool_codes
from interviews.protocols.laddering.exports.matrix import MatrixCell, implication_matrix
from interviews.protocols.laddering.graph.measures import longest_chain, measure, reachable
from interviews.protocols.laddering.graph.types import Graph, GraphNode
from interviews.protocols.laddering.ladders import Ladder, Rung, graph_of, ladder_of, material_of
from reflections.evidence.material import transcript_of
from reflections.evidence.types import StoredModel

MOST = 200  # ladders that are listed: a graph that is tied at random has more than anybody reads
MOST_FROM_ONE = 25  # of them, from where one begins


class RungNamed(StoredModel):
    """A type of node. Rungs are counted from 1, the lowest."""

    id: str
    number: int
    name: str
    nodes: int = 0  # of that type


class LadderStep(StoredModel):
    id: str
    text: str
    rung: int
    type: str  # in words
    positions: tuple[int, ...] = ()  # of the answers in the transcript


class LadderChain(StoredModel):
    steps: tuple[LadderStep, ...]
    rungs: int  # how many different ones it touches
    top: bool  # whether it ends on the highest rung


class CodeNamed(StoredModel):
    number: int
    text: str
    rung: int
    type: str
    nodes: tuple[str, ...]
    direct: tuple[int, ...] = ()  # numbers of those that it led to
    indirect: tuple[int, ...] = ()  # of those that it led to over others only


class CellNamed(StoredModel):
    source: int
    target: int
    direct: int
    indirect: int


class ElementReached(StoredModel):
    id: str
    label: str
    nodes: int
    depth: float  # its longest chain / the ladder's length


class LadderFigures(StoredModel):
    nodes: int
    edges: int
    answers: int
    longest: int  # chain, in rungs
    orphans: int  # nodes without an edge
    breadth: float | None = None  # elements that were talked about / all
    depth: float | None = None  # mean depth of all elements
    elements: tuple[ElementReached, ...] = ()


class Ladders(StoredModel):
    language: str
    rungs: tuple[RungNamed, ...]
    metrics: LadderFigures
    ladders: tuple[LadderChain, ...]
    more: bool = False  # there are ladders beyond those that are listed
    codes: tuple[CodeNamed, ...] = ()
    matrix: tuple[CellNamed, ...] = ()
    made_by: Literal["rules"] = "rules"


def ladders(session: Session) -> dict[str, Any]:
    code_interviews(session.bot_id)
    graph, stored = graph_of(session), codes_of([session.pk])
    ladder = ladder_of(session.plan_id, [graph], (c.type for c in stored[str(session.pk)].values()))
    listed, more = _chains(graph, ladder, ladder.relations[0])
    pool = pool_codes({str(session.pk): graph}, ladder.relations[:1], stored)
    codes, cells = _matrix(pool, ladder)
    result = Ladders(
        language=session.language,
        rungs=_rungs(graph, ladder),
        metrics=_figures(session, graph, ladder),
        ladders=listed,
        more=more,
        codes=codes,
        matrix=cells,
    )
    return result.model_dump(mode="json")


# -- figures


def _rungs(graph: Graph, ladder: Ladder) -> tuple[RungNamed, ...]:
    counts = Counter(node.type for node in graph.nodes)
    return tuple(
        RungNamed(id=rung.id, number=rung.number, name=rung.name, nodes=counts[rung.id])
        for rung in ladder.rungs
    )


def _figures(session: Session, graph: Graph, ladder: Ladder) -> LadderFigures:
    return LadderFigures(
        nodes=len(graph.nodes),
        edges=len(graph.edges),
        answers=len(transcript_of(session).answers),
        longest=longest_chain(graph, graph.by_id),
        orphans=sum(not others for others in graph.neighbours.values()),
        **_element_figures(session, graph, ladder),
    )


def _element_figures(session: Session, graph: Graph, ladder: Ladder) -> dict[str, Any]:
    material = material_of(session.plan_id)
    if material is None:
        return {}
    found = measure(graph, material.concept, material.methodology)
    reached = tuple(
        ElementReached(
            id=one.element,
            label=ladder.elements[one.element],
            nodes=len(one.nodes),
            depth=round(one.depth_score, 3),
        )
        for one in found.coverage
    )
    shares = {"breadth": round(found.coverage_breadth, 3), "depth": round(found.depth, 3)}
    return {**shares, "elements": reached}


# -- ladders by name


def _chains(graph: Graph, ladder: Ladder, upward: str) -> tuple[tuple[LadderChain, ...], bool]:
    targets: dict[str, list[str]] = defaultdict(list)
    for edge in graph.edges:
        if edge.relation == upward:
            targets[edge.source].append(edge.target)
    found, more = list[LadderChain](), False
    for start in _starts(graph, targets):
        paths = list(islice(_paths(start, targets), MOST_FROM_ONE + 1))
        more = more or len(paths) > MOST_FROM_ONE
        found += [_chain([graph.by_id[n] for n in p], ladder) for p in paths[:MOST_FROM_ONE]]
    ordered = sorted(found, key=lambda one: (-one.rungs, -len(one.steps)))
    return tuple(ordered[:MOST]), more or len(ordered) > MOST


def _starts(graph: Graph, targets: Mapping[str, list[str]]) -> list[str]:
    """Return where ladders begin: nodes that lead on and that nothing leads to.

    Of a cycle that is reached from none of these, its first node.
    """
    led_to = {target for names in targets.values() for target in names}
    leading = [node.id for node in graph.nodes if node.id in targets]
    starts = [name for name in leading if name not in led_to]
    reached = reachable(starts, lambda name: targets.get(name, ()))
    for name in leading:
        if name not in reached:
            starts.append(name)
            reached |= reachable([name], lambda name: targets.get(name, ()))
    return starts


def _paths(start: str, targets: Mapping[str, list[str]]) -> Iterator[tuple[str, ...]]:
    """Yield every way up from a node to one that nothing follows, without repeating a node."""
    waiting: list[tuple[str, ...]] = [(start,)]
    while waiting:
        path = waiting.pop()
        further = [name for name in targets.get(path[-1], ()) if name not in path]
        if not further:
            yield path
        waiting += [(*path, name) for name in reversed(further)]


def _chain(nodes: list[GraphNode], ladder: Ladder) -> LadderChain:
    steps = tuple(_step(node, ladder) for node in nodes)
    top = steps[-1].rung == len(ladder.rungs)
    return LadderChain(steps=steps, rungs=len({step.rung for step in steps}), top=top)


def _step(node: GraphNode, ladder: Ladder) -> LadderStep:
    rung = ladder.by_type[node.type]
    return LadderStep(
        id=node.id, text=node.text, rung=rung.number, type=rung.name, positions=node.positions
    )


# -- the implication matrix


def _matrix(pool: CodePool, ladder: Ladder) -> tuple[tuple[CodeNamed, ...], tuple[CellNamed, ...]]:
    rungs = ladder.by_type
    listed = sorted(pool.codes, key=lambda code: rungs[code.type].number)
    number = {code.id: place for place, code in enumerate(listed, 1)}
    cells = sorted(
        (_cell(cell, number) for cell in implication_matrix(pool)),
        key=lambda cell: (cell.source, cell.target),
    )
    targets: dict[int, list[CellNamed]] = defaultdict(list)
    for cell in cells:
        targets[cell.source].append(cell)
    codes = (_code(c, number[c.id], rungs[c.type], targets[number[c.id]]) for c in listed)
    return tuple(codes), tuple(cells)


def _code(code: ConceptCode, number: int, rung: Rung, cells: Sequence[CellNamed]) -> CodeNamed:
    return CodeNamed(
        number=number,
        text=code.text,
        rung=rung.number,
        type=rung.name,
        nodes=tuple(node for _, node in code.nodes),
        direct=tuple(cell.target for cell in cells if cell.direct),
        indirect=tuple(cell.target for cell in cells if not cell.direct),
    )


def _cell(cell: MatrixCell, number: Mapping[str, int]) -> CellNamed:
    return CellNamed(
        source=number[cell.source],
        target=number[cell.target],
        direct=cell.direct,
        indirect=cell.indirect,
    )
