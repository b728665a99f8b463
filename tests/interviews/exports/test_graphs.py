"""Graphs as tables and as GraphML."""

import io
import zipfile

import pytest

from interviews.choices import SessionStatus
from interviews.exports.archive import archive_chunks
from interviews.exports.formats import FORMATS
from interviews.exports.registry import TABLES
from interviews.exports.selection import Selection
from tests.factories import SessionFactory, talk
from tests.interviews.exports.reading import column, csv_rows, read, unescape_formula
from tests.interviews.graphed import FORMULA, add_node, graphed, make_ladder_bot, tie
from tests.queries import counted

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("form", FORMATS)
def test_one_row_a_node_in_every_format(form):
    session = graphed(5)
    add_node(session, FORMULA, elements=["price", "look"], positions=[3, 5])
    rows = read("nodes", form)
    undone = unescape_formula if form != "jsonl" else str
    assert column(rows, "node") == ["n1", "n2", "n3", "n4", "n5", "n6"]
    assert undone(rows[5]["text"]) == FORMULA
    assert rows[5]["text"].startswith("=") == (form == "jsonl")
    assert [str(row["rung"]) for row in rows] == ["1", "2", "3", "4", "5", "1"]
    for name, value in {
        "session_id": str(session.pk),
        "type": "attribute",
        "elements": "price look",
        "created_turn": "1",
        "position": "3",
        "positions": "3 5",
    }.items():
        assert str(rows[5][name]) == value, name
    answer = session.entries.get(position=3)
    assert str(rows[0]["at"]).replace("T", " ")[:16] == f"{answer.at:%Y-%m-%d %H:%M}"


@pytest.mark.parametrize("form", FORMATS)
def test_one_row_an_edge_with_both_ends(form):
    session = graphed(5)
    odd = add_node(session, FORMULA)
    tie(odd, session.nodes.get(key="n3"), "hinders")
    rows = read("edges", form)
    undone = unescape_formula if form != "jsonl" else str
    ends = [(row["source"], row["relation"], row["target"]) for row in rows]
    assert ends == [
        ("n1", "leads_to", "n2"),
        ("n2", "leads_to", "n3"),
        ("n3", "leads_to", "n4"),
        ("n4", "leads_to", "n5"),
        ("n6", "hinders", "n3"),
    ]
    last = rows[4]
    assert undone(last["source_text"]) == FORMULA
    assert (last["source_type"], last["target_type"]) == ("attribute", "psychosocial_consequence")
    assert last["target_text"] == "I stay calm"
    assert (str(last["position"]), str(last["positions"])) == ("3", "3")


def test_a_type_that_the_plan_does_not_know_has_no_rung():
    add_node(graphed(1), "something", "of_another_time")
    assert column(read("nodes"), "rung") == ["1", ""]


def test_other_interviews_and_withdrawn_ones_have_no_rows():
    talk(SessionFactory(), ["one"])
    bot = make_ladder_bot()
    graphed(2, bot, status=SessionStatus.WITHDRAWN)
    graphed(2, bot, synthetic=True)
    for name, many in {"nodes": 2, "edges": 1}.items():
        assert read(name) == []
        assert len(read(name, chosen=Selection(synthetic=True))) == many


def test_the_number_of_queries_does_not_grow_with_the_interviews():
    bot = graphed(10).bot
    for name in ("nodes", "edges"):
        read(name)
        with counted() as few:
            read(name)
        for _ in range(4):
            graphed(10, bot)
        with counted() as more:
            read(name)
        assert len(more) == len(few), name


def test_they_are_in_the_archive():
    graphed(5)
    everything = [table for table in TABLES.values() if not table.right]
    content = b"".join(archive_chunks(everything, Selection(), FORMATS["csv"]))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert len(csv_rows(archive.read("nodes.csv"))) == 5
        assert len(csv_rows(archive.read("edges.csv"))) == 4
