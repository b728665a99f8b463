"""The ladders of one laddering interview: figures, chains by name, matrix."""

import time

import pytest
from django.db.transaction import atomic
from django.urls import reverse

from interviews.models import Edge
from interviews.protocols.laddering.codes.steps import CodingBy
from reflections.jobs import interview_ended, wanted_products
from reflections.protocols.laddering.makers import MOST, MOST_FROM_ONE, ladders
from reflections.protocols.laddering.pages import RECODED
from reflections.reviews import review_of
from tests.interviews.graphed import ELEMENTS, LADDERS, add_node, graphed, tie
from tests.reflections.narrated import product, told_story

pytestmark = pytest.mark.django_db(transaction=True)


def named(made: dict) -> list[list[str]]:
    """The ladders as the words on their steps."""
    return [[step["text"] for step in one["steps"]] for one in made["ladders"]]


def test_a_ladder_is_told_from_its_foot_to_its_top():
    session = graphed(5)
    row = product(session, "ladders")
    assert row.status == "ready"
    made = row.content
    assert named(made) == [list(LADDERS[0])]
    [ladder] = made["ladders"]
    assert (ladder["rungs"], ladder["top"]) == (5, True)
    place = session.entries.get(kind="user_answer").position
    assert ladder["steps"][0] == {
        "id": "n1",
        "text": "it dims by itself",
        "rung": 1,
        "type": "Attribute",
        "positions": [place],
    }
    assert (made["more"], made["made_by"], made["language"]) == (False, "rules", "en")


def test_figures_are_those_of_the_graph():
    session = graphed(10)
    add_node(session, "a shade of paper")
    made = ladders(session)
    figures = made["metrics"]
    assert (figures["nodes"], figures["edges"], figures["orphans"]) == (11, 9, 1)
    assert (figures["longest"], figures["answers"]) == (5, 2)
    assert [rung["nodes"] for rung in made["rungs"]] == [3, 2, 2, 2, 2]
    reached = {one["id"]: one for one in figures["elements"]}
    assert {key for key, one in reached.items() if one["nodes"]} == set(ELEMENTS[:2])
    assert reached["dimming"]["depth"] == 0.2
    assert figures["breadth"] == round(2 / len(reached), 3)


def test_the_matrix_tells_direct_from_indirect():
    made = ladders(graphed(5))
    cells = {(one["source"], one["target"]): one for one in made["matrix"]}
    assert len(cells) == 10
    assert (cells[1, 2]["direct"], cells[1, 2]["indirect"]) == (1, 0)
    assert (cells[1, 5]["direct"], cells[1, 5]["indirect"]) == (0, 1)
    first = made["codes"][0]
    assert (first["text"], first["nodes"], first["rung"]) == ("it dims by itself", ["n1"], 1)
    assert (first["direct"], first["indirect"]) == ([2], [3, 4, 5])


def test_what_means_the_same_is_one_code():
    session = graphed(5)
    session.nodes.filter(key="n2").update(text="I need not get up again!")
    add_node(session, "I need not get up again", "functional_consequence")
    made = ladders(session)
    assert [one["nodes"] for one in made["codes"] if one["rung"] == 2] == [["n2", "n6"]]


def test_ways_that_part_and_meet_are_ladders_of_their_own():
    session = graphed(5)
    nodes = {node.key: node for node in session.nodes.all()}
    beside = add_node(session, "I sleep better", "functional_consequence")
    tie(nodes["n1"], beside)
    tie(beside, nodes["n3"])
    made = ladders(session)
    assert sorted(one[1] for one in named(made)) == ["I need not get up again", "I sleep better"]
    assert all(one["top"] for one in made["ladders"])


def test_the_ladders_that_climb_furthest_come_first():
    session = graphed(8)
    made = ladders(session)
    assert [one["rungs"] for one in made["ladders"]] == [5, 3, 3]
    assert [one["top"] for one in made["ladders"]] == [True, False, False]


def test_other_relations_are_no_rungs():
    session = graphed(5)
    nodes = {node.key: node for node in session.nodes.all()}
    other = add_node(session, "a harsh light")
    tie(other, nodes["n5"], "conflicts_with")
    assert named(ladders(session)) == [list(LADDERS[0])]


def test_a_circle_ends_where_it_began():
    session = graphed(3)
    nodes = list(session.nodes.order_by("id"))
    tie(nodes[2], nodes[0])
    made = ladders(session)
    assert named(made) == [list(LADDERS[0][:3])]


def test_a_graph_tied_at_random_is_told_in_part_and_soon():
    session = graphed(60)
    nodes = list(session.nodes.order_by("id"))
    pairs = [(a, b) for a in nodes[:30] for b in nodes[30:]]
    pairs += [(a, b) for a in nodes[30:45] for b in nodes[45:]]
    rows = [
        Edge(session=session, source=a, target=b, relation="leads_to", entry=b.entry, positions=[3])
        for a, b in pairs
    ]
    Edge.objects.bulk_create(rows, ignore_conflicts=True)
    began = time.monotonic()
    made = ladders(session)
    assert time.monotonic() - began < 10
    assert made["more"] is True
    assert 0 < len(made["ladders"]) <= MOST
    starts = [one["steps"][0]["id"] for one in made["ladders"]]
    assert max(map(starts.count, starts)) <= MOST_FROM_ONE
    for one in made["ladders"]:
        ids = [step["id"] for step in one["steps"]]
        assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("nodes", [0, 1])
def test_hardly_anything_said_is_no_ladder(nodes):
    made = ladders(graphed(nodes))
    assert (made["ladders"], made["matrix"]) == ([], [])
    assert made["metrics"]["nodes"] == nodes


def test_an_interview_without_a_graph_has_none():
    made = ladders(told_story())
    assert (made["rungs"], made["ladders"], made["metrics"]["elements"]) == ([], [], [])


@pytest.mark.parametrize("nodes", [0, 12, 60])
def test_they_can_be_read(nodes, admin_client):
    session = graphed(nodes)
    if nodes:
        session.nodes.filter(key="n1").update(text="<b>bold</b> light")
    row = product(session, "ladders")
    shown = admin_client.get(reverse("admin:reflections_reflection_change", args=[row.pk]))
    text = shown.content.decode()
    assert shown.status_code == 200
    assert "Ladders" in text
    assert "<b>bold</b>" not in text
    assert ("&lt;b&gt;bold&lt;/b&gt; light" in text) == bool(nodes)


def test_they_are_requested_for_their_protocol_alone():
    session = graphed(5)
    assert wanted_products(session)[:4] == ("summary", "facts", "coverage", "ladders")
    interview_ended(session)
    assert session.reflections.filter(name="ladders").count() == 1
    assert "ladders" not in wanted_products(told_story())


def test_the_product_has_the_codes_that_a_person_made():
    session = graphed(5)
    ladders(session)  # codes the interview
    nodes = session.nodes.order_by("id")
    calm, rested = (nodes.get(text=text).code_id for text in ("I stay calm", "being rested"))
    with atomic():
        CodingBy(session.bot_id, "somebody").merge([calm, rested], "calm and rested")
    codes = {one["text"]: one["nodes"] for one in ladders(session)["codes"]}
    assert codes["calm and rested"] == ["n3", "n4"]
    assert len(codes) == 4


def test_a_person_strikes_out_a_ladder_that_nobody_told(admin_client):
    row = product(graphed(8), "ladders")
    url = reverse("admin:reflections_reflection_change", args=[row.pk])
    assert "I need not get up again → I stay calm" in admin_client.get(url).content.decode()
    version = review_of(row).version
    sent = {"do": "amended", "version": version, "comment": "", "kept": ["0", "2"]}
    assert admin_client.post(url, sent).status_code == 302
    row.refresh_from_db()
    all_told = named(row.content)
    assert named(review_of(row).content) == [all_told[0], all_told[2]]
    wrong = admin_client.post(url, {**sent, "version": version + 1, "kept": ["7"]})
    assert "7 is not one of the available choices" in wrong.content.decode()


def test_the_page_says_that_codes_were_changed_since(admin_client):
    session = graphed(5)
    row = product(session, "ladders")
    url = reverse("admin:reflections_reflection_change", args=[row.pk])
    assert RECODED not in admin_client.get(url).content.decode()
    with atomic():
        keys = session.nodes.filter(key__in=("n3", "n4")).values_list("code", flat=True)
        CodingBy(session.bot_id, "somebody").merge(list(keys), "calm and rested")
    assert RECODED in admin_client.get(url).content.decode()
