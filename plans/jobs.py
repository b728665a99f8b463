"""Background jobs stored as rows: requested, enqueued, claimed under a lease, retried.

A `Job` is the row, a `JobType` knows how to make one kind of row. A job is made at least once and
stored once: whoever loses the claim stores nothing. `sweep` finds what got lost.

    requested -> enqueue -> (a Celery task, or a thread of the process that serves) -> run
"""

import logging
import queue
import threading
import time
import uuid
from collections.abc import Callable
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
TaskQueue = queue.SimpleQueue[Callable[[], None]]
LEASE = timedelta(minutes=16)  # longer than a task may run
LATER = timedelta(minutes=10)  # until a blocked job is tried again
PAUSE = timedelta(seconds=15)  # doubled with every failure
MOST_ATTEMPTS = 5
MOST_A_SWEEP = 500  # that a sweep gives up
AT_ONCE = 20  # that a sweep enqueues, oldest first; new requests wait behind no more than these
OUT_FOR = timedelta(minutes=5)  # then a job in a worker's queue may have been lost
LONGEST_REASON = 2_000  # characters
BROKER_RESTS = 10.0  # seconds
_broker_rests_until = 0.0
_serving = False
_claims: set[uuid.UUID] = set()  # of this process
ALL_ROWS = Q()


class JobFailed(Exception):
    """The job failed this time; the message says why.

    `instead` holds fields to store, as `make` returns them, if the job is given up with this
    error: the row becomes ready, with the message as its reason. It never replaces older content.
    """

    def __init__(self, message: str = "", *, instead: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.instead = instead


class PermanentFailure(JobFailed):
    """The job would fail again: it isn't retried."""


class RetryLater(Exception):
    """Something blocks this job for a while; the message says what. No attempt is counted."""


class Cancelled(Exception):
    """The job is no longer needed: its row is deleted, or left as it was if it has content."""


class Job(models.Model):
    """Something to be made in the background, and its state."""

    class Status(models.TextChoices):
        PENDING = "pending", "Waiting"
        RUNNING = "running", "In progress"
        READY = "ready", "Ready"
        FAILED = "failed", "Failed"

    status = models.CharField(max_length=10, choices=Status, default=Status.PENDING)
    content = models.JSONField(default=dict, blank=True)
    reason = models.TextField(blank=True)  # why it failed or waits
    attempts = models.PositiveSmallIntegerField(default=0)
    claim = models.UUIDField(null=True)
    claimed_until = models.DateTimeField(null=True)  # while pending: not to be tried before
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
ANEW: dict[str, Any] = {  # fields that request a job once more; its content stays
    "status": Job.Status.PENDING,
    "reason": "",
    "attempts": 0,
    "claim": None,
    "claimed_until": None,
}

Row = TypeVar("Row", bound=Job)


@dataclass(frozen=True)
class JobType(Generic[Row]):
    """How one kind of job is made.

    `make` returns the fields to store; it may raise JobFailed, PermanentFailure, RetryLater or
    Cancelled. `queue` sends a row's id to a Celery worker. `blocked_reason` says why `blockable`
    jobs can't be made now (empty: they can); they wait, with that reason.
    `after` runs in the transaction that stores a finished row, `given_up` in the one that stores a
    final failure or cancels a row, which may then be deleted.
    Rows of one type that must not wait behind others get a job type of their own: `subset` selects
    them, `thread_name` names the thread that makes them where there is no worker.
    """

    rows: type[Row]
    make: Callable[[Row], dict[str, Any]]
    queue: Callable[[int], Any]
    blocked_reason: Callable[[], str] = str
    blockable: Q = ALL_ROWS
    after: Callable[[Row], None] = lambda row: None
    given_up: Callable[[Row], None] = lambda row: None
    most_attempts: int = MOST_ATTEMPTS
    subset: Q = ALL_ROWS
    thread_name: str = ""  # by default the row's class

    def run(self, pk: int) -> None:
        """Make the row, unless it is claimed or ready; running it twice is harmless."""
        claim = uuid.uuid4()
        _claims.add(claim)
        try:
            if self._take(pk, claim):
                self._work_on(pk, claim)
        finally:
            _claims.discard(claim)

    def _take(self, pk: int, claim: uuid.UUID) -> bool:
        """Claim the row unless it is blocked, and only then let the sweep enqueue it again."""
        try:
            blocked = self._all().filter(self._blocked(Q(pk=pk)), pk=pk).exists()
            return not blocked and self._claim(pk, claim)
        finally:
            self._unmark(pk)

    def _work_on(self, pk: int, claim: uuid.UUID) -> None:
        mine = self._all().filter(pk=pk, claim=claim)
        row = mine.order_by("pk").first()
        if row is None:  # deleted at this moment
            return
        try:
            fields = self._make(row)
            close_old_connections()  # that idled while a model worked, and may have been cut
            self._store(mine, fields)
        except Cancelled:
            self._cancel(row, mine)
        except RetryLater as error:
            self._postpone(mine, error)
        except Exception as error:
            self._retry_or_fail(row, mine, error)

    def _make(self, row: Row) -> dict[str, Any]:
        try:
            return self.make(row)
        except JobFailed as error:
            if error.instead is None or row.content or not self._is_last(row, error):
                raise
            log.warning("%s %s has something else instead: %r", type(row).__name__, row.pk, error)
            return {"reason": _message(error), **error.instead}

    @transaction.atomic
    def _store(self, mine: models.QuerySet[Row], fields: dict[str, Any]) -> None:
        """Store the finished row and what follows from it, if the claim still holds."""
        row = mine.order_by("pk").select_for_update().first()
        if row is None:
            return
        fields = {"reason": "", "finished_at": timezone.now(), **fields}
        mine.update(status=Job.Status.READY, claim=None, claimed_until=None, **fields)
        row.refresh_from_db()
        self.after(row)

    def sweep(self, at_once: bool = False) -> int:
        """Enqueue jobs that were never enqueued or whose worker died; return how many.

        `at_once` also frees what others have claimed, for a site of one process that has just
        started. Nothing is added while this process's thread is busy, nor what is queued already.
        """
        if not self._all().filter(status__in=UNDER_WAY).exists():
            return 0
        if at_once:
            running = self._all().filter(status=Job.Status.RUNNING).exclude(claim__in=_claims)
            running.update(status=Job.Status.PENDING, claim=None, claimed_until=None)
        ready = self._all().filter(_free(), attempts__lt=self.most_attempts).order_by("pk")
        ready = ready.exclude(self._blocked(Q(pk__isnull=False)))
        self._give_up()
        self._clear_reasons()
        if self._is_busy():
            return 0
        lost = self._unmarked(dict(ready.values_list("pk", "attempts")[:AT_ONCE]))
        for pk, attempts in lost.items():
            self.enqueue(pk, attempts)
        return len(lost)

    def enqueue(self, pk: int, attempts: int = 0) -> None:
        """Send the job to a Celery worker, or to a thread of the process that serves.

        Another process, such as a command, leaves it to the sweeper of the one that serves.
        `attempts` is the row's.
        """
        if settings.REDIS_URL:
            self._thread_queue().put(partial(self._send, pk, attempts))
        elif _serving:
            self.run_apart(pk)

    def run_apart(self, pk: int) -> None:
        """Make the row in the thread of its type. The sweep finds what a dead process has left."""
        self._thread_queue().put(partial(self.run, pk))

    def enqueue_on_commit(self, pk: int) -> None:
        transaction.on_commit(partial(self.enqueue, pk))

    def _is_busy(self) -> bool:
        uses_thread = bool(settings.REDIS_URL) or _serving
        return uses_thread and not self._thread_queue().empty()

    def _thread_queue(self) -> TaskQueue:
        return _thread_queue(self.thread_name or self.rows.__name__)

    def _unmarked(self, rows: dict[int, int]) -> dict[int, int]:
        """Return those of the rows (id: attempts) that aren't in a worker's queue.

        A mark holds for the attempt for which it was set: one whose worker died doesn't wait for
        its mark to expire.
        """
        if not settings.REDIS_URL:
            return rows
        marks = shared.get_many(map(self._mark, rows))
        return {pk: made for pk, made in rows.items() if marks.get(self._mark(pk)) != made}

    def _unmark(self, pk: int) -> None:
        if settings.REDIS_URL:
            try:
                shared.delete(self._mark(pk))
            except Exception as error:  # whatever Redis' client raises; the mark expires
                log.warning("%s %s keeps its mark: %s", self.rows.__name__, pk, error)

    def _mark(self, pk: int) -> str:
        return f"handed-out:{self.rows.__name__}:{pk}"

    def _all(self) -> models.QuerySet[Row]:
        return self.rows._default_manager.filter(self.subset)

    def _blocked(self, which: Q) -> Q:
        """Return the rows that are blocked now, after storing the reason on those that wait."""
        reason = self.blocked_reason()
        if not reason:
            return Q(pk__in=())
        blocked = which & self.blockable
        pending = Q(status=Job.Status.PENDING)
        waiting = self._all().filter(blocked, pending | _dead()).exclude(pending, reason=reason)
        waiting.update(status=Job.Status.PENDING, reason=reason, claim=None, claimed_until=None)
        return blocked

    def _clear_reasons(self) -> None:
        if not self.blocked_reason():
            untried = self._all().filter(_free(), status=Job.Status.PENDING, attempts=0)
            untried.exclude(reason="").update(reason="")

    def _claim(self, pk: int, claim: uuid.UUID) -> bool:
        rows = self._all().filter(_free(), pk=pk, attempts__lt=self.most_attempts)
        fields = {"claim": claim, "claimed_until": timezone.now() + LEASE}
        return bool(rows.update(status=Job.Status.RUNNING, attempts=F("attempts") + 1, **fields))

    @transaction.atomic
    def _cancel(self, row: Row, mine: models.QuerySet[Row]) -> None:
        gone, _ = mine.filter(content={}).delete()
        kept = mine.update(status=Job.Status.READY, claim=None, claimed_until=None)
        if gone or kept:
            self.given_up(row)

    def _postpone(self, mine: models.QuerySet[Row], error: RetryLater) -> None:
        mine.update(
            status=Job.Status.PENDING,
            reason=_message(error),
            claim=None,
            claimed_until=timezone.now() + LATER,
            attempts=F("attempts") - 1,
        )

    def _retry_or_fail(self, row: Row, mine: models.QuerySet[Row], error: Exception) -> None:
        log.warning("%s %s was not made: %r", type(row).__name__, row.pk, error)
        reason = _message(error)
        if self._is_last(row, error):
            self._fail(mine, reason)
            return
        until = timezone.now() + PAUSE * 2**row.attempts
        mine.update(status=Job.Status.PENDING, reason=reason, claim=None, claimed_until=until)

    def _is_last(self, row: Row, error: Exception) -> bool:
        return isinstance(error, PermanentFailure) or row.attempts >= self.most_attempts

    def _give_up(self) -> None:
        times = self.most_attempts
        reason = f"It was started {times} times, and each time the process ended too early."
        dead = self._all().filter(_free(), attempts__gte=times)
        for pk in list(dead.order_by("pk").values_list("pk", flat=True)[:MOST_A_SWEEP]):
            try:
                self._fail(dead.filter(pk=pk), reason)
            except Exception:  # or it would block all others
                log.exception("%s %s could not be given up", self.rows.__name__, pk)

    @transaction.atomic
    def _fail(self, rows: models.QuerySet[Row], reason: str) -> None:
        for row in rows.order_by("pk").select_for_update():
            row.status, row.reason = Job.Status.FAILED, reason
            row.claim = row.claimed_until = None
            row.save(update_fields=["status", "reason", "claim", "claimed_until"])
            self.given_up(row)

    def _send(self, pk: int, attempts: int) -> None:
        """Runs in a thread: a broker that is down blocks for seconds, and is then left alone."""
        global _broker_rests_until
        if time.monotonic() < _broker_rests_until:
            return
        try:
            # Before it is queued, so that a worker can't remove the mark first.
            shared.set(self._mark(pk), attempts, OUT_FOR.total_seconds())
            self.queue(pk)
        except Exception as error:  # whatever the broker's client raises
            log.warning("%s %s not queued: %s", self.rows.__name__, pk, error)
            _broker_rests_until = time.monotonic() + BROKER_RESTS


def celery_task(name: str) -> Callable[[int], Any]:
    return lambda pk: current_app.send_task(name, args=[pk])


def run_in_threads() -> None:
    """Mark this process as the one that serves: without Redis, jobs run in its threads."""
    global _serving
    _serving = True


def _free() -> Q:
    due = Q(claimed_until=None) | Q(claimed_until__lte=timezone.now())
    return Q(status=Job.Status.PENDING) & due | _dead()


def _dead() -> Q:
    return Q(status=Job.Status.RUNNING, claimed_until__lt=timezone.now())


def _message(error: Exception) -> str:
    is_ours = isinstance(error, JobFailed | RetryLater)
    message = str(error) if is_ours else f"{type(error).__name__}: {error}"
    return message.replace("\0", " ").encode(errors="replace").decode()[:LONGEST_REASON]


@cache
def _thread_queue(name: str) -> TaskQueue:
    """Return the queue of a daemon thread that runs one job after the other.

    The thread ends with the process, whereas an executor would wait as long as a model takes; the
    sweeper finds what it was doing.
    """
    tasks: TaskQueue = queue.SimpleQueue()
    threading.Thread(target=_run_tasks, args=[tasks], name=f"jobs-{name}", daemon=True).start()
    return tasks


def _run_tasks(tasks: TaskQueue) -> None:
    while True:
        task = tasks.get()
        close_old_connections()
        try:
            task()
        except BaseException:  # such as a cancellation: the thread must survive
            log.exception("a job is left for the sweeper")
        finally:
            close_old_connections()
