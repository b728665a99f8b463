"""A batch whose beginning was broken off is gone on with; lists of batches ask little."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from plans.jobs import Job
from reflections.admin import batch_page
from reflections.batches import offers, requests
from reflections.batches.offers import BatchChoice, WhichInterviews, offer_of
from reflections.batches.requests import begin, latest, request_products
from reflections.models import Batch, Reflection
from tests.conftest import make_bot
from tests.people import staff
from tests.queries import counted
from tests.reflections.test_batches import begun, held, made, url, words

pytestmark = pytest.mark.django_db
GO_ON = "Not everything was requested"


class Died(Exception):
    """The process ended at this moment."""


def broken_off(bot, monkeypatch, portions=0, **changes) -> Batch:
    """A batch whose process died after so many portions of one interview; a while ago."""
    batch = begin(bot, BatchChoice(("summary",), **changes), None, "ann", latest(bot))
    portion, done = requests._request_portion, []

    def one(*args):
        if len(done) == portions:
            raise Died
        done.append(args)
        return portion(*args)

    with monkeypatch.context() as patch, pytest.raises(Died):
        patch.setattr(requests, "PORTION", 1)
        patch.setattr(requests, "_request_portion", one)
        request_products(batch, offer_of(bot))
    Batch.objects.update(created_at=timezone.now() - timedelta(hours=1))
    return Batch.objects.get(pk=batch.pk)


def address(batch) -> str:
    return reverse("admin:reflections_batch_change", args=[batch.pk])


def test_one_that_was_broken_off_says_so_and_goes_on(admin_client, bot, monkeypatch):
    for _ in range(3):
        held(bot)
    batch = broken_off(bot, monkeypatch)
    page = words(admin_client.get(address(batch)))
    assert GO_ON in page
    assert "the results were requested elsewhere" not in page
    response = admin_client.post(address(batch), {"go_on": "1"}, follow=True)
    assert "3 more results requested." in words(response)
    assert GO_ON not in words(response)
    assert batch.reflections.count() == 3


def test_going_on_keeps_to_what_was_chosen(bot, monkeypatch):
    plain, simulated = held(bot), held(bot, synthetic=True)
    held(bot, preview=True)
    batch = broken_off(bot, monkeypatch, synthetic=True)
    assert offers.choice_of(batch) == BatchChoice(
        ("summary",), WhichInterviews.MISSING, synthetic=True
    )
    request_products(batch, offer_of(bot))
    wished = set(batch.reflections.values_list("session", flat=True))
    assert wished == {plain.pk, simulated.pk}


@pytest.mark.parametrize("status", [Job.Status.READY, Job.Status.FAILED])
@pytest.mark.parametrize("which", WhichInterviews)
def test_going_on_makes_nothing_twice(bot, monkeypatch, which, status):
    for _ in range(3):
        made(held(bot), status=Job.Status.FAILED)
    batch = broken_off(bot, monkeypatch, portions=1, which=which)
    batch.reflections.update(status=status, reason="Settled.")
    assert request_products(batch, offer_of(bot)) == 2
    assert batch.reflections.filter(reason="Settled.", status=status).count() == 1
    assert request_products(batch, offer_of(bot)) == 0


def test_gone_on_with_while_it_is_still_being_begun(bot):
    """Whoever comes second to a portion leaves what the first wished for."""
    row = made(held(bot))
    batch = begun(bot, "summary", which=WhichInterviews.UNREVIEWED)
    batch.reflections.update(status=Job.Status.READY)
    assert requests._request_portion(batch, "summary", [row.session_id]) == 0
    assert batch.reflections.get().status == Job.Status.READY


def test_a_whole_one_says_nothing_of_it(admin_client, bot):
    held(bot)
    batch = begun(bot, "summary")
    assert batch.complete
    assert GO_ON not in words(admin_client.get(address(batch)))


def test_one_of_which_nothing_is_left(admin_client, bot):
    batch = begun(bot, "summary")
    said = "the results were requested elsewhere, or the interviews have been deleted."
    assert said in words(admin_client.get(address(batch)))


def test_only_who_may_make_goes_on_and_not_without_a_bot(client, bot, monkeypatch):
    held(bot)
    batch = broken_off(bot, monkeypatch)
    client.force_login(staff("view_bot", "view_reflection"))
    assert GO_ON in words(client.get(address(batch)))
    assert "go_on" not in client.get(address(batch)).content.decode()
    assert client.post(address(batch), {"go_on": "1"}).status_code == 403
    client.force_login(staff("view_bot", "view_reflection", "review_reflection"))
    assert "go_on" in client.get(address(batch)).content.decode()
    Batch.objects.update(bot=None)
    assert "go_on" not in client.get(address(batch)).content.decode()
    assert client.post(address(batch), {"go_on": "1"}).status_code == 302
    assert not Reflection.objects.exists()


# -- what is asked of the database


@pytest.mark.parametrize("where", ["list", "new"])
def test_as_many_queries_for_many_batches_as_for_few(admin_client, bot, where):
    lists = {"list": reverse("admin:reflections_batch_changelist"), "new": url(bot)}
    held(bot)
    for _ in range(2):
        begun(bot, "summary")
    admin_client.get(lists[where])
    with counted() as few:
        admin_client.get(lists[where])
    for other in (bot, bot, make_bot(), make_bot(), make_bot()):
        held(other)
        begun(other, "summary")
    with counted() as many:
        admin_client.get(lists[where])
    assert len(many) == len(few)


def test_the_list_counts_each_batchs_own(admin_client, bot):
    held(bot)
    batch = begun(bot, "summary")
    batch.reflections.update(status=Job.Status.READY)
    for _ in range(2):
        held(bot)
    begun(bot, "summary")
    page = words(admin_client.get(reverse("admin:reflections_batch_changelist")))
    assert "1 of 1" in page
    assert "0 of 2" in page


def test_costs_are_added_up_on_load_and_when_all_is_settled_but_not_with_every_poll(
    admin_client, bot, monkeypatch, settings
):
    settings.LLM_PROVIDER = "scripted"
    cache.clear()
    asked = []
    monkeypatch.setattr(batch_page, "spent_on", lambda batch: asked.append(batch))
    held(bot), held(bot)
    batch = begun(bot, "summary")
    poll = f"{address(batch)}?part=progress"
    admin_client.get(address(batch))
    for _ in range(3):
        admin_client.get(poll)
    assert len(asked) == 1
    batch.reflections.update(status=Job.Status.READY)
    admin_client.get(poll)
    assert len(asked) == 2
