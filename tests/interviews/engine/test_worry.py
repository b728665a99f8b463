"""Hints of distress: put to a model beside the protocol's own questions, with nothing shown yet."""

import pytest

from interviews.engine.common_rules import match_rule
from interviews.engine.language import distress_check
from interviews.engine.language.distress import hinted, in_distress
from interviews.engine.language.distress_check import Crisis
from interviews.engine.pipeline import replay, run
from interviews.protocols.life_story.protocol import PROTOCOL
from llm.tasks.outcome import Outcome, Source
from tests.interviews.engine.measure_distress import LANGUAGES, phrases
from tests.interviews.engine.test_pipeline import LONG, Model
from tests.interviews.protocols.here import asks, here, noted, stay

HINT = "Since March I can't face the mornings any more."
WRITTEN = [{"action": "FOLLOW_UP", "emotional_content": False, "next_utterance": "Who sat"}]


def says(now: bool) -> Outcome[Crisis]:
    return Outcome(Crisis(now=now), Source.MODEL)


def model(crisis: bool, after: float = 0.05) -> Model:
    return Model(
        {
            "distress": (after, [], says(crisis)),
            "plan": (0.01, WRITTEN, stay()),
            "notes": (0.01, [], noted(desk="oak")),
            "personalise.2": (9, [], asks("And work?")),
        }
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_rules_hear_as_a_sign_is_a_hint_too(language):
    assert [text for text in phrases(language, "now") if not hinted(text)] == []


def test_what_somebody_else_is_quoted_as_saying_is_no_hint():
    assert hinted("She said “I can't go on” and hung up.") == []
    assert hinted("It was raining. I can't go on. We had tea.") == ["I can't go on"]


async def test_a_crisis_is_met_with_care_and_no_question_was_shown():
    asked, shown = model(crisis=True), []
    move, readings = await run(PROTOCOL, here(f"{LONG} {HINT}"), asked, shown.append)
    assert (move.reason, move.flagged, move.state.awaiting) == ("distress", True, "care")
    assert not any(shown)
    assert "distress" in readings
    again = replay(PROTOCOL, here(f"{LONG} {HINT}"), readings)
    assert (again.reason, again.utterances) == (move.reason, move.utterances)


async def test_an_answer_that_is_none_goes_its_way_and_costs_one_call_more():
    asked, shown = model(crisis=False, after=0.0), []
    move, readings = await run(PROTOCOL, here(f"{LONG} {HINT}"), asked, shown.append)
    assert move.reason == "follow_up"
    assert not move.flagged
    assert asked.asked.count("distress") == 1
    assert replay(PROTOCOL, here(f"{LONG} {HINT}"), readings).utterances == move.utterances


async def test_only_what_hints_is_shown_to_the_model():
    data = distress_check.inquiry(here(f"{LONG} {HINT}")).data
    assert data.said == HINT.rstrip(".")
    long = " ".join([HINT * 200] * 3)
    assert len(distress_check.inquiry(here(long)).data.said) < distress_check.MOST * (
        distress_check.LONGEST + 1
    )


def test_no_model_is_asked_where_rules_can_tell_or_words_are_confidential():
    assert match_rule(here(HINT)) == "doubt"
    assert match_rule(here(LONG)) == ""
    assert match_rule(here("I want to die.")) == "distress"
    assert match_rule(here(HINT, state={"sealed": True})) == ""
    assert match_rule(here(HINT, state={"awaiting": "care"})) == "unclear"
    assert match_rule(here(trigger="skip")) == ""
    assert not in_distress(HINT)


def test_a_turn_from_before_models_were_asked_is_made_again_as_it_was():
    readings = {"plan": stay(), "notes": noted(desk="oak")}
    assert replay(PROTOCOL, here(f"{LONG} {HINT}"), readings).reason == "follow_up"
