"""The concepts and methodologies that come with the site."""

from itertools import pairwise

import pytest

from interviews.protocols.laddering import signals
from interviews.protocols.laddering.graph.similarity import find_elements
from plans.protocols.laddering.schema.methodology import Methodology
from plans.protocols.laddering.schema.shipped import CONCEPTS, METHODOLOGIES
from plans.protocols.laddering.schema.vocabulary import parse_condition, registered_terms
from tests.ladder_files import concepts, methodologies

LANGUAGES = ("en", "it", "ru")


def test_what_is_shipped():
    assert set(methodologies()) == {"means_end_chain", "jobs_to_be_done", "critical_incident"}
    assert set(concepts()) == {"reading_lamp", "bicycle_repair"}
    assert len(list(METHODOLOGIES.iterdir())) == 3
    assert len(list(CONCEPTS.iterdir())) == 2


def test_the_means_end_chain_climbs_from_attributes_to_terminal_values():
    assert methodologies()["means_end_chain"].types == (
        "attribute",
        "functional_consequence",
        "psychosocial_consequence",
        "instrumental_value",
        "terminal_value",
    )


EACH = pytest.mark.parametrize("name", ["means_end_chain", "jobs_to_be_done", "critical_incident"])


@EACH
def test_each_can_be_led_in_three_languages_and_asks_one_question_at_a_time(name: str):
    made = methodologies()[name]

    assert made.languages == LANGUAGES
    for strategy in made.strategies:
        assert set(strategy.templates) == set(LANGUAGES)
        assert all(text.count("?") == 1 for texts in strategy.templates.values() for text in texts)
    assert all(text.endswith("?") and "{topic}" in text for text in made.opening.values())


@EACH
def test_each_weighs_every_signal_that_it_lists(name: str):
    made = methodologies()[name]
    keys = {key for strategy in made.strategies for key in strategy.signal_weights}
    weighed = {parse_condition(key, registered_terms()).name for key in keys}
    phases = {"meta.interview.phase"}  # weighs through the phase weights

    assert set(made.signals) == weighed | phases
    assert set(made.signals) <= set(signals.SIGNALS)


@EACH
def test_each_can_tie_every_rung_to_the_next_and_never_ends_in_a_dead_end(name: str):
    made = methodologies()[name]
    rungs = pairwise(made.types)

    assert all(made.allows("leads_to", low, high) for low, high in rungs)
    assert not any(made.allows("leads_to", made.types[-1], low) for low in made.types)


@EACH
def test_each_lets_exhausted_nodes_sink_and_brings_up_what_was_not_spoken_of(name: str):
    made = methodologies()[name]
    openers = [one for one in made.strategies if one.focus_preference == "uncovered"]

    assert len(openers) == 1
    assert all(_weight(made, one.id, "graph.node.is_uncovered.true") < 0 for one in _others(made))
    for strategy in made.strategies:
        if strategy.technique != "close":
            assert strategy.signal_weights["graph.node.exhausted.true"] <= -5


def _others(made: Methodology):
    return [one for one in made.strategies if one.focus_preference != "uncovered"]


def _weight(made: Methodology, strategy: str, key: str) -> float:
    return next(one for one in made.strategies if one.id == strategy).signal_weights.get(key, 0)


@pytest.mark.parametrize("name", ["reading_lamp", "bicycle_repair"])
def test_each_element_is_known_by_all_its_names_and_by_no_other_ones(name: str):
    made = concepts()[name]

    for element in made.elements:
        for word in element.names:
            assert find_elements(word, made.elements) == (element.id,)
