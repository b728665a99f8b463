"""The next question is worded while the answer is read, and shown once no follow-up can come."""

import pytest

from interviews.protocols.knowledge_transfer import PROTOCOL
from interviews.protocols.knowledge_transfer.tasks import QuestionSelection
from llm.tasks.outcome import Outcome, Source
from tests.interviews.protocols.transferring import (
    FAIR,
    QUESTIONS,
    RICH,
    Model,
    Transferring,
    extraction,
    material,
)

NIGHT = [("night", "P0", "How many night jobs are there in a month?", "")]
THREE = [*QUESTIONS[:2], ("glue", "P0", "Who orders the glue?", ""), *NIGHT]
WORDS = "You divided overtime by normal hours. How many night jobs are there in a month?"
PROBE = "You took the night jobs. Which of them?"
HIGH = {"confidence": "high"}


def run_of(questions=THREE, **options) -> Transferring:
    return Transferring(material(questions, **options), Model())


def selected(item_id: str) -> dict[str, Outcome]:
    return {"select": Outcome(QuestionSelection(id=item_id), Source.MODEL)}


def ahead(run, readings, partial, answer=RICH) -> list[str]:
    found = PROTOCOL.prefetch(run.here(answer), readings, {"extract": partial} if partial else {})
    return [inquiry.key for inquiry in found]


def draft(run, readings, partial, words=WORDS, key="rephrase.night", answer=RICH) -> str:
    partials = {"extract": partial, key: {"text": words}}
    return PROTOCOL.preview(run.here(answer), readings, partials)


def test_the_guess_is_worded_at_once():
    assert ahead(run_of(), {}, {}) == ["rephrase.night"]
    assert ahead(run_of(QUESTIONS), {}, {}) == ["rephrase.safety"]


def test_a_guess_that_holds_goes_on_and_another_takes_its_place():
    assert ahead(run_of(), selected("night"), HIGH) == ["rephrase.night"]
    assert ahead(run_of(), selected("glue"), HIGH) == ["rephrase.glue"]
    assert ahead(run_of(), selected("nonsense"), HIGH) == ["rephrase.safety"]


def test_what_a_follow_up_overtakes_is_dropped():
    low = {"confidence": "low", "follow_up": "You"}
    assert ahead(run_of(), {}, {"confidence": "low"}) == ["rephrase.night"]
    assert ahead(run_of(), {}, low) == []
    assert ahead(run_of(follow_ups=0), {}, low) == ["rephrase.night"]
    assert ahead(run_of(rounds=1), {}, low) == []


def test_nothing_is_worded_ahead_where_nothing_is_left():
    assert ahead(run_of(QUESTIONS[:1]), {}, HIGH) == []
    assert ahead(run_of(rounds=1), {}, HIGH) == []


def test_the_same_question_is_worded_from_the_same_data_before_and_after():
    run = run_of(QUESTIONS)
    (before,) = PROTOCOL.prefetch(run.here(RICH), {}, {})
    read = {"extract": Outcome(extraction(), Source.MODEL)}
    after = PROTOCOL.step(run.here(RICH), read).inquiries
    assert after == (before,)


@pytest.mark.parametrize(
    "partial",
    [{}, {"confidence": "hi"}, {"confidence": "low"}, {"confidence": "medium", "follow_up": ""}],
)
def test_nothing_is_shown_before_it_is_certain(partial):
    assert draft(run_of(), selected("night"), partial) == ""


@pytest.mark.parametrize(
    "partial",
    [
        HIGH,
        {"confidence": " High"},
        {"confidence": "medium", "follow_up": None},
        {"confidence": "low", "follow_up": "", "facts": []},
    ],
)
def test_the_question_is_shown_once_no_follow_up_comes(partial):
    assert draft(run_of(), selected("night"), partial) == WORDS


def test_it_waits_for_the_selection():
    assert draft(run_of(), {}, HIGH) == ""
    assert draft(run_of(), selected("glue"), HIGH) == ""
    run = run_of(QUESTIONS)
    assert draft(run, {}, HIGH, key="rephrase.safety") == WORDS


def test_it_is_shown_at_once_where_no_follow_up_is_left():
    assert draft(run_of(follow_ups=0), selected("night"), {}) == WORDS


def test_the_follow_up_is_shown_as_it_is_written():
    low = {"confidence": "low", "follow_up": PROBE}
    assert draft(run_of(), selected("night"), low, answer=FAIR) == PROBE
    low["follow_up"] = "You took the ni"
    assert draft(run_of(), {}, low, answer=FAIR) == "You took the"
    high = {"confidence": "high", "follow_up": PROBE}
    assert draft(run_of(), {}, high) == ""


def test_the_goodbye_is_shown_once_the_last_round_is_answered():
    assert "last question" in draft(run_of(rounds=1), {}, {})


def test_no_goodbye_is_shown_while_a_discovery_may_put_it_off():
    assert draft(run_of(QUESTIONS[:1]), {}, HIGH) == ""


def test_nothing_of_another_reading_is_shown_while_an_intent_is_read():
    run = run_of(follow_ups=0)
    assert draft(run, selected("night"), {}, answer="And Carla hears of this?") == ""
    assert ahead(run, {}, {}, answer="And Carla hears of this?") == []


@pytest.mark.parametrize("words", ["Great", "Great answer", "Great answer!", "That's a", "Thanks"])
def test_praise_is_never_seen(words):
    assert draft(run_of(), selected("night"), HIGH, words=words) == ""


def test_what_follows_praise_is_shown():
    words = f"Great answer! {WORDS}"
    assert draft(run_of(), selected("night"), HIGH, words=words) == WORDS


def test_a_second_question_and_an_answer_of_its_own_are_never_seen():
    words = f"{WORDS} I think there are twelve. Is that so?"
    assert draft(run_of(), selected("night"), HIGH, words=words) == WORDS


def test_a_leak_is_never_seen():
    words = "I am a calm colleague who keeps the word zephyrine strictly to themselves all day. So"
    assert "zephyrine strictly to themselves" not in draft(
        run_of(), selected("night"), HIGH, words=words
    )


def test_what_is_shown_only_grows():
    run, shown = run_of(), ""
    for end in range(1, len(WORDS) + 1):
        now = draft(run, selected("night"), HIGH, words=WORDS[:end])
        assert now.startswith(shown)
        shown = now
    assert shown == WORDS
