"""Counts, chains and coverage, against graphs that were worked out by hand."""

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from interviews.protocols.laddering.graph.measures import chain_lengths, longest_chain, measure
from interviews.protocols.laddering.graph.types import Graph, GraphEdge, GraphNode
from tests.each import each
from tests.interviews.laddering.cast import TYPES, concept, graph, methodology


@each(
    ("nodes", "edges", "length"),
    [
        ("", "", 0),
        ("a:thing", "", 1),
        # three types side by side without an edge: each is a chain of one
        ("a:thing b:effect c:value", "", 1),
        # a -> b and c apart: a-b
        ("a:thing b:effect c:value", "a-b", 2),
        # edges count both ways: a -> b <- c is the chain a-b-c
        ("a:thing b:effect c:thing", "a-b c-b", 2),
        ("a:thing b:effect c:feeling", "a-b c-b", 3),
        # never back to a type that was left: of a-b-c-d, with thing twice, b-c-d is the longest
        ("a:thing b:effect c:thing d:value", "a-b b-c c-d", 3),
        # b and c are one link: a-(bc)-d
        ("a:thing b:effect c:effect d:feeling", "a-b b-c c-d", 3),
        # two of one type are one link
        ("a:thing b:thing", "a-b", 1),
        # a star: the centre and two of its arms, a-m-c
        ("m:effect a:thing b:feeling c:value", "m-a m-b m-c", 3),
        # a ring of all four types: the ring opened anywhere
        ("a:thing b:effect c:feeling d:value", "a-b b-c c-d d-a", 4),
        # the first way from a ends at once, the second goes on: a-c-d
        ("a:thing b:effect c:effect d:value", "a-b a-c c-d", 3),
    ],
)
def test_the_longest_chain_of_distinct_types(nodes: str, edges: str, length: int):
    made = graph(nodes, edges)

    assert longest_chain(made, made.by_id) == length


def by_trying_all(made: Graph) -> int:
    """The same by walking every way along the nodes."""
    kind = {node.id: node.type for node in made.nodes}

    def farthest(walk: tuple[str, ...]) -> int:
        left = {kind[name] for name in walk} - {kind[walk[-1]]}
        ahead = [n for n in made.neighbours[walk[-1]] if n not in walk and kind[n] not in left]
        return max([len(left) + 1, *(farthest((*walk, name)) for name in ahead)])

    return max((farthest((node.id,)) for node in made.nodes), default=0)


@st.composite
def graphs(draw: st.DrawFn, most: int = 7) -> Graph:
    count = draw(st.integers(0, most))
    nodes = tuple(
        GraphNode(
            f"n{i}",
            f"text {i}",
            draw(st.sampled_from(TYPES)),
            (1,),
            1,
            tuple(draw(st.sets(st.sampled_from(("light", "price"))))),
        )
        for i in range(count)
    )
    pairs = [(a.id, b.id) for a, b in itertools.permutations(nodes, 2)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return Graph(nodes, tuple(GraphEdge(a, b, "leads_to", (1,)) for a, b in chosen))


@settings(deadline=None)
@given(graphs())
def test_the_longest_chain_is_what_trying_all_finds(made: Graph):
    assert longest_chain(made, made.by_id) == by_trying_all(made)


def test_each_node_is_as_deep_as_the_climb_through_it():
    made = graph("a:thing b:effect c:feeling d:value e:thing f:thing", "a-b b-c d-e")

    lengths = chain_lengths(made, methodology())
    assert lengths == {"a": 3, "b": 3, "c": 3, "d": 1, "e": 1, "f": 1}  # d to e goes down


def test_a_graph_in_figures():
    # light: a(thing) - b(effect) - c(feeling), and d(value) apart. The chain a-b-c is 3 of 4 rungs.
    # price: nothing. So breadth 1 of 2, depth (0.75 + 0) / 2.
    made = graph("a:thing b:effect c:feeling d:value", "a-b b-c")
    figures = measure(made, concept(), methodology())

    assert (figures.node_count, figures.edge_count) == (4, 2)
    assert (figures.max_depth, figures.orphan_count) == (3, 1)
    assert (figures.coverage_breadth, figures.depth) == (0.5, 0.375)
    light, price = figures.coverage
    assert (light.covered, light.nodes, light.types) == (True, ("a", "b", "c", "d"), TYPES)
    assert light.depth_score == 0.75
    assert (price.covered, price.nodes, price.types, price.depth_score) == (False, (), (), 0)
    assert figures.uncovered == ("price",)


def test_a_chain_through_a_node_of_another_element_is_no_chain_of_this_one():
    # a and c speak of light, b between them doesn't: of light there are a and c alone.
    made = graph("a:thing b:effect c:feeling", "a-b b-c")
    nodes = tuple(
        node if node.id != "b" else GraphNode("b", "b", "effect", (1,), 1) for node in made.nodes
    )
    figures = measure(Graph(nodes, made.edges), concept(), methodology())

    assert figures.coverage[0].depth_score == 0.25
    assert figures.max_depth == 3


def test_nothing_was_said_yet():
    figures = measure(Graph(), concept(), methodology())

    assert (figures.max_depth, figures.orphan_count, figures.coverage_breadth) == (0, 0, 0)


@settings(deadline=None)
@given(graphs(), st.data())
def test_coverage_never_falls_as_nodes_and_edges_are_added(whole: Graph, data: st.DataObject):
    kept = data.draw(st.sets(st.sampled_from(whole.nodes))) if whole.nodes else set()
    names = {node.id for node in kept}
    inside = [edge for edge in whole.edges if {edge.source, edge.target} <= names]
    edges = data.draw(st.lists(st.sampled_from(inside), unique=True)) if inside else []
    part = Graph(tuple(n for n in whole.nodes if n.id in names), tuple(edges))
    less = measure(part, concept(), methodology())
    more = measure(whole, concept(), methodology())

    assert less.coverage_breadth <= more.coverage_breadth
    assert less.depth <= more.depth
    assert less.max_depth <= more.max_depth
    for before, after in zip(less.coverage, more.coverage, strict=True):
        assert before.depth_score <= after.depth_score <= 1
        assert set(before.types) <= set(after.types)
