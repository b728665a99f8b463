"""The graph as researchers take it along, against what was worked out by hand."""

import time
from io import BytesIO
from xml.etree import ElementTree

import networkx
from hypothesis import given, settings
from hypothesis import strategies as st

from interviews.protocols.laddering.codes.pooled_codes import pool_codes
from interviews.protocols.laddering.exports.graphml import NAMESPACE, graphml
from interviews.protocols.laddering.exports.matrix import implication_matrix, shares, value_map
from interviews.protocols.laddering.graph.types import Graph, GraphEdge, GraphNode
from tests.examples import examples
from tests.interviews.laddering.test_measures import graphs


def said(*chains: str) -> Graph:
    """Chains such as “price:thing > saves money:effect”, in one graph."""
    nodes: dict[str, GraphNode] = {}
    edges: dict[tuple[str, str], GraphEdge] = {}
    for chain in chains:
        before = ""
        for part in chain.split(" > "):
            text, kind = part.split(":")
            node = nodes.setdefault(
                text, GraphNode(f"n{len(nodes) + 1}", text, kind, (2, 4), 1, ("x",))
            )
            if before:
                edges[before, node.id] = GraphEdge(before, node.id, "leads_to", (4,))
            before = node.id
    return Graph(tuple(nodes.values()), tuple(edges.values()))


ONE = said("price:thing > saves money:effect")


def read_back(text: str) -> tuple[dict, list]:
    """Nodes by id and edges of a GraphML document, each with its fields by their names."""
    root = ElementTree.fromstring(text.encode())
    inside = {"g": NAMESPACE}
    names = {key.get("id"): key.get("attr.name") for key in root.findall("g:key", inside)}

    def fields(part: ElementTree.Element) -> dict[str, str]:
        return {names[d.get("key")]: d.text or "" for d in part.findall("g:data", inside)}

    drawn = root.find("g:graph", inside)
    assert drawn.get("edgedefault") == "directed"
    nodes = {part.get("id"): fields(part) for part in drawn.findall("g:node", inside)}
    edges = [
        (part.get("source"), part.get("target"), fields(part))
        for part in drawn.findall("g:edge", inside)
    ]
    return nodes, edges


@settings(deadline=None)
@given(graphs())
def test_graphml_read_back_is_the_same_graph(made: Graph):
    nodes, edges = read_back(graphml(made))

    assert {name: (f["text"], f["type"], f["elements"]) for name, f in nodes.items()} == {
        node.id: (node.text, node.type, " ".join(node.elements)) for node in made.nodes
    }
    assert [(a, b, f["relation"]) for a, b, f in edges] == [edge.key for edge in made.edges]


@settings(deadline=None)
@given(graphs())
def test_tools_for_graphs_read_the_same_graph(made: Graph):
    read = networkx.read_graphml(BytesIO(graphml(made).encode()), force_multigraph=True)

    assert read.is_directed()
    assert [
        (name, f["text"], f["type"], f["created_turn"]) for name, f in read.nodes(data=True)
    ] == [(node.id, node.text, node.type, node.created) for node in made.nodes]
    assert sorted((a, b, f["relation"]) for a, b, f in read.edges(data=True)) == sorted(
        edge.key for edge in made.edges
    )


@given(st.text(max_size=30))
def test_graphml_is_valid_whatever_was_said(text: str):
    made = Graph((GraphNode("n1", text, "thing", (1,), 1),))

    assert set(read_back(graphml(made))[0]) == {"n1"}


THREE = {
    "a": said("soft light:thing > eyes rest:effect > feel calm:feeling"),
    "b": said("Soft light:thing > eyes rest:effect", "price:thing > saves money:effect"),
    "c": said("soft lights:thing > feeling calm:feeling", "calm:value"),
}


def test_what_means_the_same_in_several_interviews_is_one_code():
    codes = {code.text: code for code in pool_codes(THREE).codes}

    assert list(codes) == ["soft light", "eyes rest", "feel calm", "price", "saves money", "calm"]
    assert codes["soft light"].sessions == ("a", "b", "c")
    assert codes["soft light"].nodes == (("a", "n1"), ("b", "n1"), ("c", "n1"))
    assert codes["feel calm"].sessions == ("a", "c")
    assert codes["calm"].type == "value"  # the same words, but another rung


def test_the_implication_matrix():
    # light -> eyes: direct in a and b. eyes -> calm: direct in a. light -> calm: over the eyes in
    # a, direct in c. price -> money: direct in b.
    pool = pool_codes(THREE)
    text = {code.id: code.text for code in pool.codes}
    cells = [(text[c.source], text[c.target], str(c)) for c in implication_matrix(pool)]

    assert cells == [
        ("soft light", "eyes rest", "2.00"),
        ("soft light", "feel calm", "1.01"),
        ("eyes rest", "feel calm", "1.00"),
        ("price", "saves money", "1.00"),
    ]


def test_the_value_map_draws_what_enough_interviews_hold():
    cells = implication_matrix(pool_codes(THREE))
    drawn = value_map(cells, cut_off=2)

    assert [str(cell) for cell in drawn.lines] == ["2.00", "1.01"]
    assert drawn.share == 3 / 5  # direct ties: 2 + 1 of 2 + 1 + 1 + 1
    assert len(value_map(cells, cut_off=1).lines) == 4
    assert value_map(cells, cut_off=4).lines == ()
    assert value_map((), cut_off=1).share == 0


def test_each_cut_off_draws_a_share_of_the_direct_ties():
    cells = implication_matrix(pool_codes(THREE))

    assert shares(cells, most=5) == {1: 1.0, 2: 3 / 5}
    assert shares(cells, most=1) == {1: 1.0}
    assert shares((), most=5) == {}


def test_a_ring_of_reasons_leads_nowhere_new():
    ring = Graph(ONE.nodes, (*ONE.edges, GraphEdge("n2", "n1", "leads_to", (6,))))

    assert [str(cell) for cell in implication_matrix(pool_codes({"a": ring}))] == ["1.00", "1.00"]


def test_other_relations_count_only_where_they_are_named():
    other = Graph(ONE.nodes, (GraphEdge("n1", "n2", "hinders", (4,)),))

    assert implication_matrix(pool_codes({"a": other})) == ()
    assert len(implication_matrix(pool_codes({"a": other}, ("hinders",)))) == 1


@settings(deadline=None, max_examples=examples(40))
@given(st.lists(graphs(most=4), max_size=4), st.integers(1, 4))
def test_no_interview_counts_twice_and_a_higher_cut_off_draws_less(made: list[Graph], cut: int):
    pool = pool_codes({str(i): graph for i, graph in enumerate(made)})
    cells = implication_matrix(pool)

    assert all(1 <= cell.total <= len(made) for cell in cells)
    assert set(value_map(cells, cut + 1).lines) <= set(value_map(cells, cut).lines)
    assert sum(len(code.nodes) for code in pool.codes) == sum(len(graph.nodes) for graph in made)


def test_a_hundred_interviews_are_pooled_in_time():
    words = ("quiet", "evening", "price", "order", "garden", "window", "morning", "friends")
    many = {
        f"s{i}": said(
            *(f"{a} {b} {i % 7}:thing > {b} {i % 5}:effect" for a in words for b in words)
        )
        for i in range(100)
    }
    before = time.process_time()
    value_map(implication_matrix(pool_codes(many)), 5)

    assert time.process_time() - before < 10
