"""Contact data at the end of a topic exploration: consent first, then one field at a time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviews.choices import SessionStatus
from llm.tasks.outcome import Outcome, Source
from plans.protocols.topic_exploration.content import FieldMaterial
from tests.each import each
from tests.interviews.protocols.exploring import MEDIUM, Exploring, led, material
from tests.interviews.protocols.leading import offline


def text_of(move):
    return move.utterances[-1].text


def kinds(exploring):
    return [u.kind for move in exploring.moves for u in move.utterances]


def consented(*answers, **options):
    run = Exploring(material(topics=1, minutes=30, **options)).all([MEDIUM] * 4)
    return run.all(["yes", *answers])


def test_values_are_kept_apart_and_masked():
    run = consented("it's ann@example.org", "Kettle Works")
    assert run.values == {"email": "ann@example.org", "company": "Kettle Works"}
    assert run.over
    assert run.moves[-1].status == SessionStatus.COMPLETED
    assert run.moves[-1].details["supervisor"] == "FINAL_GOODBYE"
    spoken = " ".join(line.text for line in run.lines)
    assert "ann@example.org" not in spoken
    assert "Kettle Works" not in spoken
    assert "ann@example.org" not in str(run.state) + str(run.moves)


def test_the_consent_says_what_and_why():
    run = Exploring(material(topics=1, minutes=30)).all([MEDIUM] * 4)
    text = text_of(run.moves[-1])
    assert "e-mail address, company" in text
    assert "To send you the results." in text


@each("answers", [["no"], ["hm", "well, hm"], ["maybe", "what?"]])
def test_without_a_clear_yes_nothing_is_asked(answers):
    run = Exploring(material(topics=1, minutes=30)).all([MEDIUM] * 4 + answers)
    assert run.over
    assert run.values == {}
    assert "data_request" not in kinds(run)
    assert run.moves[-1].details["supervisor"] == "COMPLETE_WITHOUT_DATA"


def test_what_is_no_clear_yes_is_no_consent():
    run = Exploring(material(topics=1, minutes=30), led()).all([MEDIUM] * 4 + ["as you like"])
    assert kinds(run)[-1] == "consent_request"
    assert run.keys() == []


def test_a_question_about_the_consent_is_answered_and_counts_as_no_answer():
    run = Exploring(material(topics=1, minutes=30), led()).all([MEDIUM] * 4)
    before = run.state.data
    run.all(["Who gets my address?"] * 3)
    assert [move.reason for move in run.moves[-3:]] == ["question_back"] * 3
    assert kinds(run)[-2:] == ["interviewer_answer", "consent_request"]
    assert (run.state.data, run.keys()) == (before, [])
    assert kinds(run.all(["yes", "And what is it for?"]))[-1] == "data_request"
    run.all(["ann@example.org", "Kettle Works"])
    assert run.values == {"email": "ann@example.org", "company": "Kettle Works"}


@pytest.mark.parametrize("said", ["skip", "I'd rather not say"])
def test_a_skip_is_no_consent(said):
    run = Exploring(material(topics=1, minutes=30)).all([MEDIUM] * 4 + [said])
    assert run.over


def test_nobody_is_thanked_for_what_they_told_who_told_nothing():
    run = Exploring(material(topics=1, minutes=30, fields=0)).all(["skip"] * 6)
    assert text_of(run.moves[-1]).startswith("Thank you for your time. ")


def test_one_field_can_be_refused_and_all_can():
    run = consented("I'd rather not say", "Kettle Works")
    assert run.values == {"company": "Kettle Works"}
    assert run.over
    run = consented("I don't want to give any data")
    assert run.over
    assert run.values == {}


def test_an_invalid_value_is_asked_for_once_more():
    run = consented("ann at nowhere")
    assert kinds(run)[-1] == "data_request"
    run.say("still not an address")
    assert run.state.data.field == 1
    assert run.values == {}


def test_no_value_ever_reaches_a_led():
    run = consented("ann@example.org", "Kettle Works")
    for asked in run.inquiries:
        assert "ann@example.org" not in str(asked)


def in_portuguese(text):
    """At the consent, in a language without fixed words."""

    def others(call):
        return Outcome(text, Source.MODEL) if call.key == "request" else offline(call)

    made = material(topics=1, minutes=30, fields=1)
    return Exploring(made, led(others=others), language="pt").all([MEDIUM] * 4)


def test_without_fixed_words_the_model_asks_for_consent():
    good = "Gostaríamos de guardar o seu e-mail address. Está de acordo?"
    assert text_of(in_portuguese(good).moves[-1]) == good


def test_a_model_that_will_not_ask_is_replaced_by_the_fixed_words():
    run = in_portuguese("Gosta de chá?")
    assert run.moves[-1].firings[0].guard == "data_collection"
    assert "e-mail address" in text_of(run.moves[-1])


# -- some of it


THREE = (("email", "e-mail address"), ("name", "name"), ("phone", "phone number"))


def at_the_consent(run):
    run.say(MEDIUM)
    while run.last.utterances[-1].kind != "consent_request":
        run.say(MEDIUM)
    return run


def asked_for(*answers, fields=THREE):
    """What is asked for after each answer, from the consent question on, and the interview."""
    made = material(topics=1, minutes=30).model_copy(
        update={"fields": tuple(FieldMaterial(key=k, kind=k, label=n) for k, n in fields)}
    )
    run = at_the_consent(Exploring(made))
    first = len(run.moves)
    run.all(answers)
    said = [one for move in run.moves[first:] for one in move.utterances]
    requests = [one for one in said if one.kind in ("consent_request", "data_request")]
    return [one.question or "consent" for one in requests], run


@each(
    ("answers", "asked", "given", "left"),
    [
        (["E-mail yes, name no", "ann@example.org", "no"], ["email", "phone"], "e-mail address",
         "name, phone number"),
        (["Only the e-mail.", "ann@example.org"], ["email"], "e-mail address",
         "name, phone number"),
        (["E-mail yes: ann@example.org, but no name and no phone"], [], "e-mail address",
         "name, phone number"),
        (["Yes, ann@example.org", "Ann", "no"], ["name", "phone"], "e-mail address, name",
         "phone number"),
        (["Yes", "The e-mail no, but the name: Ann", "skip"], ["email", "phone"], "name",
         "e-mail address, phone number"),
        (["E-mail: ann@example.org, name: Ann, phone: no"], [], "e-mail address, name",
         "phone number"),
        (["Yes", "name no, e-mail is ann@example.org", "no"], ["email", "phone"],
         "e-mail address", "name, phone number"),
        (["Yes", "My number is 040 1234567, name no", "ann@example.org"], ["email", "email"],
         "e-mail address, phone number", "name"),
        (["No name.", "yes", "ann@example.org", "040 1234567"], ["consent", "email", "phone"],
         "e-mail address, phone number", "name"),
        (["No e-mail, no name, no phone."], [], "", "e-mail address, name, phone number"),
        (["Yes", "ann@example.org", "Ann, but no phone"], ["email", "name"],
         "e-mail address, name", "phone number"),
        (["Yes", "ann@example.org", "Ann", "040 1234567"], ["email", "name", "phone"],
         "e-mail address, name, phone number", ""),
    ],
)  # fmt: skip
def test_some_of_the_data_can_be_left_out(answers, asked, given, left):
    requests, run = asked_for(*answers)
    assert requests == asked
    assert run.over
    kept = run.last.utterances[0].text
    if given and left:
        assert kept.startswith(f"These details are saved: {given}; these aren't: {left}.")
    elif given:
        assert kept.startswith(f"These details are saved: {given}.")
    else:
        assert kept.startswith(f"None of these details are saved: {left}.")
    labels = dict(THREE)
    assert [labels[key] for key in labels if key in run.values] == [
        x for x in given.split(", ") if x
    ]
    assert all(value not in str(run.state) + str(run.lines) for value in run.values.values())


def test_the_consent_is_asked_again_for_what_is_left_only():
    _, run = asked_for("No name.")
    assert "e-mail address, phone number?" in text_of(run.moves[-1])


PIECES = (
    *("yes", "no", "e-mail", "name", "phone", "but", "only", "not", "except", ",", "?", "Ann"),
    *("ann@example.org", "040 1234567", "I'd rather not", "fine", "and", "my", "skip", "anything"),
)


@given(
    st.lists(st.lists(st.sampled_from(PIECES), max_size=7).map(" ".join), min_size=12, max_size=12)
)
def test_whatever_is_said_it_ends_and_nothing_settled_is_asked_for_again(answers):
    made = material(topics=1, minutes=30).model_copy(
        update={"fields": tuple(FieldMaterial(key=k, kind=k, label=n) for k, n in THREE)}
    )
    run, settled = at_the_consent(Exploring(made)), set()
    for said in answers:
        if run.over:
            break
        run.say(said)
        data = run.state.data
        assert settled <= {*data.given, *data.refused}
        settled = {*data.given, *data.refused}
        assert not {*data.given} & {*data.refused}
        asked = {one.question for one in run.last.utterances if one.kind == "data_request"}
        assert not asked & settled
    assert run.over or any("?" in said for said in answers)
    if run.state.data.over:
        assert {*run.values} == {*run.state.data.given}
