"""Graphs as they are stored, read again with their names; and as GraphML."""

import io
import zipfile

import networkx as nx
import pytest

from interviews.choices import SessionStatus
from interviews.exports.selection import Selection
from interviews.models import Session
from interviews.protocols.laddering.exports.graphml import graphml_of, zip_graphs
from interviews.protocols.laddering.ladders import graph_of, graphs_of, ladder_of, material_of
from tests.factories import SessionFactory
from tests.interviews.graphed import TYPES, add_node, graphed, make_ladder_bot, tie
from tests.queries import counted

pytestmark = pytest.mark.django_db


def test_a_graph_is_read_as_it_was_stored():
    session = graphed(7)
    graph = graph_of(session)
    assert [node.id for node in graph.nodes] == [f"n{i}" for i in range(1, 8)]
    first = graph.nodes[0]
    assert (first.text, first.type, first.elements) == (
        "it dims by itself",
        "attribute",
        ("dimming",),
    )
    assert (first.positions, first.created) == ((3,), 1)
    assert [edge.key for edge in graph.edges][:2] == [
        ("n1", "n2", "leads_to"),
        ("n2", "n3", "leads_to"),
    ]


def test_graphs_of_several_interviews_take_two_queries():
    bot = make_ladder_bot()
    keys = [graphed(5, bot).pk for _ in range(4)] + [SessionFactory(bot=bot).pk]
    with counted() as seen:
        graphs = graphs_of(keys)
    assert list(graphs) == keys
    assert [len(graph.nodes) for graph in graphs.values()] == [5, 5, 5, 5, 0]
    assert len(seen) == 2


def test_a_ladder_is_named_by_its_plan():
    session = graphed(5)
    ladder = ladder_of(session.plan_id, [graph_of(session)])
    assert ladder.types == TYPES
    assert ladder.by_type["terminal_value"].name == "Terminal value"
    assert ladder.by_type["terminal_value"].number == 5
    assert ladder.relations == ("leads_to", "hinders")
    assert ladder.labels(["price", "gone"]) == ["price", "gone"]
    assert ladder.labels(["aim"]) == ["light on the page alone"]


def test_what_a_plan_does_not_name_comes_after_by_its_own_name():
    session = graphed(5)
    odd = add_node(session, "something", "of_another_time")
    tie(odd, session.nodes.get(key="n1"), "reminds_of")
    ladder = ladder_of(session.plan_id, [graph_of(session)])
    assert ladder.rungs[5].name == "Of another time"
    assert ladder.relations == ("leads_to", "hinders", "reminds_of")


def test_plans_of_other_interviews_name_nothing():
    session = SessionFactory()
    assert material_of(session.plan_id) is None
    assert ladder_of(session.plan_id).rungs == ()
    assert ladder_of(session.plan_id).relations == ("leads_to",)


def same_as(session: Session, read: nx.DiGraph) -> bool:
    """Whether NetworkX holds what is stored."""
    graph = graph_of(session)
    nodes = {
        node.id: {
            "text": node.text,
            "type": node.type,
            "created_turn": node.created,
            "positions": " ".join(map(str, node.positions)),
            "elements": " ".join(node.elements),
        }
        for node in graph.nodes
    }
    edges = {(e.source, e.target, e.relation) for e in graph.edges}
    return (
        dict(read.nodes(data=True)) == nodes
        and {(source, target, told["relation"]) for source, target, told in read.edges(data=True)}
        == edges
    )


@pytest.mark.parametrize("nodes", [1, 5, 300])
def test_graphml_is_read_back_as_the_same_graph(nodes):
    session = graphed(nodes)
    add_node(session, '<b>"odd" & \u05e9\u05dc\u05d5\u05dd 👩‍👩‍👧</b> ]]>')
    read = nx.parse_graphml(graphml_of(session).decode())
    assert read.is_directed()
    assert same_as(session, read)


def test_a_pair_that_is_tied_twice_stays_so():
    session = graphed(5)
    first, third = session.nodes.get(key="n1"), session.nodes.get(key="n3")
    tie(first, third)
    tie(first, third, "hinders")
    read = nx.parse_graphml(graphml_of(session).decode())
    assert read.is_multigraph()
    assert same_as(session, read)


def test_an_empty_graph_is_a_graph():
    session = graphed(1)
    session.nodes.all().delete()
    assert len(nx.parse_graphml(graphml_of(session).decode())) == 0


def test_several_come_in_a_zip_with_a_file_each():
    bot = make_ladder_bot()
    one, other = graphed(5, bot), graphed(10, bot)
    SessionFactory(bot=bot)
    graphed(5, bot, status=SessionStatus.WITHDRAWN)
    graphed(5, bot, synthetic=True)
    graphed(5)
    content = b"".join(zip_graphs(Selection(bot=bot.pk)))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        assert [name.split("_")[1] for name in names] == [
            f"{one.pk}.graphml",
            f"{other.pk}.graphml",
        ]
        assert all(name.startswith("P-") for name in names)
        assert {one.date_time for one in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert same_as(other, nx.parse_graphml(archive.read(names[1]).decode()))
