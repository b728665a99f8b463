"""Work that nobody waits for: wished for in a row, claimed, made, and stored once.

A `Job` is the row, a `Workshop` knows how one kind of row is made. A job is made at least once and
stored once: whoever loses the claim stores nothing. What gets lost is found again by `sweep`.

    wished for -> hand_out -> (Celery's task, or a thread of the process that serves) -> run
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

from django.conf import settings
from django.db import close_old_connections, models, transaction
from django.db.models import F, Q
from django.utils import timezone

log = logging.getLogger(__name__)
LEASE = timedelta(minutes=16)  # longer than a task may run
PAUSE = timedelta(seconds=15)  # doubled with every failure
MOST_ATTEMPTS = 5
MOST_A_SWEEP = 500
BROKER_RESTS = 10.0  # seconds
_broker_rests_until = 0.0
_serving = False


class NotMade(Exception):
    """It could not be made this time; the text says why."""


class Hopeless(NotMade):
    """Nor could it be made another time."""


class NotWanted(Exception):
    """Nobody needs it any more: its row goes, or stays as it was if something was made before."""


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


Row = TypeVar("Row", bound=Job)


def nothing(row: Job) -> None:
    """What follows from most jobs."""


@dataclass(frozen=True)
class Workshop(Generic[Row]):
    """How one kind of job is made.

    `make` gives the fields to store; it may raise NotMade, Hopeless or NotWanted. `queue` hands a
    row's id to a Celery worker. `hindrance` says why none can be made at all now (empty: they can).
    `after` writes what follows from a finished row, in the transaction that stores it: both or
    neither; `given_up` what follows from one that failed for good.
    """

    rows: type[Row]
    make: Callable[[Row], dict[str, Any]]
    queue: Callable[[int], Any]
    hindrance: Callable[[], str] = str
    after: Callable[[Row], None] = nothing
    given_up: Callable[[Row], None] = nothing

    def run(self, pk: int) -> None:
        """Makes one if nobody else does and it isn't made yet; running it twice is harmless."""
        if self._hindered(Q(pk=pk)):
            return
        claim = uuid.uuid4()
        if not self._claimed(pk, claim):
            return
        mine = self._all().filter(pk=pk, claim=claim)
        row = mine.order_by("pk").first()
        if row is None:  # deleted at this moment
            return
        try:
            made = self.make(row)
            self._store(mine, made)
        except NotWanted:
            mine.filter(content={}).delete()
            mine.update(status=Job.Status.READY, claim=None, claimed_until=None)
        except Exception as error:
            self._failed(row, mine, error)

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

        `at_once` frees what is claimed too: for a site of one process that has just begun.
        """
        if at_once:
            running = self._all().filter(status=Job.Status.RUNNING)
            running.update(status=Job.Status.PENDING, claim=None, claimed_until=None)
        if self._hindered(Q()):
            return 0
        self._give_up()
        found = list(self._all().filter(_free()).values_list("pk", flat=True)[:MOST_A_SWEEP])
        for pk in found:
            self.hand_out(pk)
        return len(found)

    def hand_out(self, pk: int) -> None:
        """To a Celery worker, or to a thread of the process that serves.

        Another process, such as a command, leaves it to the sweeper of the one that serves.
        """
        if settings.REDIS_URL:
            _bench(self.rows.__name__).put(partial(self._enqueue, pk))
        elif _serving:
            _bench(self.rows.__name__).put(partial(self.run, pk))

    def _all(self) -> models.QuerySet[Row]:
        return self.rows._default_manager.all()

    def _hindered(self, which: Q) -> bool:
        """Whether none can be made; those that wait say so."""
        why = self.hindrance()
        if why:
            waiting = self._all().filter(which, status=Job.Status.PENDING)
            waiting.exclude(reason=why).update(reason=why)
        return bool(why)

    def _claimed(self, pk: int, claim: uuid.UUID) -> bool:
        rows = self._all().filter(_free(), pk=pk, attempts__lt=MOST_ATTEMPTS)
        until = timezone.now() + LEASE
        running = Job.Status.RUNNING
        return bool(
            rows.update(
                status=running, claim=claim, claimed_until=until, attempts=F("attempts") + 1
            )
        )

    def _failed(self, row: Row, mine: models.QuerySet[Row], error: Exception) -> None:
        """Waits longer each time, and gives up in the end."""
        log.warning("%s %s was not made: %r", type(row).__name__, row.pk, error)
        said = str(error) if isinstance(error, NotMade) else f"{type(error).__name__}: {error}"
        if isinstance(error, Hopeless) or row.attempts >= MOST_ATTEMPTS:
            self._fail(mine, said)
            return
        until = timezone.now() + PAUSE * 2**row.attempts
        mine.update(status=Job.Status.PENDING, reason=said, claim=None, claimed_until=until)

    def _give_up(self) -> None:
        """On those whose every maker died."""
        why = f"It was begun {MOST_ATTEMPTS} times, and each time the process ended before it did."
        self._fail(self._all().filter(_free(), attempts__gte=MOST_ATTEMPTS), why)

    @transaction.atomic
    def _fail(self, rows: models.QuerySet[Row], why: str) -> None:
        """For good, with what follows from it."""
        for row in rows.order_by("pk").select_for_update():
            row.status, row.reason = Job.Status.FAILED, why
            row.claim = row.claimed_until = None
            row.save(update_fields=["status", "reason", "claim", "claimed_until"])
            self.given_up(row)

    def _enqueue(self, pk: int) -> None:
        """In a thread, since a broker that is down is tried for seconds; then it is left alone."""
        global _broker_rests_until
        if time.monotonic() < _broker_rests_until:
            return
        try:
            self.queue(pk)
        except Exception as error:  # whatever the broker's client raises
            log.warning("%s %s not queued: %s", self.rows.__name__, pk, error)
            _broker_rests_until = time.monotonic() + BROKER_RESTS


def work_here() -> None:
    """This is the process that serves: without Redis, jobs are made in its threads."""
    global _serving
    _serving = True


def _free() -> Q:
    """Waiting and due, or claimed by somebody who has died."""
    now = timezone.now()
    due = Q(claimed_until=None) | Q(claimed_until__lte=now)
    dead = Q(status=Job.Status.RUNNING, claimed_until__lt=now)
    return Q(status=Job.Status.PENDING) & due | dead


@cache
def _bench(name: str) -> "queue.SimpleQueue[Callable[[], None]]":
    """Where one thread takes what is to be done, one after the other.

    It ends with the process (an executor's would be waited for, as long as a model takes); what it
    was at is found by the next one.
    """
    waiting: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
    threading.Thread(target=_work, args=[waiting], name=f"jobs-{name}", daemon=True).start()
    return waiting


def _work(waiting: "queue.SimpleQueue[Callable[[], None]]") -> None:
    while True:
        work = waiting.get()
        close_old_connections()
        try:
            work()
        except Exception:
            log.exception("a job is left for the sweeper")
        finally:
            close_old_connections()
