"""After-work through failures, missing models and interviews that go while it is made."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from interviews.choices import SessionStatus
from interviews.models import Session
from interviews.turns.deletion import delete_sessions
from llm.calls.log import log_call
from llm.models import LLMCall
from llm.routing.routes import NO_MODEL
from llm.tasks.records import CallRecord
from plans import jobs
from plans.jobs import MOST_ATTEMPTS
from reflections import jobs as work
from reflections.calibration import calibrations
from reflections.jobs import interview_ended, run_again
from reflections.models import Calibration, Expert, Judgement, Reflection
from reflections.protocols.knowledge_transfer import makers
from reflections.reviews import Opinion, judge
from tests.factories import CallFactory
from tests.fake_provider import FakeProvider
from tests.llm.conftest import QUICK, fake, server, wire  # noqa: F401  (fixtures)
from tests.reflections.held import again, wished
from tests.reflections.replaced import set_maker
from tests.reflections.telling import told_session

pytestmark = pytest.mark.django_db(transaction=True)
PLAIN = ("coverage", "facts", "summary")
MADE = {"sections": [], "made_by": "rules"}


@pytest.fixture(autouse=True)
def no_model(settings, monkeypatch):
    """Nothing is made but by the test itself, and nobody is asked."""
    for name, value in QUICK.items():
        setattr(settings, name, value)
    settings.LLM_PROVIDER = "offline"
    monkeypatch.setattr(jobs, "_serving", False)


@pytest.fixture
def ended() -> Session:
    """A life story that has ended, with all that is wished for."""
    session = told_session()
    interview_ended(session)
    return session


def statuses(session: Session) -> dict[str, str]:
    return dict(session.reflections.values_list("name", "status"))


def make_all(session: Session) -> None:
    for row in session.reflections.exclude(status__in=("ready", "failed")):
        row.claimed_until = None
        row.save(update_fields=["claimed_until"])
        work.make(row.pk)


def maker(monkeypatch, make: Callable[[Session], Any]) -> None:
    """Who makes summaries from now on."""
    set_maker(monkeypatch, "summary", make)


class TestExperts:
    """They wait for a model, and hold nothing up."""

    def test_they_wait_until_there_is_one(self, ended, settings, fake: FakeProvider, wire):  # noqa: F811
        settings.LLM_PROVIDER = "offline"
        make_all(ended)
        experts = ended.reflections.filter(name__startswith="expert:")
        assert set(experts.values_list("status", "reason", "attempts")) == {
            ("pending", NO_MODEL, 0)
        }
        assert {statuses(ended)[name] for name in PLAIN} == {"ready"}
        assert work.sweep() == 0

        settings.LLM_PROVIDER = wire
        assert work.sweep() == experts.count() == Expert.objects.filter(active=True).count()
        make_all(ended)
        assert set(experts.values_list("status", "reason", "attempts")) == {("ready", "", 1)}

    def test_six_hundred_of_them_are_not_in_the_way_of_a_summary(self, ended, monkeypatch):
        many = [Reflection(session=ended, name=f"expert:{n}") for n in range(600)]
        Reflection.objects.bulk_create(many)
        other = wished(told_session(), "summary")
        handed: list[int] = []
        monkeypatch.setattr(jobs.JobType, "enqueue", lambda self, pk, _: handed.append(pk))
        work.sweep()
        assert other.pk in handed
        assert len(handed) == 1 + len(PLAIN)


class TestFollowing:
    """What is made after a product, anew with it."""

    def test_what_follows_is_locked_before_the_interview_as_by_whoever_stores_it(self, monkeypatch):
        session = told_session()
        summary = wished(session, makers.SUMMARY)
        for name in (makers.PACKAGE, makers.CONTEXT):
            wished(session, name)
        set_maker(monkeypatch, makers.SUMMARY, lambda session: MADE)
        with CaptureQueriesContext(connection) as asked:
            work.make(summary.pk)
        assert again(summary).status == "ready"
        statements = [one["sql"] for one in asked]
        held = _first(statements, 'FROM "interviews_session"', SessionStatus.WITHDRAWN.value)
        following = _first(
            statements, 'FROM "reflections_reflection"', makers.PACKAGE, makers.CONTEXT
        )
        assert following < held

    def test_nothing_follows_for_an_interview_that_was_withdrawn(self, monkeypatch):
        session = told_session()
        summary = wished(session, makers.SUMMARY)
        set_maker(monkeypatch, makers.SUMMARY, lambda session: late(session, withdrawn))
        work.make(summary.pk)
        assert not Reflection.objects.exists()

    def test_what_a_person_has_judged_stays_and_the_rest_is_made_anew(self, monkeypatch):
        session = told_session()
        summary = wished(session, makers.SUMMARY)
        judged, unread = (wished(session, name) for name in (makers.PACKAGE, makers.CONTEXT))
        done = {"status": "ready", "content": MADE, "finished_at": timezone.now()}
        Reflection.objects.exclude(pk=summary.pk).update(**done)
        judge(again(judged), Opinion(Judgement.State.ACCEPTED), "ann", 0)
        set_maker(monkeypatch, makers.SUMMARY, lambda session: MADE)
        work.make(summary.pk)
        assert (again(judged).status, again(unread).status) == ("ready", "pending")

    def test_what_is_being_made_is_not_begun_anew_by_a_person(self, monkeypatch):
        """Two people press the same button: what one of them waits for isn't thrown away."""
        session = told_session()
        summary = wished(session, makers.SUMMARY)

        def pressed_again(session: Session) -> dict[str, Any]:
            run_again(again(summary))
            return MADE

        set_maker(monkeypatch, makers.SUMMARY, pressed_again)
        work.make(summary.pk)
        assert (again(summary).status, summary.attempts) == ("ready", 1)


def _first(statements: list[str], *parts: str) -> int:
    """Which of them is the first that holds all of these."""
    return next(at for at, sql in enumerate(statements) if all(part in sql for part in parts))


class TestPoison:
    """A product that can't be made."""

    def test_it_ends_with_its_reason_and_holds_nothing_up(self, ended, monkeypatch):
        with monkeypatch.context() as patch:
            maker(patch, lambda session: 1 / 0)
            for _ in range(MOST_ATTEMPTS + 1):
                make_all(ended)
        row = ended.reflections.get(name="summary")
        assert (row.status, row.attempts) == ("failed", MOST_ATTEMPTS)
        assert row.reason == "ZeroDivisionError: division by zero"
        assert statuses(ended)["facts"] == statuses(ended)["coverage"] == "ready"
        assert work.sweep() == 0

        run_again(row)
        make_all(ended)
        assert (again(row).status, row.attempts, row.reason) == ("ready", 1, "")

    def test_a_product_that_nobody_knows_is_one(self, ended):
        row = wished(ended, "horoscope")
        for _ in range(MOST_ATTEMPTS):
            make_all(ended)
        assert (again(row).status, row.reason) == ("failed", "KeyError: 'horoscope'")


def late(session: Session, happens: Callable[[Session], Any]) -> dict[str, Any]:
    """The interview goes while a model writes; then the call is logged."""
    happens(session)
    call = CallFactory.build(session=str(session.pk))
    record = CallRecord(**{one.name: getattr(call, one.name) for one in fields(CallRecord)})
    async_to_sync(log_call)(record, None)
    return MADE


def deleted(session: Session) -> None:
    delete_sessions(Session.objects.filter(pk=session.pk))


def withdrawn(session: Session) -> None:
    Session.objects.filter(pk=session.pk).update(status=SessionStatus.WITHDRAWN)


class TestGone:
    """The interview is deleted or withdrawn."""

    @pytest.mark.parametrize("how", [deleted, withdrawn])
    def test_a_call_that_ends_too_late_is_not_logged_though_its_worker_dies(self, how):
        late(told_session(), how)
        assert not LLMCall.objects.exists()

    def test_a_call_for_an_interview_that_is_there_is_logged(self):
        late(told_session(), lambda session: None)
        assert LLMCall.objects.count() == 1

    @pytest.mark.parametrize("how", [deleted, withdrawn])
    @pytest.mark.parametrize("fails", [False, True])
    def test_nothing_is_left_of_what_was_being_made(self, monkeypatch, how, fails):
        session = told_session()
        row = wished(session, "summary")

        def make(session):
            made = late(session, how)
            return 1 / 0 if fails and how is deleted else made

        maker(monkeypatch, make)
        work.make(row.pk)
        assert not Reflection.objects.exists()
        assert not LLMCall.objects.exists()
        assert work.sweep() == 0

    def test_nobody_is_asked_about_one_that_was_withdrawn_before(self, ended, monkeypatch):
        maker(monkeypatch, lambda session: pytest.fail("it was made"))
        withdrawn(ended)
        make_all(ended)
        assert {name.partition(":")[0] for name in statuses(ended)} == {"expert"}
        assert work.sweep() == 0

    def test_what_was_there_before_does_not_come_back(self, monkeypatch):
        row = wished(told_session(), "summary")
        row.content = {"made_by": "rules"}
        row.save()
        maker(monkeypatch, lambda session: late(session, withdrawn))
        work.make(row.pk)
        assert again(row).content == {"made_by": "rules"}
        assert not LLMCall.objects.exists()

    def test_calls_for_others_stay(self, monkeypatch):
        other = CallFactory(session=str(told_session().pk))
        row = wished(told_session(), "summary")
        maker(monkeypatch, lambda session: late(session, deleted))
        work.make(row.pk)
        assert list(LLMCall.objects.all()) == [other]

    def test_an_expert_who_was_switched_off_takes_no_calls_along(self, fake: FakeProvider, wire):  # noqa: F811
        Expert.objects.update(active=False)
        row = wished(told_session(), "expert:psychologist")
        call = CallFactory(session=str(row.session_id))
        work.make(row.pk)
        assert not Reflection.objects.exists()
        assert list(LLMCall.objects.all()) == [call]

    def test_a_calibration_leaves_nothing_either(self, settings, monkeypatch):
        settings.LLM_PROVIDER = "scripted"
        row = Calibration.objects.create(
            session=told_session(), method=Calibration.Method.HELD_OUT, created_at=timezone.now()
        )
        monkeypatch.setattr(
            calibrations, "may_be_calibrated", lambda session: not late(session, deleted)
        )
        calibrations.make(row.pk)
        assert not Calibration.objects.exists()
        assert not LLMCall.objects.exists()
