"""Simulated interviews through the same door as everybody's, and what is left of them."""

import io
import json
from datetime import timedelta
from itertools import pairwise
from types import SimpleNamespace
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from interviews.choices import EntryKind
from interviews.models import Participant, Session, TranscriptEntry
from interviews.turns.replay import first_difference
from plans.bots.quota import quota
from plans.jobs import Job, RetryLater
from reflections.evaluation import runs
from reflections.models import Evaluation, Reflection, SimulatedInterview
from tests.conftest import make_topic_bot

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def topics(db):
    return make_topic_bot()


def piloted(bot) -> Evaluation:
    evaluation = runs.request(bot, "Run")
    runs.work_through(evaluation, lambda number, of: None)
    return evaluation


def test_a_pilot_leads_whole_interviews_that_count_nowhere(topics):
    evaluation = piloted(topics)
    sessions = list(Session.objects.filter(simulated__evaluation=evaluation))
    assert [row.status for row in evaluation.interviews.all()] == [Job.Status.READY] * 2
    assert len(sessions) == 2
    assert all(session.synthetic and not session.is_active for session in sessions)
    assert quota(topics).taken == 0
    assert not Reflection.objects.exists()  # nothing is made of them
    assert [first_difference(session) for session in sessions] == ["", ""]


def test_time_passes_on_a_clock_of_its_own(topics):
    evaluation = piloted(topics)
    session = evaluation.interviews.get(persona="talker").session
    turns = list(session.turns.order_by("number"))
    waits = [(b.received_at - a.received_at).total_seconds() for a, b in pairwise(turns)]
    assert min(waits) >= 4
    asked = TranscriptEntry.objects.get(session=session, kind=EntryKind.CONSENT_REQUEST)
    assert session.ended_at == asked.turn.received_at  # contact data comes after the end
    minutes, _ = evaluation.interviews.get(persona="talker").content["counts"]["minutes"]
    assert minutes == pytest.approx(sum(waits) / 60, abs=0.001)


def test_a_draft_can_be_tried_and_an_unready_bot_says_why(topics):
    topics.status = "draft"
    topics.save()
    assert piloted(topics).figures["personas"] == 2
    topics.topics.all().delete()
    with pytest.raises(runs.CannotEvaluate, match="isn’t ready"):
        runs.request(topics, "Another")


def test_a_name_is_used_once_a_bot(topics):
    runs.request(topics, "Run")
    with pytest.raises(runs.CannotEvaluate, match="already"):
        runs.request(topics, "Run")


@pytest.mark.parametrize("count", [0, -1])
def test_without_a_participant_there_is_no_evaluation(topics, count):
    with pytest.raises(runs.CannotEvaluate, match="at least one participant"):
        runs.request(topics, "Run", runs.EvaluationPlan(count=count))
    assert not Evaluation.objects.exists()


def test_a_failed_attempt_is_made_again_without_leftovers(topics, monkeypatch):
    evaluation = runs.request(topics, "Run", runs.EvaluationPlan(count=1))
    row = evaluation.interviews.get()
    with monkeypatch.context() as patch:
        patch.setattr(runs, "measure", lambda *args: 1 / 0)
        runs.make(row.pk)
    row.refresh_from_db()
    assert (row.status, row.reason) == (Job.Status.PENDING, "ZeroDivisionError: division by zero")
    SimulatedInterview.objects.update(claimed_until=None)
    runs.make(row.pk)
    row.refresh_from_db()
    assert row.status == Job.Status.READY
    assert list(Session.objects.all()) == [row.session]


def test_cancelling_keeps_what_is_over(topics):
    evaluation = runs.request(topics, "Run")
    runs.make(evaluation.interviews.get(persona="talker").pk)
    assert runs.cancel(evaluation) == 1
    evaluation.refresh_from_db()
    assert evaluation.figures["personas"] == 1


def test_cancelling_is_one_transaction_or_postgresql_locks_nothing(topics, monkeypatch):
    seen = []
    monkeypatch.setattr(runs, "report", lambda *_: seen.append(connection.in_atomic_block) or {})
    runs.cancel(runs.request(topics, "Run"))
    assert seen == [True]


def test_deleting_an_evaluation_deletes_its_interviews(topics):
    runs.delete(piloted(topics))
    assert not Session.objects.exists()
    assert not Participant.objects.exists()
    assert not Evaluation.objects.exists()


def test_the_command_waits_for_what_the_site_leads_meanwhile(topics, monkeypatch):
    claimed = {"status": Job.Status.RUNNING, "claim": uuid4(), "attempts": 1}
    claimed["claimed_until"] = timezone.now() + timedelta(minutes=16)
    make = runs.make

    def make_while_another_is_led_elsewhere(pk: int) -> None:
        SimulatedInterview.objects.filter(status=Job.Status.PENDING).exclude(pk=pk).update(
            **claimed
        )
        make(pk)

    waited = []

    def the_site_fails_and_leaves_it(seconds: float) -> None:
        waited.append(seconds)
        free = {"status": Job.Status.PENDING, "claim": None, "claimed_until": None}
        SimulatedInterview.objects.filter(status=Job.Status.RUNNING).update(**free)

    monkeypatch.setattr(runs, "make", make_while_another_is_led_elsewhere)
    own_time = SimpleNamespace(sleep=the_site_fails_and_leaves_it)  # others sleep as they do
    monkeypatch.setattr(runs, "time", own_time)
    out, progress = io.StringIO(), io.StringIO()
    call_command("pilot", topics.slug, "--count", "2", stdout=out, stderr=progress)
    assert len(waited) == 1
    assert "2 simulated participants" in out.getvalue()
    assert progress.getvalue().splitlines() == [f"{topics.slug}: {n} of 2" for n in (1, 2)]


def test_the_command_says_why_interviews_wait(topics, monkeypatch):
    def nothing_left(bot):
        raise RetryLater("Waiting: the budget is spent.")

    monkeypatch.setattr(runs, "wait_for_budget", nothing_left)
    with pytest.raises(CommandError, match=r"still wait\. Waiting: the budget is spent\."):
        call_command("pilot", topics.slug, "--count", "1", stderr=io.StringIO())


def test_the_command_says_how_it_went(topics):
    out = io.StringIO()
    call_command("pilot", topics.slug, "--count", "2", stdout=out, stderr=io.StringIO())
    said = out.getvalue()
    assert "2 simulated participants" in said
    assert "no model was asked" in said
    with pytest.raises(CommandError, match="no bot"):
        call_command("pilot", "nowhere")


def test_an_earlier_run_that_is_not_over_is_not_compared_with(topics):
    runs.request(topics, "Earlier")
    out = io.StringIO()
    given = ("--name", "Later", "--against", "Earlier", "--count", "1")
    call_command("evaluate", topics.slug, *given, stdout=out, stderr=io.StringIO())
    assert "Later, 1 participants" in out.getvalue()


def test_an_earlier_run_that_there_is_not_stops_the_command_at_once(topics):
    with pytest.raises(CommandError, match="no evaluation called “Erlier”"):
        call_command("evaluate", topics.slug, "--name", "Later", "--against", "Erlier")
    assert not Evaluation.objects.exists()


def test_a_bot_that_there_is_not_stops_the_command_at_once(topics):
    with pytest.raises(CommandError, match="There is no bot at nowhere"):
        call_command("evaluate", topics.slug, "nowhere", "--name", "Run")
    assert not Evaluation.objects.exists()


@pytest.mark.parametrize(("option", "value"), [("--name", "x" * 61), ("--seed", "-1")])
def test_a_name_or_seed_that_can_not_be_stored_is_refused(topics, option, value):
    given = {"--name": "Run", option: value}
    with pytest.raises(CommandError, match=rf"^{option[2:]}: Ensure this value"):
        call_command("evaluate", topics.slug, *(part for one in given.items() for part in one))
    assert not Evaluation.objects.exists()


def test_json_says_what_changed_since_an_earlier_run(topics):
    before = piloted(topics)
    out = io.StringIO()
    given = ("--name", "Later", "--against", "Run", "--format", "json")
    call_command("evaluate", topics.slug, *given, stdout=out, stderr=io.StringIO())
    against = json.loads(out.getvalue())[topics.slug]["against"]
    assert (against["name"], against["versions"]) == ("Run", before.versions)
    turns = against["changes"]["turns"]
    assert turns["before"] == before.figures["figures"]["turns"]
    assert (turns["difference"]["value"], turns["verdict"]) == (0, "")


def test_somebody_who_can_t_take_part_any_more_is_not_waited_for(topics, monkeypatch):
    evaluation = runs.request(topics, "Run")
    first, second = evaluation.interviews.order_by("pk")
    runs.make(first.pk)
    left = [one for one in runs.personas_for(topics) if one.key == first.persona]
    monkeypatch.setattr(runs, "personas_for", lambda bot: left)
    runs.make(second.pk)
    evaluation.refresh_from_db()
    assert evaluation.figures["personas"] == 1
