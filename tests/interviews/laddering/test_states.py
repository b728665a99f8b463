"""What the talk has done at a node, against talks that were worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviews.protocols.laddering.graph.states import (
    LastQuestion,
    NodeState,
    States,
    states_after,
)
from interviews.protocols.laddering.graph.types import Change
from tests.each import each
from tests.interviews.laddering.cast import graph

MADE = graph("a:thing b:effect c:feeling d:value", "a-b b-c")
QUIET = Change()


def change(*edges: str) -> Change:
    """The edges of MADE between these ends are new."""
    return Change(
        tied=tuple(edge for edge in MADE.edges if f"{edge.source}-{edge.target}" in edges)
    )


def told(*answers: tuple[str, str, Change], strategy: str = "up") -> States:
    """All nodes come up in turn 1; then these answers: focus, depth, change."""
    states: States = states_after({}, MADE, Change(added=("a", "b", "c", "d")), 1, None)
    for turn, (focus, depth, changed) in enumerate(answers, 2):
        asked = LastQuestion(focus, strategy, depth) if focus else None
        states = states_after(states, MADE, changed, turn, asked)
    return states


def test_focus_and_streak():
    # turns 2, 3 at a, turn 4 at b: a was in focus twice, last a turn ago, and its streak is over
    states = told(("a", "deep", QUIET), ("a", "shallow", QUIET), ("b", "deep", QUIET))
    a, b, c = states["a"], states["b"], states["c"]

    assert (a.focus_count, a.last_focus, a.turns_since_focus, a.focus_streak) == (2, 3, 1, 0)
    assert (b.focus_count, b.last_focus, b.turns_since_focus, b.focus_streak) == (1, 4, 0, 1)
    assert (c.focus_count, c.last_focus, c.turns_since_focus, c.focus_streak) == (0, None, None, 0)
    assert a.depths == ("deep", "shallow")
    assert (a.connected, b.connected, states["d"].orphan) == (("b",), ("a", "c"), True)
    assert (b.edges_in, b.edges_out) == (1, 1)


def test_an_answer_that_changes_the_graph_at_a_node_or_next_to_it_is_a_yield():
    # turn 2: the edge b-c is new. At b and c, and next to b at a; d is far from it.
    states = told(("a", "deep", change("b-c")), ("a", "deep", QUIET))

    assert [states[name].last_yield for name in "abcd"] == [2, 2, 2, None]
    assert [states[name].turns_since_yield for name in "abcd"] == [1, 1, 1, 2]  # d: since turn 1


def test_that_a_node_came_up_is_no_yield():
    assert told()["a"].last_yield is None
    assert told()["a"].yield_count == 0


def test_strategies_that_were_used_at_a_node():
    states = told(("a", "deep", QUIET), ("a", "deep", QUIET))
    asked = LastQuestion("a", "wider", "deep")
    after = states_after(states, MADE, QUIET, 4, asked)["a"]

    assert (states["a"].last_strategy, states["a"].strategy_streak) == ("up", 2)
    assert after.strategies == {"up": 2, "wider": 1}
    assert (after.last_strategy, after.strategy_streak) == ("wider", 1)


@each(
    ("answers", "exhausted"),
    [
        # turns 2, 3: two turns since it came up are not three
        ("ss", False),
        # turns 2, 3, 4: three turns without a yield, streak 3, all three shallow
        ("sss", True),
        ("ssd", True),  # two thirds are shallow
        ("sdd", False),  # one third
        ("sdss", True),  # of the last three, d s s, two are
        ("mmm", False),
    ],
)
def test_exhausted_when_nothing_comes_of_it_any_more(answers: str, exhausted: bool):
    names = {"s": "shallow", "m": "moderate", "d": "deep"}
    states = told(*(("a", names[one], QUIET) for one in answers))

    assert states["a"].exhausted is exhausted
    assert not states["b"].exhausted  # just as long without a yield, but never in focus


def test_a_short_visit_exhausts_nothing():
    # a in turn 2, b in 3 to 5: four turns without a yield at a, one shallow answer, but no streak
    states = told(("a", "shallow", QUIET), *[("b", "deep", QUIET)] * 3)

    assert not states["a"].exhausted


def test_exhausted_until_it_yields_again():
    shallow = [("a", "shallow", QUIET)] * 3
    elsewhere = [("d", "deep", QUIET)] * 2

    assert told(*shallow, *elsewhere)["a"].exhausted
    assert not told(*shallow, *elsewhere, ("d", "deep", change("a-b")))["a"].exhausted


def test_the_exhaustion_score():
    # turn 4 = 3 turns since a came up: 0.3 of 0.4; streak 3 of 5: 0.6 of 0.3; 2 of 3 shallow: 0.2
    states = told(("a", "shallow", QUIET), ("a", "shallow", QUIET), ("a", "deep", QUIET))

    assert states["a"].exhaustion_score == pytest.approx(0.3 * 0.4 + 0.6 * 0.3 + 2 / 3 * 0.3)
    assert states["c"].exhaustion_score == pytest.approx(0.3 * 0.4)


def test_an_element_that_was_asked_about_in_vain_has_a_state_too():
    states = told(("element:price", "shallow", QUIET), ("a", "deep", QUIET))

    assert states["element:price"].focus_count == 1
    assert states["element:price"].turns_since_focus == 1


ANSWERS = st.lists(
    st.tuples(
        st.sampled_from(["", "a", "b", "d", "element:price"]),
        st.sampled_from(["shallow", "moderate", "deep"]),
        st.sampled_from([QUIET, change("a-b"), change("b-c")]),
    ),
    max_size=15,
)


@given(ANSWERS)
def test_in_any_talk_scores_stay_in_bounds_and_only_a_yield_revives(answers: list):
    before: States = told()
    for end in range(1, len(answers) + 1):
        after = told(*answers[:end])
        for name, state in after.items():
            assert 0 <= state.exhaustion_score <= 1
            past = before.get(name, NodeState(1, 1))
            if past.exhausted:
                assert state.exhausted or state.last_yield == state.turn
        before = after
