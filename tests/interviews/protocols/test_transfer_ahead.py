"""The next question is worded while the answer is read, and shown once no follow-up can come."""

from dataclasses import replace

from interviews.engine.common_rules import preview, rules_reading
from interviews.engine.reading import AS_ANSWER
from interviews.protocols.knowledge_transfer.protocol import PROTOCOL
from interviews.protocols.knowledge_transfer.tasks import QuestionSelection
from llm.tasks.outcome import Outcome, Source
from tests.each import each
from tests.interviews.protocols.transferring import (
    FAIR,
    QUESTIONS,
    RICH,
    Model,
    Transferring,
    extraction,
    material,
)
from tests.readings import READ, heard

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


@each(
    "partial",
    [{}, {"confidence": "hi"}, {"confidence": "low"}, {"confidence": "medium", "follow_up": ""}],
)
def test_nothing_is_shown_before_it_is_certain(partial):
    assert draft(run_of(), selected("night"), partial) == ""


@each(
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


def test_the_closing_question_is_shown_once_the_last_round_is_answered():
    assert draft(run_of(rounds=1), {}, {}).startswith("Before we finish:")


def test_no_goodbye_is_shown_while_a_discovery_may_put_it_off():
    assert draft(run_of(QUESTIONS[:1]), {}, HIGH) == ""


def through_the_rules(run, partial, key="rephrase.night", answer=RICH, words=WORDS) -> str:
    """What is shown of a turn once the common rules have had their say."""
    partials = {"extract": partial, key: {"text": words}}
    ctx = run.here(answer)
    return preview(PROTOCOL, ctx, rules_reading(PROTOCOL, ctx), selected("night"), partials)


def test_nothing_is_shown_until_the_answer_is_read():
    run = run_of(follow_ups=0)
    for partial in ({}, {"heard": "ful"}, dict(READ), {**heard("ask_back"), **HIGH}):
        assert through_the_rules(run, partial) == ""
    assert through_the_rules(run, READ | HIGH) == WORDS


def test_a_follow_up_is_never_shown_after_something_hard():
    low = {**heard(care="heavy"), "confidence": "low", "follow_up": PROBE}
    assert through_the_rules(run_of(), low) == WORDS
    assert PROBE not in through_the_rules(run_of(), low, words="")


def test_who_would_know_is_shown_as_it_is_written():
    run = run_of()
    ctx = replace(run.here(FAIR), reading=AS_ANSWER.but("dont_know"))
    asks = "That was before your time. Who would know it?"
    written = {"extract": {"confidence": "low", "follow_up": asks}}
    assert PROTOCOL.preview(ctx, {}, written) == asks
    assert PROTOCOL.preview(ctx, {}, {"extract": {"confidence": "low", "follow_up": None}}) == ""
    nothing = {"extract": {"confidence": "low", "follow_up": None, "facts": []}}
    assert PROTOCOL.preview(ctx, {}, nothing).endswith("?")
    assert PROTOCOL.prefetch(ctx, {}, nothing) == ()


def test_the_next_question_is_worded_as_soon_as_a_skip_is_read():
    run = run_of()
    ctx = replace(run.here("Next one please"), reading=AS_ANSWER.but("skip"))
    assert [call.key for call in PROTOCOL.step(ctx, {}).inquiries] == ["rephrase.safety"]


@each("words", ["Great", "Great answer", "Great answer!", "That's a", "Thanks"])
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
