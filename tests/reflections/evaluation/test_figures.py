"""What is counted in an interview, the figures of all, and what changed between two evaluations."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from interviews.choices import EntryKind, SessionStatus
from reflections.evaluation import runs
from reflections.evaluation.figures import FIGURES, as_json, compare, report
from reflections.evaluation.measurement import measure
from reflections.evaluation.respondents import Answer
from reflections.evaluation.simulation import SimulatedTurn
from reflections.models import Evaluation, SimulatedInterview
from tests.conftest import make_topic_bot
from tests.factories import AnswerFactory, EntryFactory, SessionFactory, TurnFactory
from tests.reflections.evaluation.cast import DENT, HINTER, LEAVER, MORNING, TALKER

pytestmark = pytest.mark.django_db


def played(persona, *exchanges, status=SessionStatus.COMPLETED):
    """What was measured of an interview: pairs of an answer and what the interviewer replied."""
    session = SessionFactory(status=status)
    opening = TurnFactory(session=session, trigger="opening")
    EntryFactory(turn=opening, kind=EntryKind.QUESTION, text="Where did it begin?")
    turns = []
    for answer, reply, *more in exchanges:
        fields = more[0] if more else {}
        decision = {"reason": fields.pop("reason", "next"), "details": fields.pop("details", {})}
        turn = TurnFactory(session=session, source="rules", decision=decision)
        AnswerFactory(turn=turn, text=answer.text)
        EntryFactory(turn=turn, text=reply, **fields)
        turns.append(SimulatedTurn(turn.number, answer))
    return measure(session, persona, turns)


def share(measured, key):
    a, b = measured.counts[key]
    return a / b if b else None


SMALL, GOODBYE = Answer("small", "Well."), "Thank you, goodbye."
REFUSES = Answer("refuse", "I'd rather not.", refused=("money",))


def what(measured):
    return {moment.what for moment in measured.moments}


def test_a_fair_interview_is_measured():
    tells = Answer("tell", "Every morning I boil it twice.", ("morning",))
    measured = played(TALKER, (SMALL, "And on an ordinary morning?"), (tells, GOODBYE))
    assert share(measured, "elicited") == pytest.approx(1 / 3)
    assert share(measured, "elicited_asked") == 0.5
    assert share(measured, "timely") == pytest.approx(0.296, abs=0.001)  # at the second of 3 turns
    clean = ("double", "leading", "repeats", "praise", "verdicts", "dead_ends", "endless")
    assert [share(measured, key) for key in clean] == [0] * 7
    assert share(measured, "minutes") == 2
    assert share(measured, "by_rules") == pytest.approx(2 / 3)  # the opening is a model's
    assert not measured.moments


@pytest.mark.parametrize(
    ("reply", "key", "moment"),
    [
        ("What broke first? And who helped?", "double", "double"),
        ("It was hard for you, wasn't it?", "leading", "leading"),
        ("Don’t you think it was too dear?", "leading", "leading"),
        ("You must have felt lonely?", "leading", "leading"),
        ("Great answer! What then?", "praise", "praise"),
        ("Where did it begin?", "repeats", "repeat"),
    ],
)
def test_what_an_interviewer_should_not_say_is_counted(reply, key, moment):
    measured = played(TALKER, (SMALL, reply), (SMALL, GOODBYE))
    assert measured.counts[key][0] == 1
    assert what(measured) == {moment}


def test_an_echo_is_no_second_question():
    measured = played(TALKER, (SMALL, "Your aunt? What was she like?"), (SMALL, GOODBYE))
    assert share(measured, "double") == 0


def test_a_subject_that_was_refused_and_comes_back_is_noticed():
    left = played(LEAVER, (REFUSES, "And the weather?"), (SMALL, GOODBYE))
    pressed = played(LEAVER, (REFUSES, "Still, what about caring?"), (SMALL, GOODBYE))
    assert (share(left, "refusals"), share(pressed, "refusals")) == (1, 0)
    assert what(pressed) == {"pressed"}


def test_questions_back_are_answered_or_not():
    asks, answer = Answer("ask_back", "Who reads this?"), "The people who run this site."
    ignored = played(TALKER, (asks, "And then?"), (SMALL, GOODBYE))
    met = played(
        TALKER, (asks, f"{answer} And then?", {"reason": "question_back"}), (SMALL, "Bye.")
    )
    assert (share(ignored, "answered_back"), share(met, "answered_back")) == (0, 1)
    assert what(ignored) == {"question_ignored"}


def test_a_stop_is_honoured_in_one_confirmation():
    stop, agree = Answer("stop", "I want to stop."), Answer("agree", "Yes.")
    shall = (stop, "Shall we stop here?", {"reason": "stop_to_confirm"})
    assert share(played(LEAVER, shall, (agree, GOODBYE)), "stops") == 1
    twice = played(LEAVER, shall, (agree, "Really stop?"), (agree, GOODBYE))
    assert share(twice, "stops") == 0
    assert "stop_ignored" in what(twice)


def test_dead_ends_and_interviews_without_an_end_are_seen():
    nothing = played(TALKER, (SMALL, "I see.", {"kind": EntryKind.TRANSITION}), (SMALL, GOODBYE))
    assert (nothing.counts["dead_ends"][0], what(nothing)) == (1, {"dead_end"})
    open_end = played(TALKER, (SMALL, "And then?"), status=SessionStatus.WAITING_ANSWER)
    assert share(open_end, "endless") == 1
    stuck = played(TALKER, *[(SMALL, "And then?", {"reason": "off_topic"})] * 3)
    assert stuck.counts["dead_ends"][0] == 1


def test_topics_count_as_answered_by_what_was_said():
    tells = Answer("tell", MORNING["text"], ("morning",))
    question = {"question": "q1"}
    small = played(TALKER, (SMALL, "What was it?", question), (SMALL, GOODBYE))
    told = played(TALKER, (SMALL, "What was it?", question), (tells, GOODBYE))
    assert (share(small, "coverage"), share(told, "coverage")) == (0, 1)


HINTS = Answer("small", DENT["hint"], hinted="dent")


def test_hints_are_followed_by_a_question_or_told_anyway():
    def followed(*exchanges):
        measured = played(HINTER, (HINTS, *exchanges[0]), *exchanges[1:])
        return measured.counts["hints"], "hint_left" in what(measured)

    told = Answer("tell", DENT["text"], ("dent",))
    assert followed(["And the dent?"], (SMALL, GOODBYE)) == ((1, 1), False)
    assert (
        followed(["And the weather?"], (SMALL, "What of that dent?"), (SMALL, GOODBYE))[0][0] == 1
    )
    assert followed(["A dent. What was that like?"], (SMALL, GOODBYE))[0] == (1, 1)
    assert followed(["A dent. How is the weather?"], (SMALL, GOODBYE)) == ((0, 1), True)
    assert followed(["And the weather?"], (told, GOODBYE))[0] == (1, 1)


def test_what_was_answered_and_is_asked_again_is_a_turn_to_read():
    tells, read = Answer("tell", "In May."), {"answers": "fully"}
    again = (tells, "When did it begin?", {"details": read})
    measured = played(TALKER, (tells, "When did it begin?"), again, (SMALL, GOODBYE))
    assert measured.counts["put_again"] == (1, 1)
    assert "put_again" in what(measured)


# -- figures


def evaluation(bot, name, *shares):
    made = Evaluation.objects.create(bot=bot, name=name)
    for number, told in enumerate(shares):
        counts = {"elicited": (told, 4), "double": (4 - told, 4)}
        content = {"counts": counts}
        SimulatedInterview.objects.create(
            evaluation=made, persona=f"p{number}", status="ready", content=content
        )
    made.figures = report(made, made.interviews.all(), [])
    made.save()
    return made


@pytest.fixture
def topics(db):
    return make_topic_bot()


def test_figures_have_intervals_and_what_changed_is_told_apart(topics):
    before = evaluation(topics, "Before", *[1, 2] * 6)
    after = evaluation(topics, "After", *[3, 4] * 6)
    mean = after.figures["figures"]["elicited"]
    assert mean["value"] == 0.875
    assert mean["low"] < 0.875 < mean["high"]
    verdicts = {one.figure.key: one.verdict for one in compare(before, after)}
    assert (verdicts["elicited"], verdicts["double"], verdicts["words"]) == ("better", "better", "")
    assert {one.verdict for one in compare(after, before)} == {"worse", ""}
    assert not any(one.verdict for one in compare(after, after))


def test_figures_are_said_with_their_aims():
    figure = next(one for one in FIGURES if one.key == "elicited_asked")
    assert figure.in_words({"n": 2, "value": 0.5, "low": 0.25, "high": 1}) == "50 % (25 to 100)"
    assert (figure.in_words({"n": 0}), figure.aim) == ("–", "at least 50 %")
    assert [figure.meets_aim({"n": 1, "value": v}) for v in (0.4, 0.5, None)] == [False, True, None]
    minutes = next(one for one in FIGURES if one.key == "minutes")
    assert minutes.in_words({"n": 1, "value": 2.5}) == "2.50"


def test_turns_of_those_held_back_are_counted_and_never_listed(topics):
    made = evaluation(topics, "Run", 1, 2)
    moment = {"turn": 3, "position": 7, "what": "double", "text": "What? And who?"}
    for row in made.interviews.all():
        row.content["moments"] = [moment]
        row.save()
    held = LEAVER.model_copy(update={"key": "p1"})
    found = report(made, made.interviews.all(), [held])
    assert found["personas"] == 2
    assert [one["persona"] for one in found["moments"]] == ["p0"]


@pytest.mark.django_db(transaction=True)
def test_the_same_seed_gives_the_same_bytes(topics):
    def run():
        out = io.StringIO()
        options = ("--name", "Run", "--seed", "7", "--format", "json")
        call_command("evaluate", topics.slug, *options, stdout=out, stderr=io.StringIO())
        made = Evaluation.objects.get()
        assert json.loads(out.getvalue())[topics.slug] == as_json(made)
        runs.delete(made)
        return out.getvalue()

    first = run()
    assert first == run()
    assert {"code", "models", "plan", "prompts"} == {*json.loads(first)[topics.slug]["versions"]}


@pytest.mark.django_db(transaction=True)
def test_the_command_shows_two_evaluations_side_by_side(topics):
    out = io.StringIO()
    call_command("evaluate", topics.slug, "--name", "One", stdout=out, stderr=io.StringIO())
    assert all(figure.label in out.getvalue() for figure in FIGURES)
    call_command(
        *("evaluate", topics.slug, "--name", "Two", "--against", "One"),
        stdout=out,
        stderr=io.StringIO(),
    )
    assert "Two, 2 participants" in out.getvalue()


def test_stored_interviews_are_measured_by_what_was_said(topics):
    real = {"bot": topics, "status": SessionStatus.COMPLETED}
    for fields in (real, real | {"status": SessionStatus.WITHDRAWN}, real | {"synthetic": True}):
        session = SessionFactory(**fields)
        EntryFactory(turn=TurnFactory(session=session, trigger="opening"), text="What was it?")
        turn = TurnFactory(session=session)
        AnswerFactory(turn=turn, text="The kettle broke in January.")
        EntryFactory(turn=turn, text="The kettle broke. Is there anything else?")

    def shown(*options):
        out = io.StringIO()
        call_command("evaluate", topics.slug, "--stored", *options, stdout=out)
        return out.getvalue()

    found = json.loads(shown("--format", "json"))[topics.slug]
    assert found["interviews"] == 1
    values = {key: one["value"] for key, one in found["figures"].items()}
    assert (values["echoes"], values["shape_taken_up"], values["last_word"]) == (1, 1, 1)
    assert not {"elicited", "hints"} & {*values}
    assert "1 stored interviews" in shown()
    assert "Begins with a piece of the answer" in shown()


def test_an_evaluation_is_named_or_of_what_is_stored(topics):
    for given in ((), ("--stored", "--name", "Run")):
        with pytest.raises(CommandError, match=r"--name|--stored"):
            call_command("evaluate", topics.slug, *given)
