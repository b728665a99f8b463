"""What is asked ahead is what the whole reading leads to; and what is shown of it."""

import pytest
from pydantic_core import from_json

from interviews.engine.types import Need
from interviews.protocols.technical_assessment.hearing import DECIDING, OBSERVER
from interviews.protocols.technical_assessment.protocol import ASIDE_KEY, PROTOCOL
from llm.outcome import Outcome, Source
from tests.interviews.protocols.assessing import OWN, Assessing, analysis, material, model

FAIR = "We put a lock around it, since two workers had written the same row before."
SETTLED = analysis().model_dump(include={*DECIDING, "status"})
DECISIONS = (
    {"action": "increase"},
    {"action": "decrease", "suggested_topic": "Queues"},
    {"off_topic": True},
    {"suggested_topic": "garbage collection"},
    {"clarification": True},
    {"role_reversal": True},
)


def open_question(**options) -> Assessing:
    """The second question is open."""
    return Assessing(material(**options), model(questions=[OWN[0]])).all([FAIR])


def draft(run: Assessing, **partials):
    return PROTOCOL.draft(run.here(FAIR), {}, partials)


def test_the_deciding_fields_are_written_first():
    assert set(list(analysis().model_dump())[: len(DECIDING)]) == set(DECIDING)


@pytest.mark.parametrize("advice", DECISIONS, ids=str)
def test_whatever_was_guessed_the_last_guess_is_right(advice):
    """The reply grows letter by letter, as it may be cut anywhere."""
    run, whole, keys = open_question(), analysis(**advice), []
    text = whole.model_dump_json()
    for end in range(1, len(text) + 1):
        partial = from_json(text[:end], allow_partial="trailing-strings")
        asked = PROTOCOL.ahead(run.here(FAIR), {}, {OBSERVER: partial})
        keys += [one.key for one in asked if one.key not in keys]
    step = PROTOCOL.step(run.here(FAIR), {OBSERVER: Outcome(whole, Source.MODEL)})
    assert isinstance(step, Need)
    assert keys[-1] == step.inquiries[0].key
    assert len(keys) <= 2


def test_a_question_back_is_answered_ahead():
    run = open_question()
    asked = PROTOCOL.ahead(run.here(FAIR), {}, {OBSERVER: {**SETTLED, "role_reversal": True}})
    assert [one.key for one in asked] == [ASIDE_KEY]


def test_a_repeat_and_the_reasoning_are_never_shown():
    run = open_question()
    (asked,) = PROTOCOL.ahead(run.here(FAIR), {}, {OBSERVER: SETTLED})
    for end in range(len(OWN[0]) + 1):
        assert draft(run, **{OBSERVER: SETTLED, asked.key: {"question": OWN[0][:end]}}) == ""
    whole = {"question": OWN[1], "reasoning": "THOUGHT-MARK"}
    assert draft(run, **{OBSERVER: SETTLED, asked.key: whole}) == OWN[1]


def test_the_last_answer_brings_the_closing_words_at_once():
    run = open_question(max_turns=2)
    assert draft(run, **{OBSERVER: {"action": "same"}}) == ""
    assert draft(run, **{OBSERVER: SETTLED}) == "That was the last question. Goodbye, Ann."


def test_the_list_shows_its_question_as_soon_as_it_is_settled():
    run = open_question(questions_by="list")
    shown = draft(run, **{OBSERVER: SETTLED})
    run.say(FAIR)
    assert run.said == shown != ""
