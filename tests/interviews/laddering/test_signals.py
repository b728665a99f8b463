"""What is measured of a moment, and that a new signal is one class."""

from itertools import pairwise

import pytest

from interviews.protocols.laddering.graph.states import NodeState
from interviews.protocols.laddering.graph.types import Graph
from interviews.protocols.laddering.signals import SIGNALS
from interviews.protocols.laddering.signals.base import detect, talk_signal, weighable
from interviews.protocols.laddering.signals.moment import AnswerSignals, Moment, Talk
from plans.protocols.laddering.schema.vocabulary import registered_terms
from tests.each import each
from tests.interviews.laddering.cast import graph
from tests.interviews.laddering.moments import moment

MADE = graph("a:thing b:effect c:feeling d:value", "a-b b-c")
DEEP = AnswerSignals("deep", "positive", ("light",))


def test_signals_of_the_graph_and_the_talk():
    talk = Talk(limit=20, turn=5, focus="a", focus_turns=2, strategy="up", strategy_turns=3)
    made = moment(MADE, DEEP, talk)

    assert detect(made).talk == {
        "graph.node_count": 4,
        "graph.edge_count": 2,
        "graph.max_depth": 3,
        "graph.orphan_count": 1,
        "graph.coverage_breadth": 0.5,
        "graph.chain_completion.has_complete_chain": "false",
        "llm.response_depth": "deep",
        "llm.sentiment": "positive",
        "llm.topics": 1,
        "temporal.strategy_repetition_count": 3,
        "temporal.turns_since_focus_change": 2,
        "meta.interview_progress": 0.25,
        # breadth 1/2, depth 3/4, connected 3/4: 2 / 3
        "meta.exploration_score": pytest.approx(2 / 3),
        "meta.interview.phase": "early",
    }


def test_signals_of_candidates():
    # turn 9: a came up in turn 1, was in focus in 7 and 8 and 9 and last yielded in 8
    state = NodeState(
        created=1,
        turn=9,
        focus_count=3,
        last_focus=9,
        focus_streak=3,
        last_yield=8,
        yield_count=2,
        depths=("deep", "deep", "deep"),
        last_strategy="up",
        strategy_streak=1,
        connected=("b",),
        edges_out=1,
    )
    made = moment(MADE, DEEP, Talk(limit=20, turn=9, focus="a"), {"a": state})
    found = detect(made).nodes

    assert list(found) == ["a", "b", "c", "d", "element:price"]
    assert found["a"] == {
        "graph.node.exhausted": "false",
        # 1 turn since the yield: 0.04; streak 3 of 5: 0.18; nothing shallow
        "graph.node.exhaustion_score": pytest.approx(0.22),
        "graph.node.yield_stagnation": "false",
        "graph.node.focus_streak": "medium",
        "graph.node.is_current_focus": "true",
        "graph.node.recency_score": 1,
        "graph.node.is_orphan": "false",
        "graph.node.edge_count": 1,
        "graph.node.strategy_repetition": "low",
        "graph.node.is_uncovered": "false",
        "graph.node.chain_depth": 0.75,
        "graph.node.is_top": "false",
        "graph.node.is_unconfirmed": "false",
        "graph.node.is_contradicted": "false",
        "meta.node.opportunity": "probe_deeper",  # a deep answer in 9, the last yield in 8
    }
    top = [name for name, values in found.items() if values["graph.node.is_top"] == "true"]
    assert top == [node.id for node in MADE.nodes if node.type == "value"]
    assert found["d"]["graph.node.is_orphan"] == "true"
    assert found["d"]["graph.node.recency_score"] == 0  # never in focus
    assert found["d"]["graph.node.yield_stagnation"] == "true"  # 8 turns since it came up
    assert found["d"]["meta.node.opportunity"] == "fresh"


def test_an_element_that_nobody_has_spoken_of_is_fresh():
    found = detect(moment(MADE, DEEP, Talk(limit=20, turn=9))).nodes["element:price"]

    assert found["graph.node.is_uncovered"] == "true"
    assert found["graph.node.is_orphan"] == "false"
    assert found["graph.node.exhaustion_score"] == 0
    assert found["meta.node.opportunity"] == "fresh"


@each(("count", "value"), [(0, "none"), (1, "low"), (2, "medium"), (3, "medium"), (4, "high")])
def test_bins(count: int, value: str):
    state = NodeState(1, 1, focus_streak=count, strategy_streak=count)
    found = detect(moment(MADE, states={"a": state})).nodes["a"]

    assert found["graph.node.focus_streak"] == value
    assert found["graph.node.strategy_repetition"] == value


@each(("since", "score"), [(0, 1.0), (5, 0.75), (20, 0.0), (30, 0.0)])
def test_recency_falls_to_nothing_in_twenty_turns(since: int, score: float):
    state = NodeState(1, 40, focus_count=1, last_focus=40 - since)
    found = detect(moment(MADE, states={"a": state})).nodes["a"]

    assert found["graph.node.recency_score"] == score


@each(
    ("nodes", "orphans", "phase"),
    [
        *((4, 0, "early"), (4, 4, "early"), (5, 0, "mid"), (14, 0, "mid")),
        *((15, 3, "late"), (15, 4, "mid"), (30, 0, "late")),
    ],
)
def test_the_phase_of_the_interview(nodes: int, orphans: int, phase: str):
    names = [f"n{i}" for i in range(nodes)]
    tied = names[: nodes - orphans]
    text = " ".join(f"{name}:{'thing' if i % 2 else 'effect'}" for i, name in enumerate(names))
    edges = " ".join(f"{a}-{b}" for a, b in pairwise(tied))

    assert detect(moment(graph(text, edges))).talk["meta.interview.phase"] == phase


def test_before_the_first_answer_there_is_nothing_to_say_of_one():
    found = detect(moment(Graph(), talk=Talk(limit=20)))

    assert not [name for name in found.talk if name.startswith("llm.")]
    assert found.talk["meta.exploration_score"] == 0
    assert set(found.nodes) == {"element:light", "element:price"}


def test_an_answer_is_read_for_itself():
    first = detect(moment(MADE, DEEP)).talk
    second = detect(moment(MADE, AnswerSignals("shallow"))).talk

    assert (first["llm.response_depth"], second["llm.response_depth"]) == ("deep", "shallow")
    assert second["llm.topics"] == 0


def test_how_the_talk_lingers():
    # the opening asked nothing in particular; then twice up at a, then something else at a
    talk = Talk(limit=20).asked("", "")
    assert (talk.turn, talk.strategy_turns, talk.focus_turns) == (1, 0, 0)
    talk = talk.asked("up", "a").asked("up", "a")
    assert (talk.turn, talk.strategy_turns, talk.focus_turns) == (3, 2, 1)
    talk = talk.asked("wider", "a")
    assert (talk.strategy_turns, talk.focus_turns) == (1, 2)
    assert talk.asked("wider", "b").focus_turns == 0


def test_numbers_are_weighed_from_0_to_1():
    made = moment(MADE, DEEP, Talk(limit=20, turn=5, strategy_turns=50))
    found = weighable(detect(made).talk, made)

    assert found["graph.max_depth"] == 0.75  # 3 of 4 rungs
    assert found["temporal.strategy_repetition_count"] == 1
    assert found["graph.node_count"] == pytest.approx(4 / 30)
    assert found["llm.response_depth"] == "deep"


def test_each_signal_says_what_it_is():
    made = moment(MADE, DEEP)
    found = detect(made)
    seen = {**found.talk, **found.nodes["a"]}

    assert set(seen) == set(SIGNALS)
    assert set(registered_terms()) == set(SIGNALS)
    for name, signal in SIGNALS.items():
        assert len(signal.description) > 40
        assert seen[name] in signal.values if signal.values else seen[name] >= 0


def test_a_new_signal_is_one_function(registry: None):
    @talk_signal("temporal.evening", ("true", "false"))
    def evening_talk(moment: Moment) -> str:
        """Whether most of the talk is over. True: begin nothing new."""
        return "true" if moment.talk.turn > 10 else "false"

    assert detect(moment(MADE, talk=Talk(20, 11))).talk["temporal.evening"] == "true"
    assert registered_terms()["temporal.evening"].values == ("true", "false")


def test_a_signal_needs_a_name_in_its_pool_that_no_other_has(registry: None):
    with pytest.raises(ValueError, match="a name in a pool, and a description"):

        @talk_signal("weather.rain")
        def stray(moment: Moment) -> float:
            """Whether it rains."""
            return 0.0

    with pytest.raises(ValueError, match="a name in a pool, and a description"):

        @talk_signal("temporal.silent")
        def silent(moment: Moment) -> float:
            return 0.0

    with pytest.raises(ValueError, match=r"graph\.node_count already"):

        @talk_signal("graph.node_count")
        def twice(moment: Moment) -> float:
            """How many things were said."""
            return 0.0
