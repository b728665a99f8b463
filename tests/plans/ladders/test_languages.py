"""A concept in the languages that it is spoken of in."""

import pytest

from interviews.protocols.laddering.graph.similarity import find_elements
from plans.portability.problems import BrokenDocument
from plans.protocols.laddering.schema.reader import read_concept
from tests.each import each
from tests.ladder_files import concepts
from tests.plans.ladders.small import CONCEPT


@each("name", ["reading_lamp", "bicycle_repair"])
@each("language", ["en", "it", "ru", "it-CH"])
def test_shipped_ones_speak_three_languages(name: str, language: str):
    made = concepts()[name]

    assert made.speaks(language)
    assert not made.speaks("de")


def test_topic_and_labels_are_those_of_the_language_and_all_words_still_lead_to_the_element():
    made = concepts()["reading_lamp"]
    spoken = made.in_language("it")

    assert spoken.context.topic == "leggere la sera"
    assert spoken.elements[0].label == "luce calda"
    assert set(spoken.elements[0].names) == set(made.elements[0].names)
    for word in ("warm light", "luce calda", "тёплый свет"):
        assert find_elements(word, spoken.elements) == ("warm_light",)
    assert made.in_language("de").context.topic == "reading in the evening"


def test_a_word_of_another_language_belongs_to_one_element():
    twice = CONCEPT + "    labels: {it: the look}\n  - {id: look, label: the look}\n"

    with pytest.raises(BrokenDocument) as error:
        read_concept(twice)

    assert "stands for the element" in str(error.value)


def test_a_word_may_be_the_same_in_two_languages():
    label = read_concept(CONCEPT).elements[-1].label

    made = read_concept(f"{CONCEPT}    labels: {{it: {label}}}\n")

    assert made.elements[-1].names.count(label) == 1
