"""The frame of background work: whatever happens while one is made, it is stored once."""

import asyncio
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.db import OperationalError, connection
from django.db.models import Q
from django.utils import timezone
from hypothesis import given
from hypothesis import settings as tried
from hypothesis import strategies as st

from plans import jobs
from plans.jobs import (
    AT_ONCE,
    LEASE,
    MOST_A_SWEEP,
    MOST_ATTEMPTS,
    Cancelled,
    Job,
    JobFailed,
    JobType,
    PermanentFailure,
    RetryLater,
)
from plans.models import Intelligence
from tests.conftest import make_bot
from tests.examples import examples
from tests.queries import counted

pytestmark = pytest.mark.django_db(transaction=True)
HELD = Q(signature__startswith="model:")
WHY = "Nobody is there to make it."
LOCAL = "django.core.cache.backends.locmem.LocMemCache"


@pytest.fixture
def bot():
    return make_bot()


@pytest.fixture(autouse=True)
def one_process(settings, monkeypatch):
    """Nothing is made but by the test itself."""
    settings.REDIS_URL = ""
    monkeypatch.setattr(jobs, "_serving", False)


def row_of(bot, signature="a", **fields) -> Intelligence:
    return Intelligence.objects.create(bot=bot, signature=signature, **fields)


def again(row: Intelligence) -> Intelligence:
    row.refresh_from_db()
    return row


def workshop(make=lambda row: {"content": {"by": row.signature}}, **more) -> JobType:
    return JobType(Intelligence, make, lambda pk: None, **more)


def hindered(*why: str) -> JobType:
    return workshop(blocked_reason=lambda: "".join(why), blockable=HELD)


def wait_until(true: Callable[[], object]) -> None:
    until = time.monotonic() + 20
    while not true():
        assert time.monotonic() < until
        time.sleep(0.01)


class TestHindered:
    """Those that wait for something that the site lacks."""

    def test_they_wait_and_say_so_and_others_of_their_kind_are_made(self, bot):
        waiting, free = row_of(bot, "model:a"), row_of(bot, "b")
        shop = hindered(WHY)
        shop.run(waiting.pk)
        shop.run(free.pk)
        assert (again(waiting).status, waiting.reason, waiting.attempts) == ("pending", WHY, 0)
        assert (again(free).status, free.reason) == ("ready", "")

    def test_six_hundred_of_them_are_not_in_the_way_of_one(self, bot, monkeypatch):
        many = [Intelligence(bot=bot, signature=f"model:{n}") for n in range(MOST_A_SWEEP + 100)]
        Intelligence.objects.bulk_create(many)
        free = row_of(bot, "z")
        handed = []
        monkeypatch.setattr(JobType, "enqueue", lambda self, pk, _: handed.append(pk))
        with counted() as first:
            assert hindered(WHY).sweep() == 1
        assert handed == [free.pk]
        with counted() as second:
            hindered(WHY).sweep()
        assert max(len(first), len(second)) <= 4
        assert Intelligence.objects.filter(reason=WHY).count() == len(many)

    def test_where_nothing_is_under_way_a_sweep_asks_once(self, bot):
        row_of(bot, "model:a", status=Job.Status.READY)
        row_of(bot, "b", status=Job.Status.FAILED)
        for shop in (hindered(WHY), hindered()):
            for at_once in (True, False):
                with counted() as made:
                    assert shop.sweep(at_once) == 0
                assert len(made) == 1

    def test_they_are_made_when_nothing_is_in_their_way_any_more(self, bot):
        row = row_of(bot, "model:a")
        assert hindered(WHY).sweep() == 0
        assert hindered().sweep() == 1
        assert (again(row).status, row.reason) == ("pending", "")
        hindered().run(row.pk)
        assert (again(row).status, row.reason, row.attempts) == ("ready", "", 1)

    def test_one_whose_maker_died_waits_with_them(self, bot):
        row = row_of(bot, "model:a")
        claimed(row, -1)
        assert hindered(WHY).sweep() == 0
        assert (again(row).status, row.reason, row.claim) == ("pending", WHY, None)
        hindered().run(row.pk)
        assert (again(row).status, row.attempts) == ("ready", 2)

    def test_one_that_is_being_made_goes_on(self, bot):
        row = row_of(bot, "model:a")
        claimed(row, 60)
        hindered(WHY).sweep()
        hindered(WHY).run(row.pk)
        assert (again(row).status, row.reason) == ("running", "")

    def test_all_are_hindered_unless_said_otherwise(self, bot):
        row = row_of(bot)
        shop = workshop(blocked_reason=lambda: WHY)
        shop.run(row.pk)
        assert shop.sweep() == 0
        assert (again(row).status, row.reason) == ("pending", WHY)


def claimed(row: Intelligence, seconds: float, attempts: int = 1) -> None:
    """By somebody else, for so long."""
    Intelligence.objects.filter(pk=row.pk).update(
        status="running",
        claim=uuid.uuid4(),
        claimed_until=timezone.now() + timedelta(seconds=seconds),
        attempts=attempts,
    )


class TestLate:
    """Somebody else has taken it over, or it is gone."""

    @pytest.mark.parametrize("ends", [None, JobFailed("no"), Cancelled(), PermanentFailure("no")])
    def test_who_lost_the_claim_changes_nothing(self, bot, ends):
        row, followed = row_of(bot), []

        def slow(row):
            claimed(row, 60, attempts=2)
            if ends:
                raise ends
            return {"content": {"by": "late"}}

        workshop(slow, after=followed.append, given_up=followed.append).run(row.pk)
        assert (again(row).status, row.attempts, row.content) == ("running", 2, {})
        assert (row.reason, row.finished_at, followed) == ("", None, [])

    @pytest.mark.parametrize("ends", [None, JobFailed("no"), Cancelled(), PermanentFailure("no")])
    def test_what_is_deleted_meanwhile_stays_so(self, bot, ends):
        row, followed = row_of(bot), []

        def slow(row):
            Intelligence.objects.all().delete()
            if ends:
                raise ends
            return {"content": {"by": "late"}}

        shop = workshop(slow, after=followed.append, given_up=followed.append)
        shop.run(row.pk)
        assert not Intelligence.objects.exists()
        assert followed == []
        assert shop.sweep() == 0

    def test_a_process_that_begins_alone_leaves_itself_at_work(self, bot):
        row, calls = row_of(bot), []

        def slow(row):
            calls.append(row.pk)
            assert shop.sweep(at_once=True) == 0
            return {"content": {"by": "me"}}

        shop = workshop(slow)
        shop.run(row.pk)
        assert (again(row).status, row.content, calls) == ("ready", {"by": "me"}, [row.pk])

    def test_a_connection_that_was_cut_while_a_model_wrote_costs_nothing(self, bot):
        row = row_of(bot)

        def slow(row):
            connection.ensure_connection()
            connection.connection.close()
            connection.errors_occurred = True  # as after the first statement that failed
            return {"content": {"by": "me"}}

        workshop(slow).run(row.pk)
        assert (again(row).status, row.attempts, row.content) == ("ready", 1, {"by": "me"})


class TestFailing:
    """What can't be made, and what goes wrong when that is to be stored."""

    @pytest.mark.parametrize("said", ["a\0b", "a\ud800b", "a" * 100_000])
    def test_any_reason_can_be_stored(self, bot, said):
        def bad(row):
            raise JobFailed(said)

        row = row_of(bot)
        workshop(bad).run(row.pk)
        assert (again(row).status, row.attempts) == ("pending", 1)
        assert row.reason.startswith("a")
        assert len(row.reason) <= 2_000

    def test_each_failure_doubles_the_time_until_the_next_try(self, bot):
        """Else all of them would be spent on an outage of two minutes."""
        row, shop, waits = row_of(bot), workshop(lambda row: 1 / 0), []
        for _ in range(MOST_ATTEMPTS - 1):
            due(row)
            shop.run(row.pk)
            waits.append(round((again(row).claimed_until - timezone.now()).total_seconds() / 30))
            assert shop.sweep() == 0
        assert waits == [1, 2, 4, 8]

    def test_what_waits_for_a_budget_costs_no_attempt(self, bot):
        def wait(row):
            raise RetryLater("The day's budget is spent.")

        row = row_of(bot)
        for _ in range(MOST_ATTEMPTS + 2):
            due(row)
            workshop(wait).run(row.pk)
        assert (again(row).status, row.attempts) == ("pending", 0)
        assert row.reason == "The day's budget is spent."
        assert row.claimed_until > timezone.now() + timedelta(minutes=9)

    def test_what_follows_and_fails_is_tried_again_and_given_up(self, bot):
        row = row_of(bot)
        for _ in range(MOST_ATTEMPTS):
            due(row)
            workshop(after=lambda row: 1 / 0).run(row.pk)
        assert (again(row).status, row.content) == ("failed", {})
        assert row.reason.startswith("ZeroDivisionError")

    def test_one_that_can_not_even_be_given_up_is_not_in_the_way_of_others(self, bot):
        bad, good, free = row_of(bot, "bad"), row_of(bot, "good"), row_of(bot, "free")
        for row in (bad, good):
            claimed(row, -1, attempts=MOST_ATTEMPTS)

        def given_up(row):
            if row.signature == "bad":
                raise OperationalError("no")

        assert workshop(given_up=given_up).sweep() == 1
        assert (again(good).status, again(free).status) == ("failed", "pending")
        assert again(bad).status == "running"
        workshop().sweep()
        assert again(bad).status == "failed"

    def test_the_oldest_come_first(self, bot, monkeypatch):
        rows = [row_of(bot, str(n)) for n in range(4)]
        Intelligence.objects.filter(pk=rows[0].pk).update(updated_at=timezone.now())
        handed = []
        monkeypatch.setattr(JobType, "enqueue", lambda self, pk, _: handed.append(pk))
        workshop().sweep()
        assert handed == [row.pk for row in rows]


class TestInstead:
    """Something plainer is there for when it can't be made at all."""

    PLAIN = {"content": {"by": "rules"}}

    def shop(self, error: Exception, **more) -> JobType:
        def bad(row):
            raise error

        return workshop(bad, **more)

    def test_it_is_stored_once_the_last_attempt_has_failed_too(self, bot):
        row, followed, given_up = row_of(bot), [], []
        no = JobFailed("No model answers.", instead=self.PLAIN)
        shop = self.shop(no, after=followed.append, given_up=given_up.append)
        for attempt in range(1, MOST_ATTEMPTS):
            due(row)
            shop.run(row.pk)
            assert (again(row).status, row.attempts, row.content) == ("pending", attempt, {})
        due(row)
        shop.run(row.pk)
        assert (again(row).status, row.content) == ("ready", {"by": "rules"})
        assert (row.reason, row.claim) == ("No model answers.", None)
        assert row.finished_at
        assert ([one.content for one in followed], given_up) == ([{"by": "rules"}], [])

    def test_it_is_stored_at_once_where_it_is_hopeless(self, bot):
        row = row_of(bot)
        self.shop(PermanentFailure("a\0b", instead=self.PLAIN)).run(row.pk)
        assert (again(row).status, row.reason, row.content) == ("ready", "a b", {"by": "rules"})

    def test_what_was_made_before_is_not_given_away_for_it(self, bot):
        row = row_of(bot)
        row.content = {"by": "a model"}
        row.save()
        self.shop(PermanentFailure("no", instead=self.PLAIN)).run(row.pk)
        assert (again(row).status, row.reason, row.content) == ("failed", "no", {"by": "a model"})

    def test_without_it_the_row_fails(self, bot):
        row, given_up = row_of(bot), []
        self.shop(PermanentFailure("no"), given_up=given_up.append).run(row.pk)
        assert (again(row).status, row.reason, len(given_up)) == ("failed", "no", 1)

    def test_the_row_fails_where_it_can_not_be_stored(self, bot):
        row = row_of(bot)
        shop = self.shop(PermanentFailure("no", instead=self.PLAIN), after=lambda row: 1 / 0)
        Intelligence.objects.update(attempts=MOST_ATTEMPTS - 1)
        shop.run(row.pk)
        assert (again(row).status, row.content) == ("failed", {})
        assert row.reason.startswith("ZeroDivisionError")

    def test_nobody_stores_it_who_has_lost_the_claim(self, bot):
        row = row_of(bot)

        def slow(row):
            claimed(row, 60, attempts=2)
            raise PermanentFailure("no", instead=self.PLAIN)

        workshop(slow).run(row.pk)
        assert (again(row).status, row.attempts, row.content) == ("running", 2, {})

    def test_the_row_goes_where_it_turns_out_not_to_be_wanted(self, bot):
        row = row_of(bot)

        def after(row):
            raise Cancelled

        self.shop(PermanentFailure("no", instead=self.PLAIN), after=after).run(row.pk)
        assert not Intelligence.objects.exists()


def due(row: Intelligence) -> None:
    Intelligence.objects.filter(pk=row.pk).update(claimed_until=timezone.now())


class TestQueue:
    """Celery workers make them."""

    @pytest.fixture(autouse=True)
    def queued(self, settings, monkeypatch) -> list[int]:
        settings.REDIS_URL = "redis://nowhere"
        settings.CACHES = {"default": {"BACKEND": LOCAL, "LOCATION": uuid.uuid4().hex}}
        at_once = SimpleNamespace(put=lambda work: work(), empty=lambda: True)
        monkeypatch.setattr(jobs, "_thread_queue", lambda name: at_once)
        monkeypatch.setattr(jobs, "_broker_rests_until", 0.0)
        return []

    @pytest.fixture
    def shop(self, queued) -> JobType:
        return JobType(Intelligence, lambda row: {"content": {"by": "me"}}, queued.append)

    def test_a_few_wait_in_it_and_none_of_them_twice(self, bot, shop, queued):
        keys = [row_of(bot, str(n)).pk for n in range(AT_ONCE + 5)]
        assert [shop.sweep() for _ in range(3)] == [AT_ONCE, 0, 0]
        for pk in keys[:3]:
            shop.run(pk)
        assert [shop.sweep(), shop.sweep()] == [3, 0]
        assert queued == keys[: AT_ONCE + 3]

    def test_what_was_wished_for_just_now_is_not_put_there_again(self, bot, shop, queued):
        row = row_of(bot)
        shop.enqueue(row.pk)
        assert (shop.sweep(), queued) == (0, [row.pk])

    def test_one_that_failed_is_put_there_again(self, bot, queued):
        row = row_of(bot)
        shop = JobType(Intelligence, lambda row: 1 / 0, queued.append)
        shop.sweep()
        shop.run(row.pk)
        due(row)
        assert (shop.sweep(), queued) == (1, [row.pk] * 2)

    def test_one_that_was_held_up_in_it_is_put_there_again_at_once(self, bot, queued):
        row, why = row_of(bot), [""]
        made = {"content": {"by": "me"}}
        shop = JobType(Intelligence, lambda row: made, queued.append, lambda: why[0])
        shop.sweep()
        why[0] = WHY
        shop.run(row.pk)
        why[0] = ""
        assert (shop.sweep(), queued) == (1, [row.pk] * 2)

    def test_a_broker_that_is_down_is_left_alone_for_a_while(self, bot, monkeypatch):
        asked = []

        def down(pk: int) -> None:
            asked.append(pk)
            raise ConnectionError

        shop, row = JobType(Intelligence, dict, down), row_of(bot)
        for _ in range(3):
            shop.enqueue(row.pk)
        assert asked == [row.pk]
        monkeypatch.setattr(jobs, "_broker_rests_until", time.monotonic())
        shop.enqueue(row.pk)
        assert asked == [row.pk] * 2

    def test_what_got_lost_with_redis_is_put_there_again(self, bot, shop, queued):
        row = row_of(bot)
        shop.sweep()
        cache.clear()
        assert (shop.sweep(), queued) == (1, [row.pk] * 2)

    def test_what_got_lost_alone_is_put_there_again_after_a_while(
        self, bot, shop, queued, monkeypatch
    ):
        monkeypatch.setattr(jobs, "OUT_FOR", timedelta(seconds=0.05))
        row = row_of(bot)
        shop.sweep()
        time.sleep(0.1)
        assert (shop.sweep(), queued) == (1, [row.pk] * 2)

    def test_a_sweep_before_one_is_claimed_does_not_put_it_there_again(
        self, bot, shop, queued, monkeypatch
    ):
        """Otherwise its mark would keep the next worker away if this one died."""
        row = row_of(bot)
        shop.sweep()
        claim = JobType._claim

        def claimed(shop, *given):
            shop.sweep()
            return claim(shop, *given)

        monkeypatch.setattr(JobType, "_claim", claimed)
        shop.run(row.pk)
        assert (again(row).status, queued) == ("ready", [row.pk])

    def test_one_whose_worker_died_as_it_was_claimed_is_put_there_again(
        self, bot, queued, monkeypatch
    ):
        """Its mark is still there, and says nothing about the next attempt."""
        row = row_of(bot)

        def killed(row):
            raise SystemExit

        shop = JobType(Intelligence, killed, queued.append)
        shop.sweep()
        monkeypatch.setattr(JobType, "_unmark", lambda shop, pk: None)
        with pytest.raises(SystemExit):
            shop.run(row.pk)
        due(row)
        assert [shop.sweep(), shop.sweep()] == [1, 0]
        assert queued == [row.pk] * 2

    def test_redis_may_be_away_when_one_is_made(self, bot, shop, monkeypatch):
        row = row_of(bot)

        def away(key):
            raise ConnectionError

        monkeypatch.setattr(jobs, "shared", SimpleNamespace(delete=away))
        shop.run(row.pk)
        assert again(row).status == "ready"


class TestBench:
    """The thread of the process that serves."""

    @pytest.fixture(autouse=True)
    def serving(self, monkeypatch) -> Iterator[None]:
        jobs._thread_queue.cache_clear()
        monkeypatch.setattr(jobs, "_serving", True)
        yield
        jobs._thread_queue.cache_clear()

    def test_sweeping_while_it_is_busy_piles_nothing_up(self, bot):
        rows = [row_of(bot, str(n)) for n in range(6)]
        goes_on, made = threading.Event(), []

        def slow(row):
            made.append(row.pk)
            assert goes_on.wait(20)
            return {"content": {"by": "me"}}

        shop = workshop(slow)
        assert shop.sweep() == 6
        wait_until(lambda: made)
        assert [shop.sweep() for _ in range(5)] == [0] * 5
        assert jobs._thread_queue("Intelligence").qsize() == 5
        goes_on.set()
        wait_until(lambda: Intelligence.objects.filter(status="ready").count() == 6)
        assert sorted(made) == [row.pk for row in rows]

    @pytest.mark.parametrize("blow", [asyncio.CancelledError(), SystemExit(1), RuntimeError()])
    def test_whatever_ends_one_job_the_next_is_made(self, bot, blow, monkeypatch):
        first, second = row_of(bot, "first"), row_of(bot, "second")

        def make(row):
            if row.signature == "first":
                raise blow
            return {"content": {"by": "me"}}

        shop = workshop(make)
        shop.enqueue(first.pk)
        shop.enqueue(second.pk)
        wait_until(lambda: again(second).status == "ready")
        assert again(first).status in ("running", "pending")


MEANWHILE = st.lists(st.sampled_from(["lapses", "another", "swept", "begins", "anew"]), max_size=3)
ENDS = st.sampled_from(["made", "not made", "a defect", "killed"])


class Killed(BaseException):
    """Nothing catches it, as if the process had ended."""


class Story:
    """One row, what happens while it is made, and what became of it."""

    def __init__(self, told: list[tuple[list[str], str]]) -> None:
        self.row = row_of(make_bot())
        self.mine = Intelligence.objects.filter(pk=self.row.pk)
        self.told = list(told)
        self.stored: list[str] = []
        self.wishes = 1
        self.shop = workshop(self.make, after=lambda row: self.stored.append(row.content["by"]))

    def make(self, row: Intelligence) -> dict:
        meanwhile, end = self.told.pop(0) if self.told else ([], "made")
        for event in meanwhile:
            getattr(self, event)()
        if end != "made":
            raise {"not made": JobFailed, "a defect": ZeroDivisionError, "killed": Killed}[end]
        return {"content": {"by": uuid.uuid4().hex}}

    def lapses(self) -> None:
        past = timezone.now() - LEASE
        self.mine.filter(status="running").update(claimed_until=past)

    def another(self) -> None:
        try:
            self.shop.run(self.row.pk)
        except Killed:
            self.lapses()

    def anew(self) -> None:
        self.wishes += 1
        self.mine.update(status="pending", attempts=0, claim=None, claimed_until=None)

    def swept(self) -> None:
        self.shop.sweep()

    def begins(self) -> None:
        self.shop.sweep(at_once=True)

    def goes_on(self) -> None:
        """Time passes until there is nothing to do any more."""
        for _ in range(2 * MOST_ATTEMPTS + len(self.told)):
            self.another()
            self.mine.exclude(status="running").update(claimed_until=None)
            self.swept()


@tried(max_examples=examples(60))
@given(st.lists(st.tuples(MEANWHILE, ENDS), min_size=1, max_size=6))
def test_whatever_happens_it_is_stored_once_for_each_wish(told):
    story = Story(told)
    story.goes_on()
    found = again(story.row)
    assert found.status in (Job.Status.READY, Job.Status.FAILED)
    assert found.claim is None
    assert found.attempts <= MOST_ATTEMPTS
    assert len(story.stored) <= story.wishes
    assert found.status == Job.Status.FAILED or story.stored[-1] == found.content["by"]
    found.bot.delete()
