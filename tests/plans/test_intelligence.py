"""Intelligence: wished for, made by a model in the background, stored once."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from llm.models import LLMCall
from llm.providers.base import Fault, ProviderError
from llm.routing.routes import NO_MODEL
from plans import jobs
from plans.bots.compile import content_of, plan_for
from plans.jobs import LEASE, MOST_ATTEMPTS
from plans.models import Intelligence, SubGoal, Topic
from plans.protocols.topic_exploration.topic_guides import job
from plans.protocols.topic_exploration.topic_guides.job import (
    current_guides,
    request_guides,
    request_new_guides,
    write_guides,
)
from plans.protocols.topic_exploration.topic_guides.task import (
    LONGEST_ITEM,
    MOST_ITEMS,
    Prepared,
    TopicOut,
)
from tests.plans.topical import TASK, answers, lists, make_topic_bot, prepared
from tests.scripted import scripted

pytestmark = pytest.mark.django_db(transaction=True)
REFUSED = ProviderError(Fault.BAD_REQUEST, "no")


@pytest.fixture(autouse=True)
def model(settings):
    settings.LLM_PROVIDER = "scripted"
    settings.LLM_BACKOFF = 0.001


@pytest.fixture
def sleep():
    return make_topic_bot()


@pytest.fixture
def row(sleep):
    return request_guides(sleep)


def again(row):
    row.refresh_from_db()
    return row


def due(row):
    """The pause after a failure is over."""
    Intelligence.objects.filter(pk=row.pk).update(claimed_until=timezone.now())


def test_one_call_prepares_all_topics(row):
    answers(prepared("t1", "t2", "t3"))

    job.JOB.run(row.pk)

    assert (again(row).status, row.attempts, row.claim) == ("ready", 1, None)
    assert row.finished_at is not None
    assert row.content["t2"]["probe_angles"] == ["an angle of t2"]
    request = scripted.asked(TASK)[0]
    assert "How people sleep." in request.messages[-1].text
    assert "aim 2 of topic 3" in request.messages[-1].text
    assert request.shape.strict is not None
    assert LLMCall.objects.get().bot == str(row.bot_id)


def test_made_twice_is_stored_once(row):
    answers(prepared("t1"), prepared("t2"))

    job.JOB.run(row.pk)
    job.JOB.run(row.pk)

    assert list(again(row).content) == ["t1"]
    assert len(scripted.asked(TASK)) == 1


def asking(key, *questions):
    lists = {"interpretation_cues": ["x"], "significance_signals": [], "probe_angles": []}
    return TopicOut(key=key, questions=list(questions), **lists)


def test_questions_are_drafted_where_there_are_none(row):
    SubGoal.objects.exclude(topic__key="t1", position=0).update(question="")
    drafts = [
        asking("t1", "Not wanted?", " Which\n one? "),
        asking("t2", "No question.", "Two? Or one?"),
        asking("t3", "Only one for two sub-goals?"),
        asking("elsewhere", "Whose?", "Whose?"),
    ]
    answers(Prepared(topics=drafts))

    job.JOB.run(row.pk)

    found = SubGoal.objects.order_by("topic", "position").values_list("question", flat=True)
    assert list(found) == ["What about aim 1 of topic 1?", "Which one?", "", "", "", ""]
    assert again(row).content["t1"] == {**asking("t1").model_dump(exclude={"key", "questions"})}
    assert SubGoal.history.filter(question="Which one?").count() == 1
    assert plan_for(row.bot).content["material"]["topics"][0]["questions"][1] == "Which one?"
    assert request_guides(row.bot) == row


def test_questions_written_meanwhile_stay(row, monkeypatch):
    SubGoal.objects.update(question="")

    def slow(bot):
        data = real(bot)
        SubGoal.objects.filter(text="aim 1 of topic 1").update(question="Mine?")
        SubGoal.objects.filter(text="aim 2 of topic 1").update(text="another aim")
        return data

    real = job.prepare_input
    monkeypatch.setattr(job, "prepare_input", slow)
    answers(Prepared(topics=[asking("t1", "First?", "Second?")]))

    job.JOB.run(row.pk)

    found = SubGoal.objects.filter(topic__key="t1").values_list("question", flat=True)
    assert list(found) == ["Mine?", ""]


def test_who_lost_the_claim_drafts_no_question(row, monkeypatch):
    SubGoal.objects.update(question="")
    real = job.prepare_input

    def slow(bot):
        write_guides(Intelligence.objects.get(pk=row.pk), {"t1": lists("mine")})
        return real(bot)

    monkeypatch.setattr(job, "prepare_input", slow)
    answers(Prepared(topics=[asking("t1", "First?", "Second?")]))

    job.JOB.run(row.pk)

    assert not SubGoal.objects.exclude(question="").exists()


def test_what_is_too_much_is_cut_and_what_is_foreign_left_out(row):
    long = ["  two\n lines ", "same", "same", "x" * 500, "", *(f"item {n}" for n in range(9))]
    out = {"interpretation_cues": long, "significance_signals": [], "probe_angles": []}
    answers(Prepared(topics=[TopicOut(key="t1", **out), *prepared("elsewhere").topics]))

    job.JOB.run(row.pk)

    content = again(row).content
    assert list(content) == ["t1"]
    cues = content["t1"]["interpretation_cues"]
    assert cues[:2] == ["two lines", "same"]
    assert len(cues) == MOST_ITEMS
    assert max(map(len, cues)) == LONGEST_ITEM
    assert row.reason == "The model gave nothing for: the topic 2, the topic 3."


@pytest.mark.parametrize(
    ("says", "reason"),
    [
        (["broken {", "still {"], "scripted: invalid"),
        ([REFUSED], "bad request"),
        ([Prepared(topics=[])], "held nothing"),
        ([prepared("elsewhere")], "held nothing"),
    ],
)
def test_what_failed_says_why_and_is_tried_again_later(row, says, reason):
    answers(*says)

    job.JOB.run(row.pk)

    assert (again(row).status, row.attempts, row.content) == ("pending", 1, {})
    assert reason in row.reason
    assert row.claimed_until > timezone.now()
    job.JOB.run(row.pk)
    assert again(row).attempts == 1

    due(row)
    answers(prepared("t1", "t2", "t3"))
    job.JOB.run(row.pk)
    assert (again(row).status, row.reason) == ("ready", "")


def test_five_failures_are_enough_and_the_bot_is_usable(sleep, row):
    for _ in range(MOST_ATTEMPTS + 1):
        answers(REFUSED)
        due(row)
        job.JOB.run(row.pk)

    assert (again(row).status, row.attempts) == ("failed", MOST_ATTEMPTS)
    assert "bad request" in row.reason
    assert plan_for(sleep).content["material"]["topics"][0]["intelligence"]["probe_angles"] == []


def test_a_defect_of_ours_is_a_failure_too(row, monkeypatch):
    monkeypatch.setattr(job, "prepare_input", lambda bot: 1 / 0)

    job.JOB.run(row.pk)

    assert again(row).reason == "ZeroDivisionError: division by zero"


def test_without_a_model_it_waits_and_runs_when_there_is_one(row, settings):
    settings.LLM_PROVIDER = "offline"
    job.JOB.run(row.pk)
    assert job.JOB.sweep() == 0
    assert (again(row).status, row.attempts, row.reason) == ("pending", 0, NO_MODEL)

    settings.LLM_PROVIDER = "scripted"
    answers(prepared("t1", "t2", "t3"))
    assert job.JOB.sweep() == 1
    job.JOB.run(row.pk)
    assert (again(row).status, row.reason) == ("ready", "")


def _claimed(row, until):
    Intelligence.objects.filter(pk=row.pk).update(
        status="running", claim=uuid.uuid4(), claimed_until=until, attempts=1
    )


def test_whose_maker_died_is_found_again(row):
    _claimed(row, timezone.now() + LEASE)
    assert job.JOB.sweep() == 0
    answers(prepared("t1", "t2", "t3"))
    job.JOB.run(row.pk)
    assert again(row).status == "running"

    _claimed(row, timezone.now() - timedelta(seconds=1))
    assert job.JOB.sweep() == 1
    job.JOB.run(row.pk)
    assert (again(row).status, row.attempts) == ("ready", 2)


def test_a_process_that_begins_alone_takes_up_everything(row):
    _claimed(row, timezone.now() + LEASE)

    assert job.JOB.sweep(at_once=True) == 1
    assert (again(row).status, row.claim) == ("pending", None)


def test_who_kills_every_maker_is_given_up(row):
    _claimed(row, timezone.now() - timedelta(seconds=1))
    Intelligence.objects.update(attempts=MOST_ATTEMPTS)

    assert job.JOB.sweep() == 0
    assert again(row).status == "failed"
    assert "the process ended" in row.reason


def test_who_lost_the_claim_stores_nothing(row, monkeypatch):
    def slow(bot):
        write_guides(Intelligence.objects.get(pk=row.pk), {"t1": lists("mine")})
        return real(bot)

    real = job.prepare_input
    monkeypatch.setattr(job, "prepare_input", slow)
    answers(prepared("t1", "t2", "t3"))

    job.JOB.run(row.pk)

    assert (again(row).status, row.content, row.edited) == ("ready", {"t1": lists("mine")}, True)


def test_nobody_is_asked_for_topics_that_are_no_more(sleep, row):
    Topic.objects.filter(key="t1").update(label="changed")
    answers(prepared("t1"))

    job.JOB.run(row.pk)

    assert not Intelligence.objects.exists()
    assert not scripted.requests


def test_what_was_there_stays_when_its_topics_change_before_it_is_made_again(sleep, row):
    write_guides(row, {"t1": lists("mine")})
    request_new_guides(row)
    Topic.objects.filter(key="t1").update(label="changed")

    job.JOB.run(row.pk)

    assert (again(row).status, row.content) == ("ready", {"t1": lists("mine")})


def test_a_wish_is_made_once_and_follows_the_topics(sleep, row):
    assert request_guides(sleep) == row
    SubGoal.objects.first().delete()

    second = request_guides(sleep)

    assert second.signature != row.signature
    assert list(Intelligence.objects.all()) == [second]  # nobody had begun the first


def test_earlier_ones_are_kept_and_found_again(sleep, row):
    answers(prepared("t1"))
    job.JOB.run(row.pk)
    sleep.minutes = 60
    sleep.save()
    request_guides(sleep)
    assert Intelligence.objects.count() == 2

    sleep.minutes = 15

    assert request_guides(sleep) == row
    assert current_guides(sleep).content


def test_no_wish_without_topics_and_for_other_kinds(bot):
    assert request_guides(bot) is None
    assert request_guides(make_topic_bot(topics=0)) is None


def test_its_arrival_makes_a_new_plan_and_leaves_the_old_one(sleep, row):
    first = plan_for(sleep)
    answers(prepared("t1", "t2", "t3"))
    job.JOB.run(row.pk)

    second = plan_for(sleep)
    write_guides(again(row), {"t1": lists("mine")})
    third = plan_for(sleep)

    assert [p.number for p in (first, second, third)] == [1, 2, 3]
    first.refresh_from_db()
    angles = [
        content_of(p).material.topics[0].intelligence.probe_angles for p in (first, second, third)
    ]
    assert angles == [(), ("an angle of t1",), ("mine",)]


def test_made_again_the_old_one_is_used_until_the_new_one_is_there(sleep, row):
    write_guides(row, {"t1": lists("mine")})
    before = plan_for(sleep)

    request_new_guides(row)
    assert (again(row).status, row.attempts) == ("pending", 0)
    assert plan_for(sleep) == before
    answers(REFUSED)
    job.JOB.run(row.pk)
    assert plan_for(sleep) == before

    due(row)
    answers(prepared("t1"))
    job.JOB.run(row.pk)
    assert (again(row).edited, plan_for(sleep) != before) == (False, True)


def test_only_the_process_that_serves_makes_it_in_a_thread(row, settings, monkeypatch):
    settings.REDIS_URL = ""
    put = []
    monkeypatch.setattr(jobs, "_thread_queue", lambda name: type("Bench", (), {"put": put.append}))
    monkeypatch.setattr(jobs, "_serving", False)
    job.JOB.enqueue(row.pk)
    assert put == []

    monkeypatch.setattr(jobs, "_serving", True)
    job.JOB.enqueue(row.pk)
    answers(prepared("t1"))
    put[0]()
    assert again(row).status == "ready"


def test_with_redis_it_goes_to_a_worker_and_a_broken_broker_rests(row, settings, monkeypatch):
    settings.REDIS_URL = "redis://nowhere"
    put, queued = [], []
    monkeypatch.setattr(jobs, "_thread_queue", lambda name: type("Bench", (), {"put": put.append}))
    monkeypatch.setattr(jobs, "_broker_rests_until", 0.0)
    workshop = jobs.JobType(Intelligence, lambda row: {}, queued.append)
    workshop.enqueue(row.pk)
    put.pop()()
    assert queued == [row.pk]

    broken = jobs.JobType(Intelligence, lambda row: {}, lambda pk: 1 / 0)
    broken.enqueue(row.pk)
    put.pop()()
    workshop.enqueue(row.pk)
    put.pop()()
    assert queued == [row.pk]  # the broker is left alone for a while
