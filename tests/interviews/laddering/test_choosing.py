"""Which strategy goes on where, against sums that were worked out by hand."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interviews.protocols.laddering.graph.states import NodeState
from interviews.protocols.laddering.graph.types import Graph
from interviews.protocols.laddering.signals.base import detect, talk_signal
from interviews.protocols.laddering.signals.moment import (
    AnswerSignals,
    FocusCandidate,
    Moment,
    Talk,
)
from interviews.protocols.laddering.strategy_choice import (
    KEPT,
    PREFERRED,
    Rows,
    choose,
    choose_among,
    rows_of,
    score,
    weights_of,
)
from plans.protocols.laddering.schema.methodology import Strategy
from plans.protocols.laddering.schema.reader import read_methodology
from plans.protocols.laddering.schema.shipped import METHODOLOGIES
from tests.each import each
from tests.interviews.laddering.cast import graph, methodology
from tests.interviews.laddering.moments import moment

TEMPLATES = {"en": ("What about {focus}?",)}


def strategy(name: str, focus: str = "any", **weights: float) -> Strategy:
    """A strategy; “__” in a weight's name stands for a dot."""
    return Strategy(
        id=name,
        name=name,
        description="Ask.",
        technique="ask",
        focus_preference=focus,
        signal_weights={key.replace("__", "."): weight for key, weight in weights.items()},
        templates=TEMPLATES,
    )


def candidate(name: str, created: int = 1, **more: object) -> FocusCandidate:
    return FocusCandidate(name, f"text {name}", NodeState(created, 9, connected=("x",)), **more)


def scores(
    strategies, own, talk=None, factors=None, candidates=None
) -> dict[tuple[str, str], float]:
    candidates = candidates or [candidate(name) for name in own]
    rows = rows_of(candidates, own, talk or {})
    found = score(weights_of(methodology(*strategies)), rows, factors or {})
    return {
        (one.id, row.id if row else ""): value
        for one, values in zip(strategies, found, strict=True)
        for row, value in zip(rows.candidates, values, strict=True)
    }


def test_matching_weights_are_summed_for_every_strategy_and_candidate():
    up = strategy("up", graph__node__exhausted__true=-5, graph__node__exhaustion_score=-2)
    wide = strategy("wide", llm__response_depth__shallow=1.5, graph__node__exhausted__false=0.5)
    own = {
        "a": {"graph.node.exhausted": "true", "graph.node.exhaustion_score": 0.75},
        "b": {"graph.node.exhausted": "false", "graph.node.exhaustion_score": 0.25},
    }

    assert scores([up, wide], own, {"llm.response_depth": "shallow"}) == {
        ("up", "a"): -6.5,  # -5 and -2 x 0.75
        ("up", "b"): -0.5,  # -2 x 0.25
        ("up", ""): 0,
        ("wide", "a"): 1.5,  # what holds for the talk holds everywhere
        ("wide", "b"): 2,
        ("wide", ""): 1.5,
    }


def test_a_candidates_own_value_wins_over_the_talks():
    one = strategy("one", llm__sentiment__positive=1, llm__topics=4)
    own = {"a": {"llm.sentiment": "negative", "llm.topics": 0.5}, "b": {}}
    found = scores([one], own, {"llm.sentiment": "positive", "llm.topics": 0.25})

    assert found == {("one", "a"): 2, ("one", "b"): 2, ("one", ""): 2}  # 0+2, 1+1, 1+1


def test_the_phase_weight_multiplies_positive_sums_only():
    one = strategy("one", graph__node__exhausted__true=-3, graph__node__exhausted__false=3)
    own = {"a": {"graph.node.exhausted": "true"}, "b": {"graph.node.exhausted": "false"}}
    found = scores([one], own, factors={"one": 0.5})

    assert (found["one", "a"], found["one", "b"]) == (-3, 1.5)


def test_a_preference_adds_one_after_the_phase_weight():
    one = strategy("one", "uncovered", graph__node__exhausted__false=2)
    rows = [candidate("a"), candidate("element:b", uncovered=True)]
    own = {row.id: {"graph.node.exhausted": "false"} for row in rows}
    found = scores([one], own, factors={"one": 0.5}, candidates=rows)

    assert (found["one", "a"], found["one", "element:b"], found["one", ""]) == (1, 2, 0)


@each(
    ("focus", "preferred"),
    [
        ("any", ""),
        ("newest", "new"),
        ("orphan", "orphan"),
        ("current", "current"),
        ("shallow_chain", "orphan short"),
        ("uncovered", "element:x"),
    ],
)
def test_what_each_preference_prefers(focus: str, preferred: str):
    tied = NodeState(1, 9, connected=("y",))
    everyone = [
        FocusCandidate("new", "", tied, chain=3, newest=True),
        FocusCandidate("orphan", "", NodeState(1, 9), chain=1),
        FocusCandidate("current", "", NodeState(1, 9, focus_streak=1, connected=("y",)), chain=4),
        FocusCandidate("short", "", tied, chain=2),
        FocusCandidate("element:x", "", NodeState(9, 9), uncovered=True),
    ]

    assert [one.id for one in everyone if PREFERRED[focus](one)] == preferred.split()


def test_a_key_that_no_signal_answers_to_weighs_nothing():
    assert set(scores([strategy("one", graph__gone__true=9)], {"a": {}}).values()) == {0}


def test_an_empty_graph_has_an_opening():
    made = moment(Graph(), talk=Talk(limit=20))
    choice = choose(made, detect(made), "coverage")

    # “wider” prefers elements that were not spoken of, and light stands before price in the concept
    assert (choice.chosen.strategy.id, choice.chosen.focus) == ("wider", "element:light")
    assert choice.considered == 2 * 3


def test_without_any_candidate_the_talk_goes_on_about_nothing_in_particular():
    rows = rows_of([], {}, {})
    choice = choose_among(rows, weights_of(methodology()), {})

    assert (choice.chosen.strategy.id, choice.chosen.focus) == ("up", "")


def test_a_choice_says_why():
    ways = methodology(phase_weights={"coverage": {"early": {"up": 2.0}}})
    made = moment(graph("a:thing b:effect", "a-b"), AnswerSignals("deep"), ways=ways)
    chosen = choose(made, detect(made), "coverage").chosen

    assert (chosen.strategy.id, chosen.focus) == ("up", "b")  # a leads to b already
    assert [(c.signal, c.value, c.points) for c in chosen.contributions] == [
        ("llm.response_depth", "deep", 1)
    ]
    assert (chosen.phase_weight, chosen.bonus, chosen.score) == (2, 1, 3)  # 1 x 2 + 1
    assert choose(made, detect(made), "exploratory").chosen.score == 2


def test_exhausted_nodes_sink():
    worn = NodeState(1, 9, focus_count=3, exhausted=True, connected=("b",))
    made = moment(graph("a:thing b:effect", "a-b"), AnswerSignals("deep"), states={"a": worn})

    assert choose(made, detect(made), "coverage").chosen.focus == "b"


ENTRY = """\
strategies:
  - id: go_outside
    name: Go outside
    description: Ask how it is in the open air.
    technique: widen
    signal_weights:
      temporal.sunshine.true: 50
    templates:
      en: ["How is that in the sun?"]
      it: ["Com'è al sole?"]
      ru: ["А как это на солнце?"]
"""


def test_a_new_signal_is_one_function_and_a_new_strategy_one_entry(registry: None):
    @talk_signal("temporal.sunshine", ("true", "false"))
    def sunshine(moment: Moment) -> str:
        """Whether the sun shines. True: ask about the open air."""
        return "true"

    shipped = (METHODOLOGIES / "means_end_chain.yaml").read_text(encoding="utf-8")
    text = shipped.replace("strategies:\n", ENTRY, 1)
    text = text.replace("signals:\n", "signals:\n  - temporal.sunshine\n", 1)
    made = moment(
        graph("a:attribute"), AnswerSignals("deep"), ways=read_methodology(text, "new.yaml")
    )
    chosen = choose(made, detect(made), "coverage").chosen

    assert chosen.strategy.id == "go_outside"
    assert [part.signal for part in chosen.contributions] == ["temporal.sunshine"]


VALUES = {
    "graph.node.exhausted": st.sampled_from(["true", "false"]),
    "graph.node.focus_streak": st.sampled_from(["none", "low", "medium", "high"]),
    "graph.node.recency_score": st.sampled_from([0, 0.25, 0.1, 0.2, 0.3, 1]),
    "llm.response_depth": st.sampled_from(["shallow", "moderate", "deep"]),
    "graph.node_count": st.floats(0, 1),
}
SEEN = st.fixed_dictionaries({}, optional=VALUES)
KEYS = st.sampled_from(
    [
        "graph.node.exhausted.true",
        "graph.node.exhausted.false",
        "graph.node.focus_streak.none",
        "graph.node.focus_streak.high",
        "llm.response_depth.deep",
        "graph.node.recency_score",
        "graph.node_count",
    ]
)
WEIGHTS = st.dictionaries(KEYS, st.floats(-5, 5), max_size=5)
FOCUS = st.sampled_from(list(PREFERRED))


@st.composite
def tables(draw: st.DrawFn) -> tuple[Rows, tuple, dict]:
    count = draw(st.integers(0, 8))
    everyone = [
        candidate(f"n{i}", draw(st.integers(1, 3)), newest=draw(st.booleans()))
        for i in range(count)
    ]
    own = {one.id: draw(SEEN) for one in everyone}
    some = tuple(
        strategy(f"s{i}", draw(FOCUS), **draw(WEIGHTS)) for i in range(draw(st.integers(1, 4)))
    )
    factors = {f"s{i}": draw(st.floats(0, 3)) for i in range(draw(st.integers(0, 4)))}
    return (everyone, own, draw(SEEN)), weights_of(methodology(*some)), factors


@settings(deadline=None)
@given(tables())
def test_each_score_is_what_its_reasons_add_up_to(table: tuple):
    parts, all_weights, factors = table
    choice = choose_among(rows_of(*parts), all_weights, factors)

    for pair in choice.table:
        total = sum(part.points for part in pair.contributions)
        total *= pair.phase_weight if total > 0 else 1
        assert pair.score == pytest.approx(total + pair.bonus, abs=1e-6)
    assert choice.chosen.score == max(pair.score for pair in choice.table)


@settings(deadline=None)
@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_what_comes_in_changes_nothing(table: tuple, chance: random.Random):
    (everyone, own, talk), all_weights, factors = table
    shuffled = chance.sample(everyone, len(everyone))
    mixed = {
        name: dict(chance.sample(list(own[name].items()), len(own[name])))
        for name in chance.sample(list(own), len(own))
    }
    first = choose_among(rows_of(everyone, own, talk), all_weights, factors)

    assert choose_among(rows_of(shuffled, mixed, talk), all_weights, factors) == first


def test_the_table_holds_the_best_and_all_of_the_chosen_candidate():
    everyone = [candidate(f"n{i}") for i in range(100)]
    own = {f"n{i}": {"graph.node.recency_score": i / 100} for i in range(100)}
    some = [strategy("up", graph__node__recency_score=1), strategy("low"), strategy("lower")]
    choice = choose_among(rows_of(everyone, own, {}), weights_of(methodology(*some)), {})

    assert choice.chosen.focus == "n99"
    assert choice.considered == 303
    assert len(choice.table) == KEPT + 2
    assert [p.strategy.id for p in choice.table if p.focus == "n99"] == ["up", "low", "lower"]
    assert [p.score for p in choice.table] == sorted((p.score for p in choice.table), reverse=True)
