"""GraphML is valid whatever people said, and tools for graphs read from it what was written."""

from dataclasses import replace
from io import BytesIO

import networkx
from hypothesis import example, given, settings
from hypothesis import strategies as st

from interviews.protocols.laddering.exports.graphml import graphml
from interviews.protocols.laddering.graph.types import Graph, GraphEdge, GraphNode
from plans.text import tidy
from tests.each import each
from tests.interviews.laddering.test_measures import graphs
from tests.interviews.laddering.valid_graphml import problems

NASTY = (
    "]]>",
    "<![CDATA[ & ]]> &amp; &#0; <!-- -->",
    '</data></node><node id="n9">',
    "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/hostname'>]>&e;",
    "a\x00b\x01\x08\x0b\x0c\x1f\x7f\x85",
    "\r\n one \r two \t three\n",
    "\u202eright to left\u202c \u200f\u0634\u0643\u0631\u0627 \u05e9\u05dc\u05d5\u05dd",
    "👩‍👩‍👧‍👦 🕯️ 🇮🇹 \U0001fffd",
    "e\u0301 and é, ﬁ, \u00a0, \u2028, \u2029",
    "\ud800 alone \udfff",
    "\ufeff\ufffe\uffff",
    "'\"`${}{{}}%s\\",
    "",
    "   ",
)
WHOLE = Graph(
    (
        GraphNode("n1", "price", "thing", (2, 4), 1, ("cost",)),
        GraphNode("n2", "saving", "effect", (4,), 2),
    ),
    (GraphEdge("n1", "n2", "leads_to", (4,)), GraphEdge("n1", "n2", "hinders", (4,))),
)
SAID = st.one_of(
    st.sampled_from(NASTY),
    st.text(max_size=40),
    st.text(st.characters(exclude_categories=()), max_size=40),  # surrogates too
)


@st.composite
def spoken(draw: st.DrawFn) -> Graph:
    """Graphs whose nodes people named, with some edges of another relation beside the first."""
    made = draw(graphs(most=5))
    nodes = tuple(replace(node, text=draw(SAID)) for node in made.nodes)
    more = tuple(replace(edge, relation="hinders") for edge in made.edges if draw(st.booleans()))
    return Graph(nodes, made.edges + more)


@settings(deadline=None)
@given(spoken())
@example(Graph(tuple(GraphNode(f"n{i}", one, "thing", (1,), 1) for i, one in enumerate(NASTY, 1))))
@example(WHOLE)
@example(Graph())
def test_it_is_valid_and_read_back_the_same(made: Graph) -> None:
    text = graphml(made)
    read = networkx.read_graphml(BytesIO(text.encode()), force_multigraph=True)

    assert problems(text) == []
    assert _nodes(read) == {node.id: _fields(node) for node in made.nodes}
    assert sorted((a, b, f["relation"]) for a, b, f in read.edges(data=True)) == sorted(
        edge.key for edge in made.edges
    )


def _fields(node: GraphNode) -> dict[str, str | int]:
    return {
        "text": tidy(node.text),
        "type": node.type,
        "created_turn": node.created,
        "positions": " ".join(map(str, node.positions)),
        "elements": " ".join(node.elements),
    }


def _nodes(read: networkx.MultiDiGraph) -> dict[str, dict[str, str | int]]:
    return {name: dict(fields) for name, fields in read.nodes(data=True)}


# -- that the check would notice


@each(
    ("there", "instead"),
    [
        ('xmlns="http://graphml.graphdrawing.org/xmlns"', ""),
        (' edgedefault="directed"', ""),
        ('edgedefault="directed"', 'edgedefault="both"'),
        ('<node id="n1">', '<node id="n 1">'),
        ('<node id="n2">', '<node id="n1">'),
        ('<node id="n2">', "<node>"),
        ('target="n2"', 'target="n3"'),
        ('source="n1"', 'source="N1"'),
        ('id="e2"', 'id="e1"'),
        ('attr.type="int"', 'attr.type="integer"'),
        ('attr.type="int"', ""),
        ('attr.name="created_turn"', 'attr.name="type"'),
        ('id="node_created_turn"', 'id="node_type"'),
        ('for="node" attr.name="text"', 'for="vertex" attr.name="text"'),
        ('for="node" attr.name="text"', 'for="edge" attr.name="text"'),
        ('<data key="node_type">', '<data key="node_text">'),
        ('<data key="node_type">', '<data key="node_kind">'),
        ('<data key="node_created_turn">1', '<data key="node_created_turn">one'),
        ('<data key="node_type">thing</data>', "<data>thing</data>"),
        ("</graphml>", '<key id="late" for="node" attr.name="a" attr.type="int" /></graphml>'),
        ("</graphml>", ""),
        ("price", "pri\x0bce"),
        ("price", "pri<b>ce</b>"),
    ],
)
def test_what_is_wrong_is_found(there: str, instead: str) -> None:
    text = graphml(WHOLE)

    assert there in text
    assert problems(text) == []
    assert problems(text.replace(there, instead, 1))
