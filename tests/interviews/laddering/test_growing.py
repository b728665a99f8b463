"""How answers become a graph."""

from hypothesis import given
from hypothesis import strategies as st

from interviews.protocols.laddering.graph.types import ExtractedConcept, Graph, GraphExtraction
from interviews.protocols.laddering.graph.update import update_graph
from tests.interviews.laddering.cast import TYPES, concept, extraction, grown, methodology


def test_nodes_and_edges_know_where_they_were_said():
    made, change = grown(
        extraction([("Warm  light", "thing")]),
        extraction([("my eyes rest", "effect")], ("warm light", "my eyes rest")),
    )

    assert [(n.id, n.text, n.type, n.positions, n.created, n.elements) for n in made.nodes] == [
        ("n1", "Warm light", "thing", (2,), 1, ("light",)),
        ("n2", "my eyes rest", "effect", (4,), 2, ()),
    ]
    assert [(e.source, e.target, e.relation, e.positions) for e in made.edges] == [
        ("n1", "n2", "leads_to", (4,))
    ]
    assert change.added == ("n2",)
    assert change.touched == {"n1", "n2"}
    assert not change.refused


def test_what_is_said_again_in_other_words_is_the_same_node():
    made, change = grown(
        extraction([("saves time", "effect")]), extraction([("saving time", "effect")])
    )

    assert [(n.id, n.text, n.positions, n.created) for n in made.nodes] == [
        ("n1", "saves time", (2, 4), 1)
    ]
    assert change.merged == ("n1",)
    assert not change.added
    assert not change.touched  # said again is no change of the graph


def test_the_same_words_are_one_node_whatever_their_type_but_the_same_meaning_needs_the_type():
    made, _ = grown(
        extraction([("comfort", "thing")]),
        extraction([("Comfort", "value"), ("saves time", "effect"), ("saving time", "feeling")]),
    )

    assert [(n.text, n.type) for n in made.nodes] == [
        ("comfort", "thing"),
        ("saves time", "effect"),
        ("saving time", "feeling"),
    ]


def test_an_edge_said_again_is_one_edge_with_both_places():
    pair = extraction([("price", "thing"), ("saves money", "effect")], ("price", "saves money"))
    made, change = grown(pair, pair)

    assert [edge.positions for edge in made.edges] == [(2, 4)]
    assert not change.tied


def test_what_the_methodology_does_not_allow_is_refused_and_told():
    made, change = grown(
        extraction(
            [("price", "thing"), ("freedom", "value"), ("mood", "colour"), ("!", "thing")],
            ("freedom", "price"),
            ("price", "the price"),
            ("price", "the moon"),
        )
    )

    assert [node.text for node in made.nodes] == ["price", "freedom"]
    assert not made.edges
    assert [refused.why for refused in change.refused] == [
        "is of no type of the ladder",
        "says nothing",
        "leads_to may not lead from value to thing",
        "ties a node to itself",
        "one of its ends is not in the graph",
    ]


def test_a_node_is_about_what_it_names_and_what_it_is_known_to_be_about():
    found = ExtractedConcept("saves money", "effect", ("price", "no such element"))
    made, _ = grown(
        GraphExtraction((found,)), extraction([("saving money on warm light", "effect")])
    )

    assert made.by_id["n1"].elements == ("price",)
    assert made.by_id["n2"].elements == ("light",)


def test_the_graph_before_stays_as_it_was():
    before, _ = grown(extraction([("price", "thing")]))
    update_graph(before, extraction([("price", "thing")]), 2, 4, methodology(), concept())

    assert before == grown(extraction([("price", "thing")]))[0]


WORDS = st.sampled_from(["price", "the price", "light", "calm", "calmness", "home", "", "не дом"])
CONCEPTS = st.lists(st.tuples(WORDS, st.sampled_from((*TYPES, "other"))), max_size=5)
ANSWERS = st.lists(
    st.builds(
        lambda cs, rs: extraction(cs, *rs), CONCEPTS, st.lists(st.tuples(WORDS, WORDS), max_size=5)
    ),
    max_size=5,
)


@given(ANSWERS)
def test_any_answers_make_a_sound_graph_and_always_the_same(answers: list[GraphExtraction]):
    made, change = grown(*answers)

    assert [node.id for node in made.nodes] == [f"n{i + 1}" for i in range(len(made.nodes))]
    assert len({edge.key for edge in made.edges}) == len(made.edges)
    for edge in made.edges:
        source, target = made.by_id[edge.source], made.by_id[edge.target]
        assert source.id != target.id
        assert methodology().allows(edge.relation, source.type, target.type)
    assert (made, change) == grown(*answers)


@given(ANSWERS)
def test_nothing_is_lost_or_doubled(answers: list[GraphExtraction]):
    """Every concept of an answer is a new node, one said again, or refused."""
    before: Graph = grown(*answers[:-1])[0]
    last = answers[-1] if answers else GraphExtraction()
    made, change = update_graph(before, last, 9, 99, methodology(), concept())

    assert len(made.nodes) == len(before.nodes) + len(change.added)
    assert len(made.edges) == len(before.edges) + len(change.tied)
    refused = [one.what for one in change.refused]
    for found in last.concepts:
        assert found in refused or any(99 in node.positions for node in made.nodes)
    for relation in last.relations:
        assert relation in refused or any(99 in edge.positions for edge in made.edges)
