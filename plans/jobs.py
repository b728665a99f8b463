"""Background jobs stored as rows: requested, enqueued, claimed under a lease, retried.

A `Job` is the row, a `JobType` knows how one kind of row is made. A job is made at least once and
stored once: whoever loses the claim stores nothing. What gets lost is found again by `sweep`.

    requested -> enqueue -> (a Celery task, or a thread of the process that serves) -> run
"""

import logging
import queue
import threading
import time
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from functools import cache, partial
from typing import Any, Generic, TypeVar

from celery import current_app
from django.conf import settings
from django.core.cache import cache as shared
from django.db import close_old_connections, models, transaction
from django.db.models import F, Q
from django.utils import timezone

log = logging.getLogger(__name__)
Bench = queue.SimpleQueue[Callable[[], None]]  # where a thread takes what is to be done
LEASE = timedelta(minutes=16)  # longer than a task may run
LATER = timedelta(minutes=10)  # until one that was hindered is looked at again
PAUSE = timedelta(seconds=15)  # doubled with every failure
MOST_ATTEMPTS = 5
MOST_A_SWEEP = 500  # that are given up
AT_ONCE = 20  # that a sweep hands out, the oldest; what is wished for meanwhile comes after no more
OUT_FOR = timedelta(minutes=5)  # then what waits in a worker's queue may have been lost
LONGEST_REASON = 2_000  # characters
BROKER_RESTS = 10.0  # seconds
_broker_rests_until = 0.0
_serving = False
_claims: set[uuid.UUID] = set()  # of what this process is making
EVERY = Q(pk__isnull=False)
ALL = Q()


class JobFailed(Exception):
    """The job could not be made this time; the text says why.

    `instead` is stored when it is given up with this error: fields as `make` gives them. Then the
    row is ready, with the text as its reason. What was made before is not given away for it.
    """

    def __init__(self, said: str = "", *, instead: dict[str, Any] | None = None) -> None:
        super().__init__(said)
        self.instead = instead


class PermanentFailure(JobFailed):
    """The job could not be made another time either: it is not tried again."""


class RetryLater(Exception):
    """Something blocks this job for a while; the text says what. No attempt is counted."""


class Cancelled(Exception):
    """Nobody needs the job any more: its row goes, or stays as it was if it was made before."""


class Job(models.Model):
    """One thing to be made in the background, and how far it is."""

    class Status(models.TextChoices):
        PENDING = "pending", "Waiting"
        RUNNING = "running", "Being made"
        READY = "ready", "Ready"
        FAILED = "failed", "Failed"

    status = models.CharField(max_length=10, choices=Status, default=Status.PENDING)
    content = models.JSONField(default=dict, blank=True)
    reason = models.TextField(blank=True)  # why it failed or waits
    attempts = models.PositiveSmallIntegerField(default=0)
    claim = models.UUIDField(null=True)
    claimed_until = models.DateTimeField(null=True)  # while it waits: not to be tried before
    finished_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=~Q(status="running") | Q(claim__isnull=False),
                name="running_%(class)s_is_claimed",
            )
        ]


UNDER_WAY = (Job.Status.PENDING, Job.Status.RUNNING)
ANEW: dict[str, Any] = {  # the fields of a job that is wished for once more; what it holds stays
    "status": Job.Status.PENDING,
    "reason": "",
    "attempts": 0,
    "claim": None,
    "claimed_until": None,
}

Row = TypeVar("Row", bound=Job)


def nothing(row: Job) -> None:
    """What follows from most jobs."""


@dataclass(frozen=True)
class JobType(Generic[Row]):
    """How one kind of job is made.

    `make` gives the fields to store; it may raise JobFailed, PermanentFailure, RetryLater or
    Cancelled. `queue` hands a row's id to a Celery worker. `hindrance` says why those of `hindered`
    can't be made now (empty: they can); they wait, and say so.
    `after` writes what follows from a finished row, in the transaction that stores it: both or
    neither; `given_up` what follows from one that failed for good. `gone` clears what is left of
    making one that was deleted meanwhile or turned out not to be wanted.
    Rows of one type that must not wait behind others of it have a job type of their own: `among`
    says which they are, `line` names the thread that makes them where there is no worker.
    """

    rows: type[Row]
    make: Callable[[Row], dict[str, Any]]
    queue: Callable[[int], Any]
    hindrance: Callable[[], str] = str
    hindered: Q = EVERY
    after: Callable[[Row], None] = nothing
    given_up: Callable[[Row], None] = nothing
    gone: Callable[[Row], None] = nothing
    most_attempts: int = MOST_ATTEMPTS
    among: Q = ALL
    line: str = ""  # the type's name

    def run(self, pk: int) -> None:
        """Makes one if nobody else does and it isn't made yet; running it twice is harmless."""
        self._taken_in(pk)
        if self._all().filter(self._waiting(Q(pk=pk)), pk=pk).exists():
            return
        claim = uuid.uuid4()
        _claims.add(claim)
        try:
            if self._claimed(pk, claim):
                self._work_on(pk, claim)
        finally:
            _claims.discard(claim)

    def _work_on(self, pk: int, claim: uuid.UUID) -> None:
        """Makes what was claimed, and stores it or why not."""
        mine = self._all().filter(pk=pk, claim=claim)
        row = mine.order_by("pk").first()
        if row is None:  # deleted at this moment
            return
        try:
            made = self._made(row)
            close_old_connections()  # that waited for a model as long, and may have been cut
            self._store(mine, made)
        except Cancelled:
            mine.filter(content={}).delete()
            mine.update(status=Job.Status.READY, claim=None, claimed_until=None)
            self.gone(row)
            return
        except RetryLater as why:
            self._put_off(mine, why)
        except Exception as error:
            self._failed(row, mine, error)
        if not self._all().filter(pk=pk).exists():
            self.gone(row)

    def _made(self, row: Row) -> dict[str, Any]:
        """The fields to store; what stands in for them where it would be given up otherwise."""
        try:
            return self.make(row)
        except JobFailed as error:
            if error.instead is None or row.content or not self._is_last(row, error):
                raise
            log.warning("%s %s has something else instead: %r", type(row).__name__, row.pk, error)
            return {"reason": _said(error), **error.instead}

    @transaction.atomic
    def _store(self, mine: models.QuerySet[Row], made: dict[str, Any]) -> None:
        """The finished row and what follows from it, if the claim still holds."""
        row = mine.order_by("pk").select_for_update().first()
        if row is None:
            return
        fields = {"reason": "", "finished_at": timezone.now(), **made}
        mine.update(status=Job.Status.READY, claim=None, claimed_until=None, **fields)
        row.refresh_from_db()
        self.after(row)

    def sweep(self, at_once: bool = False) -> int:
        """Hands out what was never handed out or whose maker died; how many.

        `at_once` frees what others have claimed too: for a site of one process that has just begun.
        While its thread still has work before it, it is handed no more; nor does a worker's queue
        get what is in it.
        """
        if at_once:
            running = self._all().filter(status=Job.Status.RUNNING).exclude(claim__in=_claims)
            running.update(status=Job.Status.PENDING, claim=None, claimed_until=None)
        ready = self._all().filter(_free(), attempts__lt=self.most_attempts).order_by("pk")
        ready = ready.exclude(self._waiting(EVERY))
        self._give_up()
        self._say_no_more()
        if self._is_busy():
            return 0
        found = self._not_out(ready.values_list("pk", flat=True)[:AT_ONCE])
        for pk in found:
            self.enqueue(pk)
        return len(found)

    def enqueue(self, pk: int) -> None:
        """To a Celery worker, or to a thread of the process that serves.

        Another process, such as a command, leaves it to the sweeper of the one that serves.
        """
        if settings.REDIS_URL:
            self._own_bench().put(partial(self._send, pk))
        elif _serving:
            self._own_bench().put(partial(self.run, pk))

    def _is_busy(self) -> bool:
        """Whether jobs of this kind wait for the thread of this process already."""
        by_thread = bool(settings.REDIS_URL) or _serving
        return by_thread and not self._own_bench().empty()

    def _own_bench(self) -> Bench:
        return _bench(self.line or self.rows.__name__)

    def _not_out(self, keys: Iterable[int]) -> list[int]:
        """Those of them that don't wait in a worker's queue already."""
        if not settings.REDIS_URL:
            return list(keys)
        marks = {self._mark(pk): pk for pk in keys}
        out = shared.get_many(marks)
        return [pk for mark, pk in marks.items() if mark not in out]

    def _taken_in(self, pk: int) -> None:
        """It doesn't wait in a worker's queue any more."""
        if settings.REDIS_URL:
            try:
                shared.delete(self._mark(pk))
            except Exception as error:  # whatever Redis' client raises; the mark runs out
                log.warning("%s %s keeps its mark: %s", self.rows.__name__, pk, error)

    def _mark(self, pk: int) -> str:
        return f"handed-out:{self.rows.__name__}:{pk}"

    def _all(self) -> models.QuerySet[Row]:
        return self.rows._default_manager.filter(self.among)

    def _waiting(self, which: Q) -> Q:
        """The rows among them that can't be made now; those that wait say why."""
        why = self.hindrance()
        if not why:
            return Q(pk__in=())
        held = which & self.hindered
        pending = Q(status=Job.Status.PENDING)
        waiting = self._all().filter(held, pending | _dead()).exclude(pending, reason=why)
        waiting.update(status=Job.Status.PENDING, reason=why, claim=None, claimed_until=None)
        return held

    def _say_no_more(self) -> None:
        """Of those that nobody has tried yet, why they couldn't be made, once they can."""
        if not self.hindrance():
            untried = self._all().filter(_free(), status=Job.Status.PENDING, attempts=0)
            untried.exclude(reason="").update(reason="")

    def _claimed(self, pk: int, claim: uuid.UUID) -> bool:
        rows = self._all().filter(_free(), pk=pk, attempts__lt=self.most_attempts)
        until = timezone.now() + LEASE
        running = Job.Status.RUNNING
        return bool(
            rows.update(
                status=running, claim=claim, claimed_until=until, attempts=F("attempts") + 1
            )
        )

    def _put_off(self, mine: models.QuerySet[Row], why: RetryLater) -> None:
        """As if it had not been tried, until it is worth a look again."""
        mine.update(
            status=Job.Status.PENDING,
            reason=_said(why),
            claim=None,
            claimed_until=timezone.now() + LATER,
            attempts=F("attempts") - 1,
        )

    def _failed(self, row: Row, mine: models.QuerySet[Row], error: Exception) -> None:
        """Waits longer each time, and gives up in the end."""
        log.warning("%s %s was not made: %r", type(row).__name__, row.pk, error)
        said = _said(error)
        if self._is_last(row, error):
            self._fail(mine, said)
            return
        until = timezone.now() + PAUSE * 2**row.attempts
        mine.update(status=Job.Status.PENDING, reason=said, claim=None, claimed_until=until)

    def _is_last(self, row: Row, error: Exception) -> bool:
        """Whether it is given up with this error."""
        return isinstance(error, PermanentFailure) or row.attempts >= self.most_attempts

    def _give_up(self) -> None:
        """On those whose every maker died."""
        times = self.most_attempts
        why = f"It was begun {times} times, and each time the process ended before it did."
        dead = self._all().filter(_free(), attempts__gte=self.most_attempts)
        for pk in list(dead.order_by("pk").values_list("pk", flat=True)[:MOST_A_SWEEP]):
            try:
                self._fail(dead.filter(pk=pk), why)
            except Exception:  # or it would be in the way of all others
                log.exception("%s %s could not be given up", self.rows.__name__, pk)

    @transaction.atomic
    def _fail(self, rows: models.QuerySet[Row], why: str) -> None:
        """For good, with what follows from it."""
        for row in rows.order_by("pk").select_for_update():
            row.status, row.reason = Job.Status.FAILED, why
            row.claim = row.claimed_until = None
            row.save(update_fields=["status", "reason", "claim", "claimed_until"])
            self.given_up(row)

    def _send(self, pk: int) -> None:
        """In a thread, since a broker that is down is tried for seconds; then it is left alone."""
        global _broker_rests_until
        if time.monotonic() < _broker_rests_until:
            return
        try:
            shared.set(self._mark(pk), True, OUT_FOR.total_seconds())  # before it can be taken in
            self.queue(pk)
        except Exception as error:  # whatever the broker's client raises
            log.warning("%s %s not queued: %s", self.rows.__name__, pk, error)
            _broker_rests_until = time.monotonic() + BROKER_RESTS


def celery_task(name: str) -> Callable[[int], Any]:
    """Return a function that sends a row's id to the Celery task of that name."""
    return lambda pk: current_app.send_task(name, args=[pk])


def work_here() -> None:
    """This is the process that serves: without Redis, jobs are made in its threads."""
    global _serving
    _serving = True


def _free() -> Q:
    """Waiting and due, or claimed by somebody who has died."""
    due = Q(claimed_until=None) | Q(claimed_until__lte=timezone.now())
    return Q(status=Job.Status.PENDING) & due | _dead()


def _dead() -> Q:
    """Claimed by somebody who has died."""
    return Q(status=Job.Status.RUNNING, claimed_until__lt=timezone.now())


def _said(error: Exception) -> str:
    """Why it failed, as any database takes it."""
    said = (
        str(error)
        if isinstance(error, JobFailed | RetryLater)
        else f"{type(error).__name__}: {error}"
    )
    return said.replace("\0", "").encode(errors="replace").decode()[:LONGEST_REASON]


@cache
def _bench(name: str) -> Bench:
    """Where one thread takes what is to be done, one after the other.

    It ends with the process (an executor's would be waited for, as long as a model takes); what it
    was at is found by the next one.
    """
    waiting: Bench = queue.SimpleQueue()
    threading.Thread(target=_work, args=[waiting], name=f"jobs-{name}", daemon=True).start()
    return waiting


def _work(waiting: Bench) -> None:
    while True:
        work = waiting.get()
        close_old_connections()
        try:
            work()
        except BaseException:  # such as a cancellation: the thread is there for the next one
            log.exception("a job is left for the sweeper")
        finally:
            close_old_connections()
