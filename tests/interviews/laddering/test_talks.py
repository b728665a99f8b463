"""Whole talks without a model: they dive, come up and return, and end nowhere else."""

import itertools

import pytest
from pydantic import TypeAdapter

from interviews.protocols.laddering.graph.states import NodeState
from interviews.protocols.laddering.graph.types import Graph
from interviews.protocols.laddering.signals.moment import ELEMENT, Talk
from interviews.protocols.laddering.strategy_choice import StrategyChoice
from plans.protocols.laddering.schema.concept import Concept
from plans.protocols.laddering.schema.methodology import Methodology
from tests.each import each
from tests.interviews.laddering.talks import Told
from tests.ladder_files import concepts, methodologies

WAYS = methodologies()["means_end_chain"]
LAMP = concepts()["reading_lamp"]
CLIMBING = {
    "en": (
        "I like the warm light.",
        "Because my eyes can rest in the evening.",
        "So I fall asleep more easily, which makes me feel calm.",
        "Because then I am a patient and reliable person.",
    ),
    "it": (
        "Mi piace la luce calda.",
        "Perché gli occhi si riposano la sera.",
        "Così mi addormento più facilmente, il che mi fa sentire tranquilla.",
        "Perché allora sono una persona paziente e affidabile.",
    ),
    "ru": (
        "Мне нравится тёплый свет.",
        "Потому что вечером глаза отдыхают.",
        "Поэтому я легче засыпаю, и это даёт мне чувство спокойствия.",
        "Потому что тогда я терпеливый и надёжный человек.",
    ),
}
WARM = LAMP.elements[0]
ONLY_WARM = LAMP.model_copy(update={"elements": (WARM,)})


@pytest.mark.parametrize("language", CLIMBING)
def test_who_gives_reasons_climbs_by_what_was_asked(language: str):
    told = Told(WAYS, ONLY_WARM, language, "exploratory")
    for answer in CLIMBING[language]:
        told.answer(answer)

    assert told.metrics.max_depth >= 2
    assert len(told.graph.nodes) == 4  # one for each answer
    asked = [choice.chosen.focus for choice in told.choices]
    for edge in told.graph.edges:
        assert {edge.source, edge.target} & {asked[place // 2 - 2] for place in edge.positions}


@pytest.mark.parametrize("language", CLIMBING)
def test_each_node_and_edge_knows_the_answer_it_came_from(language: str):
    told = Told(WAYS, ONLY_WARM, language, "exploratory")
    for answer in CLIMBING[language]:
        told.answer(answer)

    for part in (*told.graph.nodes, *told.graph.edges):
        assert part.positions
        assert set(part.positions) <= {2, 4, 6, 8}
    for node in told.graph.nodes:
        assert node.text.lower() in CLIMBING[language][node.created - 1].lower()


MIXED = itertools.cycle(
    (
        *CLIMBING["en"],
        "I don't know.",
        "Nothing special.",
        "It dims by itself so I need not get up, which makes me feel safe.",
        "The price matters because I want to save money for the children.",
        "hm",
        "I have no cable on the floor.",
        "It looks nice and my guests like it.",
    )
)


def mixed(mode: str, name: str = "means_end_chain", concept: Concept = LAMP) -> Told:
    answers = list(itertools.islice(itertools.cycle(list(itertools.islice(MIXED, 11))), 20))
    told = Told(methodologies()[name], concept, mode=mode)
    return told.talk_with(lambda question: answers[len(told.choices)], 20)


@each("answer", ["hm", "42. Next!", "No. Next one."])
def test_what_names_nothing_makes_no_node(answer: str):
    told = Told(methodologies()["means_end_chain"], LAMP)
    told.answer(answer)
    assert told.graph.nodes == ()


@pytest.mark.parametrize("mode", ["coverage", "exploratory"])
@pytest.mark.parametrize("name", ["means_end_chain", "jobs_to_be_done", "critical_incident"])
def test_a_talk_dives_comes_up_and_returns(name: str, mode: str):
    told = mixed(mode, name)
    used = {choice.chosen.strategy.id for choice in told.choices}
    places = [choice.chosen.focus for choice in told.choices]
    longest = max(len(list(run)) for _, run in itertools.groupby(places))

    assert len(used) >= 3
    assert "hm" not in [node.text for node in told.graph.nodes]
    assert longest <= 5
    assert told.metrics.coverage_breadth >= 0.6
    assert told.metrics.max_depth >= 3
    assert any(not place.startswith(ELEMENT) for place in places[:4])


def test_coverage_reaches_for_elements_sooner():
    def when_three_are_asked(mode: str) -> int:
        choices = mixed(mode).choices
        asked = [i for i, one in enumerate(choices) if one.chosen.focus.startswith(ELEMENT)]
        return asked[2] if len(asked) > 2 else len(choices)

    assert when_three_are_asked("coverage") <= when_three_are_asked("exploratory")


def test_who_says_nothing_is_asked_about_each_element_and_left_alone():
    told = Told(WAYS, LAMP).talk_with(lambda question: "I don't know.", 20)
    asked = {choice.chosen.focus for choice in told.choices}

    assert not told.graph.nodes
    assert {ELEMENT + element.id for element in LAMP.elements} <= asked


def test_the_same_answers_make_the_same_talk():
    assert mixed("coverage").choices == mixed("coverage").choices


def test_where_a_talk_stands_can_be_stored_and_taken_up_again():
    told = mixed("coverage")
    for kind, value in (
        (Graph, told.graph),
        (dict[str, NodeState], told.states),
        (Talk, told.talk),
        (StrategyChoice, told.choices[-1]),
        (Methodology, told.ways),
        (Concept, told.concept),
    ):
        adapter = TypeAdapter(kind)
        assert adapter.validate_json(adapter.dump_json(value)) == value
