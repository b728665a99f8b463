"""The next question is asked for while the observer still writes, and shown once it is certain."""

from tests.interviews.protocols.assessing import PROTOCOL, Assessing, material

ANSWER = "We put a lock around it, since two workers had written the same row before."
FLAGS = {
    "stop_intent": False,
    "off_topic": False,
    "role_reversal": False,
}
ACTION = {"action": "increase", "suggested_topic": ""}
SETTLED = {**ACTION, **FLAGS}


def asked_ahead(written: dict, answer: str = ANSWER) -> list[str]:
    run = Assessing(material())
    run.say(ANSWER)
    return [i.key for i in PROTOCOL.prefetch(run.here(answer), {}, {"observer": written})]


def shown(written: dict, question: str) -> str:
    run = Assessing(material())
    run.say(ANSWER)
    now = run.here(ANSWER)
    (inquiry,) = PROTOCOL.prefetch(now, {}, {"observer": written})
    partials = {"observer": written, inquiry.key: {"question": question}}
    return PROTOCOL.preview(now, {}, partials)


def test_nothing_is_asked_before_the_action_begins():
    assert asked_ahead({}) == []
    assert asked_ahead({"action": ""}) == []
    assert asked_ahead({"action": "praise"}) == []


def test_its_first_letter_is_enough():
    whole = asked_ahead({"action": "increase", "suggested_topic": ""})
    assert asked_ahead({"action": "i"}) == whole
    assert ".increase." in whole[0]
    assert ".decrease." in asked_ahead({"action": "de"})[0]


def test_a_topic_counts_once_it_is_whole():
    plain = asked_ahead({"action": "increase"})
    assert asked_ahead({"action": "increase", "suggested_topic": "isol"}) == plain
    written = {"action": "increase", "suggested_topic": "isolation levels", "stop_intent": False}
    assert asked_ahead(written)[0].endswith(".isolation levels.1")


def test_a_flag_leads_elsewhere():
    astray = asked_ahead({**ACTION, **FLAGS, "off_topic": True, "status": ""})
    assert ".steer_back." in astray[0]
    assert asked_ahead({**ACTION, "stop_intent": True, "role_reversal": False}) == []


def test_what_rules_settle_is_asked_for_at_once():
    assert ".rephrase." in asked_ahead({}, "Could you rephrase the question?")[0]


def test_words_are_shown_once_the_flags_are_read():
    question = "How would you find the slow query?"
    assert shown(SETTLED, question) == question
    assert shown({**SETTLED, "clarification": False, "status": "con"}, question) == question
    assert shown({**ACTION, "stop_intent": False, "off_topic": False}, question) == ""
    assert shown(ACTION, question) == ""


def test_only_whole_words_are_shown_and_no_judgement():
    assert shown(SETTLED, "How wou") == "How"
    assert shown(SETTLED, "Good ans") == ""
    assert shown(SETTLED, "Correct. How wou") == "How"
