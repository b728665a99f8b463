"""What is asked ahead is what the whole reading leads to; and what is shown of it."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_core import from_json

from interviews.engine import guards as engine_guards
from interviews.engine import pipeline
from interviews.engine.common_rules import rules_reading, with_reading
from interviews.engine.reading import Heard, so_far
from interviews.engine.result import NeedsCalls
from interviews.protocols.technical_assessment import guards
from interviews.protocols.technical_assessment.observer import DECIDING, KEY
from interviews.protocols.technical_assessment.protocol import PROTOCOL
from interviews.protocols.technical_assessment.tasks import QuestionResponse
from llm.tasks.outcome import Outcome, Source
from tests.examples import examples
from tests.interviews.protocols.assessing import OWN, Assessing, analysis, material, model

FAIR = "We put a lock around it, since two workers had written the same row before."
SETTLED = analysis().model_dump(include={*Heard.model_fields, *DECIDING, "status"})
DECISIONS = (
    {"action": "increase"},
    {"action": "decrease", "suggested_topic": "Queues"},
    {"suggested_topic": "garbage collection"},
    {"intent": "dont_know", "action": "decrease", "status": "gap"},
    {"intent": "skip"},
    {"intent": "refuse", "closed_subject": "my last employer"},
    {"care": "heavy"},
)
MET = (
    {"intent": "ask_back"},
    {"intent": "clarify"},
    {"intent": "off_topic"},
    {"intent": "manipulate"},
    {"intent": "stop"},
)


def open_question(**options) -> Assessing:
    """The second question is open."""
    return Assessing(material(**options), model(questions=[OWN[0]])).all([FAIR])


def draft(run: Assessing, **partials):
    return PROTOCOL.preview(run.here(FAIR), {}, partials)


def test_the_reading_and_the_deciding_fields_are_written_first():
    first = (*Heard.model_fields, *DECIDING)
    assert tuple(analysis().model_dump())[: len(first)] == first


@pytest.mark.parametrize("advice", DECISIONS, ids=str)
def test_whatever_was_guessed_the_last_guess_is_right(advice):
    """The reply grows letter by letter, as it may be cut anywhere."""
    run, whole, keys = open_question(), analysis(**advice), []
    text, ctx = whole.model_dump_json(), run.here(FAIR)
    rules = rules_reading(PROTOCOL, ctx)
    for end in range(1, len(text) + 1):
        partial = from_json(text[:end], allow_partial="trailing-strings")
        asked = PROTOCOL.prefetch(with_reading(ctx, so_far(partial, rules)), {}, {KEY: partial})
        keys += [one.key for one in asked if one.key not in keys]
    step = PROTOCOL.step(with_reading(ctx, so_far(partial, rules)), {KEY: outcome_of(whole)})
    assert len(keys) <= 2
    if "care" in advice:  # then a question of the list is asked
        assert not isinstance(step, NeedsCalls)
        return
    assert isinstance(step, NeedsCalls)
    assert keys[-1] == step.inquiries[0].key


def outcome_of(value) -> Outcome:
    return Outcome(value, Source.MODEL)


def test_a_repeat_and_the_reasoning_are_never_shown():
    run = open_question()
    (asked,) = PROTOCOL.prefetch(run.here(FAIR), {}, {KEY: SETTLED})
    for end in range(len(OWN[0]) + 1):
        assert draft(run, **{KEY: SETTLED, asked.key: {"question": OWN[0][:end]}}) == ""
    whole = {"question": OWN[1], "reasoning": "THOUGHT-MARK"}
    assert draft(run, **{KEY: SETTLED, asked.key: whole}) == OWN[1]


def test_the_last_answer_brings_the_closing_question_at_once_and_that_the_goodbye():
    run = open_question(max_turns=2)
    assert draft(run, **{KEY: {"action": "same"}}) == ""
    asked = draft(run, **{KEY: SETTLED})
    assert asked.startswith("One last question:")
    run.say(FAIR)
    assert run.said == asked
    assert draft(run, **{KEY: SETTLED}) == "That was the last question. Goodbye, Ann."


def test_the_list_shows_its_question_as_soon_as_it_is_settled():
    run = open_question(questions_by="list")
    shown = draft(run, **{KEY: SETTLED})
    run.say(FAIR)
    assert run.said == shown != ""


@settings(max_examples=examples(60), deadline=None)
@given(
    st.sampled_from(({}, *DECISIONS, *MET)),
    st.lists(
        st.sampled_from(
            [OWN[0], OWN[1], f"Great answer! {OWN[2]}", f"{OWN[3]} {OWN[4]}", "How old are you?"]
        ),
        min_size=3,
        max_size=3,
    ),
    st.integers(1, 40),
)
def test_nothing_is_shown_in_mid_turn_that_could_not_stand(advice, questions, step):
    """The whole turn, with replies that come in pieces; and it replays to the same."""
    run, shown = open_question(), []
    queue = iter(questions)

    async def ask(inquiry, heard):
        outcome = _outcome(inquiry, advice, queue)
        if not isinstance(outcome.value, str):
            text = outcome.value.model_dump_json()
            for end in range(1, len(text), step):
                heard(from_json(text[:end], allow_partial="trailing-strings"))
                await asyncio.sleep(0)
        return outcome

    now = run.here(FAIR)
    move, readings = asyncio.run(pipeline.run(PROTOCOL, now, ask, shown.append))
    assert pipeline.replay(PROTOCOL, now, readings) == move
    for text in shown:
        assert not guards.judges(text, "en")
        assert not guards.protected(text, "en")
        assert "MARK" not in text
        assert sum(map(guards.asks, guards.sentences(text))) <= 1
        assert not engine_guards.asked_before(text, [OWN[0]])


def _outcome(inquiry, advice, queue):
    match inquiry.task.name.rsplit(".", 1)[1]:
        case "observer":
            return outcome_of(analysis(notes="NOTE-MARK", **advice))
        case "interviewer":
            return outcome_of(
                QuestionResponse(question=next(queue, OWN[5]), reasoning="THOUGHT-MARK")
            )
        case "clarification":
            return outcome_of(f"Put plainly: {OWN[6]}")
    return outcome_of("It is a word.")
