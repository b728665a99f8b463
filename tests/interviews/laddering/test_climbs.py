"""Chains that climb, what may be asked at each node, and opposites that stay apart."""

from dataclasses import replace

from interviews.protocols.laddering.codes.pooled_codes import pool_codes
from interviews.protocols.laddering.graph.measures import climb_to, complete_climbs, measure
from interviews.protocols.laddering.graph.similarity import opposite, same_meaning
from interviews.protocols.laddering.graph.states import NodeState
from interviews.protocols.laddering.graph.types import Graph, GraphEdge, GraphNode
from interviews.protocols.laddering.signals.base import detect
from interviews.protocols.laddering.signals.moment import WAYS, AnswerSignals, Talk
from interviews.protocols.laddering.strategy_choice import choose
from plans.protocols.laddering.schema.methodology import Relation
from tests.each import each
from tests.interviews.laddering.cast import concept, extraction, graph, grown, methodology
from tests.interviews.laddering.moments import moment
from tests.ladder_files import methodologies

FOUR = "a:thing b:effect c:feeling d:value"


@each(
    ("edges", "complete"),
    [
        ("a-b b-c c-d", ("a", "b", "c", "d")),
        ("a-d", ("a", "d")),  # a rung may be left out, the direction may not
        ("a-b c-b c-d", None),  # against the direction between b and c
        ("b-c c-d", None),  # it doesn't begin on the lowest rung
        ("a-b b-c", None),  # it doesn't end on the highest one
        ("b-a a-d d-c", ("a", "d")),
        ("d-a", None),  # down from a value
    ],
)
def test_a_complete_chain_climbs_from_the_lowest_rung_to_the_highest(edges, complete):
    made = graph(FOUR, edges)
    found = complete_climbs(made, methodology())
    assert found == ({"d": complete} if complete else {})
    seen = detect(moment(made)).talk["graph.chain_completion.has_complete_chain"]
    assert seen == ("true" if complete else "false")


def test_what_hinders_is_no_rung():
    up = methodology().relations[0]
    ways = methodology(relations=(up, Relation(id="hinders", meaning="-", between=up.between)))
    made = graph(FOUR, "a-b b-c")
    hinders = GraphEdge("c", "d", "hinders", (1,))
    made = Graph(made.nodes, (*made.edges, hinders))
    assert complete_climbs(made, ways) == {}
    assert measure(made, concept(), ways).max_depth == 3


def test_the_longest_way_to_a_node_is_told_rung_by_rung():
    made = graph(f"{FOUR} e:thing", "a-b b-c e-c c-d")
    assert climb_to(made, methodology(), "c") == ("a", "b", "c")


@each("name", ["means_end_chain", "jobs_to_be_done", "critical_incident"])
@each("depth", ["shallow", "moderate", "deep"])
@each("mode", ["coverage", "exploratory"])
def test_nothing_is_asked_upward_from_the_top_or_for_a_reason_just_given(name, depth, mode):
    ways = methodologies()[name]
    low, *between, top = ways.types
    edges = "a-b" if ways.allows(ways.upward, low, between[0]) else ""
    made = graph(f"a:{low} b:{between[0]} z:{top}", edges)
    here = moment(made, AnswerSignals(depth), Talk(limit=20, turn=4), ways=ways)
    upward = {
        pair.focus
        for pair in choose(here, detect(here), mode).table
        if WAYS.get(pair.strategy.technique) == "up"
    }
    assert "z" not in upward
    assert ("a" in upward) == (not edges)


def test_an_element_that_nobody_spoke_of_is_only_brought_up():
    ways = methodologies()["means_end_chain"]
    here = moment(Graph(), talk=Talk(limit=20), ways=ways)
    asked = {
        pair.strategy.technique
        for pair in choose(here, detect(here), "coverage").table
        if pair.focus.startswith("element:")
    }
    assert asked == {"open", "close"}


def test_of_what_was_said_together_the_highest_rung_comes_first():
    here = moment(graph("a:thing b:effect"), AnswerSignals("deep"))
    assert choose(here, detect(here), "coverage").chosen.focus == "b"


def test_after_three_answers_without_anything_new_another_place_is_asked_about():
    made = graph("a:thing b:effect c:thing", "a-b")
    here = moment(made, AnswerSignals("deep"), Talk(limit=20, turn=5, focus="b"))
    assert {one.id for one in here.eligible} >= {"a", "b", "c"}
    stuck = replace(here, unchanged=3)
    assert {one.id for one in stuck.eligible} == {"c", "element:price"}


OPPOSITES = [
    ("en", "I dislike warm light", "I like warm light"),
    ("en", "I do not like warm light", "I like warm light"),
    ("de", "hell", "nicht hell"),
    ("de", "warmes Licht", "kein warmes Licht"),
    ("fr", "je dors bien", "je ne dors pas bien"),
    ("fr", "avec du bruit", "sans bruit"),
    ("es", "duermo bien", "no duermo bien"),
    ("es", "tengo prisa", "nunca tengo prisa"),
    ("it", "dormo bene", "non dormo bene"),
    ("ru", "я хорошо сплю", "я не сплю хорошо"),
    ("ar", "أنام جيدا", "لا أنام جيدا"),
    ("ar", "ضوء دافئ", "بدون ضوء دافئ"),
]


@each(("language", "one", "other"), OPPOSITES)
def test_opposites_are_two_nodes_and_two_codes(language, one, other):
    assert not same_meaning(one, other)
    assert not same_meaning(other, one)
    made, _ = grown(extraction([(one, "thing")]), extraction([(other, "thing")]))
    assert [node.text for node in made.nodes] == [one, other]
    nodes = [GraphNode("n1", text, "thing", (1,), 1) for text in (one, other)]
    pooled = pool_codes({str(i): Graph((node,)) for i, node in enumerate(nodes)})
    assert [code.text for code in pooled.codes] == [one, other]


@each("pair", [OPPOSITES[1][1:], OPPOSITES[0][1:], OPPOSITES[10][1:]])
def test_what_denies_an_earlier_thing_marks_it(pair):
    later, earlier = pair if "not" in pair[0] or "dis" in pair[0] else pair[::-1]
    assert opposite(earlier, later)
    _, change = grown(extraction([(earlier, "thing")]), extraction([(later, "thing")]))
    assert change.contradicted == (("n1", "n2"),)


def test_what_is_said_of_two_things_contradicts_nothing():
    _, change = grown(extraction([("warm light", "thing")]), extraction([("no cable", "thing")]))
    assert change.contradicted == ()


def test_a_contradiction_is_asked_about_once_and_before_anything_else():
    ways = methodologies()["means_end_chain"]
    made = graph("a:attribute b:attribute")
    denied = NodeState(1, 3, contradicted="b")
    here = moment(made, AnswerSignals("deep"), Talk(limit=20, turn=3), {"a": denied}, ways)
    assert choose(here, detect(here), "coverage").chosen.strategy.id == "ask_both"
    asked = NodeState(1, 3, contradicted="b", strategies={"ask_both": 1})
    here = moment(made, AnswerSignals("deep"), Talk(limit=20, turn=3), {"a": asked}, ways)
    assert choose(here, detect(here), "coverage").chosen.strategy.id != "ask_both"
