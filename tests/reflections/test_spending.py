"""What a batch has cost: of its products, until each was settled, and not known without its bot."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.urls import reverse

from plans.jobs import Job
from reflections.batches import requests
from reflections.batches.estimates import tasks_of
from reflections.batches.progress import spent_on
from reflections.calibration import llm_tasks as replica
from reflections.experts.llm_tasks import REFLECT
from reflections.jobs import make_again, run_again
from reflections.models import EXPERT, Batch, Reflection
from reflections.protocols.knowledge_transfer import makers
from tests.factories import CallFactory
from tests.reflections.test_batches import begun, held, made, review, words

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


@pytest.fixture
def batch(bot, settings) -> Batch:
    """A batch of the summaries of three interviews."""
    settings.LLM_PROVIDER = "scripted"
    for _ in range(3):
        held(bot)
    return begun(bot, "summary")


def rows_of(batch) -> list[Reflection]:
    return list(batch.reflections.order_by("pk"))


def settle(row, status=Job.Status.READY, minutes=5, **fields) -> None:
    """It is ready or has failed, some minutes after the batch began."""
    if status == Job.Status.READY:
        fields["finished_at"] = row.batch.created_at + minutes * MINUTE
    Reflection.objects.filter(pk=row.pk).update(status=status, **fields)


def call(batch, row, minutes=1, task="reflections.summary") -> None:
    CallFactory(
        session=str(row.session_id),
        bot=str(batch.bot_id),
        task=task,
        cost=Decimal("0.25"),
        created_at=batch.created_at + minutes * MINUTE,
    )


def test_while_something_is_under_way_all_counts(batch):
    first, second, _ = rows_of(batch)
    settle(first)
    call(batch, first)
    call(batch, second, minutes=60)
    assert spent_on(batch).calls == 2


@pytest.mark.parametrize("again", [run_again, make_again])
def test_one_that_is_made_again_alone_is_no_part_of_it_any_more(batch, again):
    first, *others = rows_of(batch)
    for row in (first, *others):
        settle(row)
        call(batch, row)
    again(first)
    first.refresh_from_db()
    assert (first.batch, first.status) == (None, Job.Status.PENDING)
    later = Reflection.objects.filter(pk=first.pk)
    later.update(status=Job.Status.READY, finished_at=batch.created_at + timedelta(days=1))
    for row in (first, *others):
        call(batch, row, minutes=600)
    assert spent_on(batch).calls == 2


def test_what_is_made_anew_because_of_it_leaves_too_unless_it_is_reviewed(batch):
    summary, *_ = rows_of(batch)
    Reflection.objects.filter(pk=summary.pk).update(name=makers.SUMMARY)
    summary.refresh_from_db()
    follows, *kept = (
        made(summary.session, name, batch=batch) for name in (makers.PACKAGE, "facts")
    )
    make_again(summary)
    follows.refresh_from_db()
    assert follows.batch is None
    assert set(kept) < set(rows_of(batch))
    Reflection.objects.filter(pk__in=[summary.pk, follows.pk]).update(batch=batch)
    review(follows)
    make_again(summary)
    follows.refresh_from_db()
    assert follows.batch == batch


def test_one_that_is_being_made_stays_in_it(batch):
    row = rows_of(batch)[0]
    running = {"status": Job.Status.RUNNING, "claim": row.session_id}
    Reflection.objects.filter(pk=row.pk).update(**running)
    make_again(row)
    row.refresh_from_db()
    assert (row.batch, row.status) == (batch, Job.Status.RUNNING)


def test_failed_ones_that_are_run_again_together_stay_in_it(batch):
    for row in rows_of(batch):
        settle(row, Job.Status.FAILED)
    assert requests.run_failed(batch) == 3
    assert batch.reflections.filter(status=Job.Status.PENDING).count() == 3


def test_a_failed_one_settles_and_its_last_attempts_count(batch):
    first, second, failed = rows_of(batch)
    settle(first)
    settle(second)
    settle(failed, Job.Status.FAILED)
    call(batch, first)
    call(batch, failed, minutes=12)  # its last attempt, after all others were there
    call(batch, first, minutes=600)
    call(batch, second, minutes=600)
    assert spent_on(batch).calls == 2


def test_what_was_made_before_it_began_ends_nothing(batch):
    first, *failed = rows_of(batch)
    settle(first, minutes=-60)
    Reflection.objects.filter(pk=first.pk).update(status=Job.Status.FAILED)
    for row in failed:
        settle(row, Job.Status.FAILED)
    call(batch, first)
    assert spent_on(batch).calls == 1


def test_a_calibrations_experts_are_asked_under_a_name_of_their_own(batch):
    assert replica.REFLECT.name not in tasks_of(f"{EXPERT}gardener")
    assert replica.REFLECT.template == REFLECT.template
    assert replica.REFLECT in replica.TASKS


def test_without_its_bot_nobody_knows(admin_client, batch):
    call(batch, rows_of(batch)[0])
    batch.bot.delete()
    batch.refresh_from_db()
    assert spent_on(batch) is None
    page = admin_client.get(reverse("admin:reflections_batch_change", args=[batch.pk]))
    assert "Cost so far unknown" in words(page)
    assert "0.00" not in words(page)


def test_what_else_is_counted_is_said(admin_client, batch):
    page = admin_client.get(reverse("admin:reflections_batch_change", args=[batch.pk]))
    assert "If the same results are requested elsewhere in the meantime" in words(page)
