"""The next question is asked for while the observer still writes, and shown once it is certain."""

from interviews.engine.common_rules import rules_reading, with_reading
from interviews.engine.reading import so_far
from tests.interviews.protocols.assessing import PROTOCOL, Assessing, material
from tests.readings import READ, heard

ANSWER = "We put a lock around it, since two workers had written the same row before."
ACTION = {**READ, "action": "increase", "suggested_topic": ""}
SETTLED = {**ACTION, "status": ""}


def here(written: dict, answer: str = ANSWER):
    """The second question is open, and the observer has written so much."""
    run = Assessing(material())
    run.say(ANSWER)
    ctx = run.here(answer)
    return with_reading(ctx, so_far(written, rules_reading(PROTOCOL, ctx)))


def asked_ahead(written: dict) -> list[str]:
    return [call.key for call in PROTOCOL.prefetch(here(written), {}, {"observer": written})]


def shown(written: dict, question: str) -> str:
    ctx = here(written)
    (call,) = PROTOCOL.prefetch(ctx, {}, {"observer": written})
    partials = {"observer": written, call.key: {"question": question}}
    return PROTOCOL.preview(ctx, {}, partials)


def test_nothing_is_asked_before_the_action_begins():
    assert asked_ahead({}) == []
    assert asked_ahead({**READ, "action": ""}) == []
    assert asked_ahead({**READ, "action": "praise"}) == []


def test_its_first_letter_is_enough():
    whole = asked_ahead(ACTION)
    assert asked_ahead({**READ, "action": "i"}) == whole
    assert ".increase." in whole[0]
    assert ".decrease." in asked_ahead({**READ, "action": "de"})[0]


def test_a_topic_counts_once_it_is_whole():
    plain = asked_ahead({**READ, "action": "increase"})
    assert asked_ahead({**ACTION, "suggested_topic": "isol"}) == plain
    written = {**ACTION, "suggested_topic": "isolation levels", "status": ""}
    assert asked_ahead(written)[0].endswith(".isolation levels.1")


def test_what_is_no_answer_changes_nothing_and_needs_no_advice():
    written = {**heard("skip")}
    assert ".same." in asked_ahead({**written, "action": ""})[0]
    assert asked_ahead({**written, "action": "increase"}) == asked_ahead({**written, "action": ""})


def test_after_something_hard_no_question_is_requested():
    assert asked_ahead({**heard(care="heavy"), "action": "increase"}) == []


def test_words_are_shown_once_the_topic_is_read():
    question = "How would you find the slow query?"
    assert shown(SETTLED, question) == question
    assert shown(ACTION, question) == ""
    assert shown({**READ, "action": "increase"}, question) == ""


def test_only_whole_words_are_shown_and_no_judgement():
    assert shown(SETTLED, "How would you fi") == "How would you"
    assert shown(SETTLED, "Good ans") == ""
    assert shown(SETTLED, "Correct. How would you fi") == "How would you"
