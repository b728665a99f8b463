"""Topic exploration led in the hand: rows of the table, and what an answer is."""

import re
from datetime import timedelta

import pytest

from interviews.choices import SessionStatus
from interviews.protocols.topic_exploration.phases import PhaseRow
from tests.each import each
from tests.interviews.protocols.exploring import (
    HIGH,
    LOW,
    MEDIUM,
    Exploring,
    led,
    material,
    written,
)


def text_of(move):
    return move.utterances[-1].text


WALKS = [
    (material(minutes=6), 45, [HIGH, HIGH, *[MEDIUM] * 5]),
    (material(topics=1, minutes=30), 45, [MEDIUM] * 4),
    (material(), 45, [MEDIUM, "stop", "yes", "no"]),
    (material(minutes=2), 70, [MEDIUM, MEDIUM, "No, thank you", MEDIUM, "no"]),
    (material(minutes=2), 70, [*[MEDIUM] * 3, "Yes, please", *[MEDIUM] * 9]),
    (
        material(minutes=30),
        45,
        [HIGH, *[LOW] * 4, *[HIGH] * 7, "yes", "ann@example.org", "Kettle Works"],
    ),
    (material(fields=0), 45, [MEDIUM, "stop", "yes"]),
]


STATUSES = {
    *("EXPLORING", "EXPLORING_DEEP", "TRANSITION", "DEEPENING", "DEEP_OFFER_ASK"),
    *(
        "CLOSING_QUESTION",
        "DATA_COLLECTION_CONSENT",
        "DATA_COLLECTION",
        "COMPLETE_WITHOUT_DATA",
        "FINAL_GOODBYE",
    ),
}


def test_every_row_of_the_table_and_every_status_is_seen_and_each_turn_has_one():
    runs = [Exploring(made, seconds=seconds).all(said) for made, seconds, said in WALKS]
    details = [move.details for run in runs for move in run.moves]
    assert {one["row"] for one in details} == {*map(str, PhaseRow), ""} - {"ended"}
    assert {one["supervisor"] for one in details} == STATUSES


def test_a_turn_of_the_common_rules_says_where_it_stands():
    run = Exploring(material(minutes=2), seconds=70).all([MEDIUM, MEDIUM, "Who reads this?"])
    assert run.moves[-1].reason == "question_back"
    assert run.moves[-1].details["supervisor"] == "DEEP_OFFER_ASK"


def test_low_leads_to_the_next_topic():
    run = Exploring(material())
    run.say(LOW)
    assert run.moves[-1].details["supervisor"] == "TRANSITION"
    assert run.moves[-1].details["row"] == "low"


def test_high_earns_a_bonus_turn_after_the_base():
    run = Exploring(material(minutes=6)).all([HIGH, HIGH])
    assert run.moves[-1].details["supervisor"] == "EXPLORING_DEEP"


def test_time_out_brings_the_offer_and_acceptance_deepens():
    run = Exploring(material(minutes=2), seconds=70).all([MEDIUM, MEDIUM])
    assert run.moves[-1].utterances[-1].kind == "deep_offer"
    assert re.search(r"\d", text_of(run.moves[-1]))
    run.say("Yes, please")
    assert run.moves[-1].details["supervisor"] == "DEEPENING"
    assert run.state.exploration.extended


@each("first", ["What do you mean?", "Who reads this?", "Stop", "Tell me a joke", "Kill me now."])
def test_time_away_uses_up_no_time_whatever_is_said_first(first):
    run = Exploring(material(minutes=5)).all([MEDIUM])
    run.at += timedelta(days=7)
    run.say(first)
    if run.state.awaiting:
        run.say({"stop": "No", "care": "Yes"}[run.state.awaiting])
    assert run.say(MEDIUM).details["row"] != "time_out"


@each(
    ("seconds", "answers", "left"),
    [
        (165, [], "and less than a minute is left."),
        (60, [MEDIUM], "and about a minute is left."),
        (70, [MEDIUM, MEDIUM], "and the planned time is over."),
    ],
)
def test_what_is_left_is_said_by_the_clock(seconds, answers, left):
    run = Exploring(material(minutes=3), seconds=seconds).all(answers)
    run.say("How long is left?")
    assert left in run.said


def test_who_is_asked_about_an_earlier_topic_is_told_so():
    run = Exploring(material(minutes=30)).all([HIGH, LOW, LOW, LOW, LOW])
    assert run.moves[-1].details["supervisor"] == "DEEPENING"
    run.say("How much is left?")
    assert "are coming back to one of them, and about 26 minutes are left." in run.said
    assert "topic 4 of 4" not in run.said


def test_going_on_is_a_yes_to_the_offer():
    run = Exploring(material(minutes=2), seconds=70).all([MEDIUM, MEDIUM])
    run.say("Let's go on")
    assert run.state.exploration.extended


def test_the_offer_is_put_twice_then_the_closing_question_comes_and_the_consent():
    run = Exploring(material(minutes=2), seconds=70).all([MEDIUM, MEDIUM, MEDIUM])
    assert run.moves[-1].details["row"] == "asked_again"
    run.say(MEDIUM)
    assert run.moves[-1].details["supervisor"] == "CLOSING_QUESTION"
    run.say(MEDIUM)
    assert run.moves[-1].details["supervisor"] == "DATA_COLLECTION_CONSENT"


def test_the_last_topic_leads_to_deepen_which_names_the_topic_it_comes_back_to():
    run = Exploring(material(minutes=30)).all([HIGH, LOW, LOW, LOW, LOW])
    assert run.moves[-1].details["supervisor"] == "DEEPENING"
    assert text_of(run.moves[-1]).startswith("I'd like to come back to choosing a kettle. ")


@pytest.mark.parametrize("answers", [[HIGH], [HIGH, MEDIUM, LOW], [LOW, HIGH]])
@pytest.mark.parametrize("minutes", [2, 3, 4, 5])
def test_no_more_questions_come_than_were_offered(answers, minutes):
    run = Exploring(material(minutes=minutes), seconds=100).all([LOW] * -(-minutes * 60 // 100))
    assert run.moves[-1].utterances[-1].kind == "deep_offer"
    offered = int(re.search(r"\d+", text_of(run.moves[-1])).group())
    run.say("Yes, please")
    run.all(answers * 10)
    assert run.over
    assert 0 < run.phases.count("DEEPEN") <= offered


@pytest.mark.parametrize("answer", [HIGH, MEDIUM, LOW, "What do you mean?", "Tell me a joke"])
def test_progress_never_goes_back(answer):
    run = Exploring(material(minutes=4), seconds=50)
    while not run.over and len(run.moves) < 80:
        offered = run.moves[-1].utterances[-1].kind == "deep_offer"
        run.say("Yes, please" if offered else answer)
    done = [move.progress[0] for move in run.moves if move.progress]
    assert done == sorted(done)
    assert (done[0], done[-1]) == (1, 4)
    assert run.over


def test_when_the_time_is_out_words_off_topic_lead_to_the_offer():
    run = Exploring(material(minutes=3), seconds=181)
    run.say("Tell me a joke")
    assert run.moves[-1].details["row"] == "time_out"
    assert run.moves[-1].utterances[-1].kind == "deep_offer"


@pytest.mark.parametrize("answer", ["Tell me a joke", "What do you mean?"])
def test_nothing_keeps_one_topic_for_ever(answer):
    run = Exploring(material(minutes=500)).all([answer] * 3)
    assert run.state.exploration.topic == 1
    run.all([answer] * 60)
    assert run.moves[-1].details["phase"] in ("DATA_COLLECTION", "END")


def test_after_a_no_to_the_end_the_open_question_comes_again_as_it_was_put():
    run = Exploring(
        written(material(minutes=60)),
        led({"heard": "fully stay", "say": "You say so. Who chose the kettle?"}),
    )
    run.all([MEDIUM, "stop", "no"])
    assert text_of(run.moves[-1]) == "Who chose the kettle?"
    assert run.state.exploration.current.used == 1


@each("said", ["What do you mean?", "Sorry, I don't understand the question.", "Hm?"])
def test_who_asks_what_is_meant_has_refused_no_contact_data(said):
    run = Exploring(material(minutes=2), seconds=70).all([MEDIUM, MEDIUM, "No, thanks.", MEDIUM])
    assert run.last.utterances[-1].kind == "consent_request"
    run.say(said)
    assert [one.kind for one in run.last.utterances] == ["consent_request"]
    assert run.state.data.consent == ""
    run.say("Yes")
    run.say(said)
    assert [one.kind for one in run.last.utterances] == ["data_request"]
    assert (run.state.data.field, run.state.data.attempts) == (0, 2)


def test_everything_covered_leads_to_the_closing_question_and_the_consent():
    run = Exploring(material(topics=1, minutes=30)).all([MEDIUM] * 3)
    assert run.moves[-1].details["row"] == "all_covered"
    assert text_of(run.last).startswith(("Before we finish", "One more thing"))
    run.say(MEDIUM)
    assert run.moves[-1].details["row"] == "last_answered"
    assert run.moves[-1].utterances[-1].kind == "consent_request"


def test_a_confirmed_stop_leads_to_the_consent_and_ends_as_stopped():
    run = Exploring(material()).all([MEDIUM, "stop", "yes"])
    assert run.moves[-1].utterances[-1].kind == "consent_request"
    run.say("no")
    assert run.moves[-1].status == SessionStatus.STOPPED


def test_a_confirmed_stop_uses_no_turn_and_progress_stays():
    run = Exploring(material()).all([LOW, "stop"])
    before, progress = run.state.exploration.topics, run.moves[1].progress
    run.say("yes")
    assert run.last.details["row"] == "stop"
    assert run.state.exploration.topics == before
    assert run.last.progress == progress == (2, 4, "topics")


def test_without_fields_it_ends_at_once():
    run = Exploring(material(fields=0)).all([MEDIUM, "stop", "yes"])
    assert run.moves[-1].utterances[-1].kind == "outro"
    assert run.moves[-1].details["supervisor"] == "COMPLETE_WITHOUT_DATA"


def test_ten_skips_cover_nothing():
    run = Exploring(material(minutes=30)).all(["skip"] * 10)
    coverage = run.protocol.covered(run.plan, run.state)
    assert [(one.covered, one.coverage) for one in coverage] == [(0, "none")] * 4
    asked = [text_of(move) for move in run.moves]
    assert len(set(asked)) == len(asked)


@pytest.mark.parametrize("said", [*["Hm."] * 1, "Not much.", "…"])
def test_without_a_model_only_an_answer_of_some_substance_covers(said):
    run = Exploring(material()).all([said])
    assert run.state.exploration.topics[0].covered == frozenset()
    assert Exploring(material()).all(["My mother chose it."]).state.exploration.topics[0].covered


@each(
    "before",
    [
        ["I don't want to talk about looking after it. I want to die.", "Yes."],
        ["I want to die.", "I don't want to talk about looking after it.", "Yes."],
        ["I want to stop.", "No, I don't want to talk about looking after it."],
    ],
)
def test_what_was_refused_beside_distress_or_a_stop_is_left_out_also_later(before):
    run = Exploring(material(minutes=60)).all([*before, *[MEDIUM] * 40])
    assert run.moves[len(before)].reason == "goes_on"
    assert run.state.closed == ("looking after it",)
    assert "caring" not in [move.details.get("topic") for move in run.moves[len(before) + 1 :]]
    assert run.over


def test_what_was_refused_in_distress_at_the_offer_is_not_come_back_to():
    run = Exploring(material(minutes=2), seconds=70).all([MEDIUM, MEDIUM])
    assert run.phases[-1] == "DEEP_OFFER"
    run.all(["I don't want to talk about looking after it. I want to die.", "Yes.", "Yes, please"])
    assert run.phases[-1] == "DEEPEN"
    assert [run.made.topics[i].key for i in run.state.exploration.deepen].count("caring") == 0


def test_without_a_subject_the_topic_at_hand_is_not_come_back_to():
    run = Exploring(material(minutes=30)).all(["I'd rather not say", *[LOW] * 10])
    assert run.phases.count("DEEPEN") == 3
    assert [move.details["topic"] for move in run.moves if "topic" in move.details].count(
        "choosing"
    ) == 1


def test_what_sets_the_scene_of_a_written_question_is_repeated_with_it():
    made = material()
    first = made.topics[0].model_copy(
        update={"questions": ("Think of the last time. How did that go?", "", "")}
    )
    made = made.model_copy(update={"topics": (first, *made.topics[1:])})
    run = Exploring(made).all(["stop", "no"])
    assert text_of(run.last) == "Think of the last time. How did that go?"


@each("text", ["What do you mean?", "Non ho capito la domanda", "В каком смысле?"])
def test_a_clarification_takes_no_turn_and_no_sub_goal(text):
    run = Exploring(material()).all([MEDIUM])
    before = run.state.exploration
    run.say(text)
    assert run.state.exploration == before
    assert text_of(run.moves[-1]).endswith("?")


def test_the_third_time_a_question_is_not_understood_it_is_left():
    run = Exploring(material(minutes=60)).all([MEDIUM] + ["What do you mean?"] * 3)
    assert run.state.exploration.topic == 1


def test_a_question_back_leaves_everything_as_it_is():
    run = Exploring(material()).all([MEDIUM])
    before = run.state.exploration
    run.say("Who reads this?")
    assert run.state.exploration == before
    assert run.last.reason == "question_back"


def test_after_three_jokes_the_next_topic_comes():
    run = Exploring(material(minutes=60)).all(["Tell me a joke"] * 3)
    assert [move.reason for move in run.moves[1:]] == ["off_topic", "off_topic", "next"]
    assert run.last.details["row"] == "low"
    assert run.state.exploration.topic == 1
    run.all(["Tell me a joke"] * 11)
    assert run.state.exploration.phase == "DEEPEN"
    assert all(topic.used <= topic.max for topic in run.state.exploration.topics)


@each("said", ["I want to stop", "Voglio smettere", "Хочу остановиться"])
def test_a_plain_wish_to_stop_at_the_offer_declines_it(said):
    run = Exploring(material(minutes=2, fields=0), seconds=70).all([MEDIUM, MEDIUM, said])
    assert run.over
    assert run.last.status == SessionStatus.COMPLETED


def test_the_care_text_at_the_offer_is_followed_by_the_offer():
    run = Exploring(material(minutes=2), seconds=70).all([MEDIUM, MEDIUM])
    run.all(["I want to kill myself", "yes"])
    assert run.moves[-1].utterances[-1].kind == "deep_offer"
    assert run.state.exploration.phase == "DEEP_OFFER"


def test_not_being_able_to_stop_is_no_wish_to_stop():
    run = Exploring(material()).all([MEDIUM, "I can't stop thinking about it"])
    assert run.moves[-1].details["phase"] == "EXPLORE"
    assert run.state.awaiting == ""


def test_the_best_answer_leaves_its_insight():
    run = Exploring(material(minutes=60)).all([HIGH, MEDIUM])
    assert "1" in run.state.exploration.topics[0].key_insight or "Moulinex" in (
        run.state.exploration.topics[0].key_insight
    )
    assert len(run.state.exploration.topics[0].key_insight.split()) <= 21
