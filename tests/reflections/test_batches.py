"""Many interviews of a bot, worked through at one wish."""

import html
import re
import threading
from datetime import timedelta
from decimal import Decimal
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from interviews.choices import SessionStatus
from interviews.models import Session
from interviews.turns.withdrawal import withdraw
from plans.bots.compile import plan_for
from plans.jobs import Job
from reflections import jobs
from reflections.batches import progress, requests
from reflections.batches.offers import BatchChoice, WhichInterviews, offer_of
from reflections.batches.progress import spent_on
from reflections.batches.requests import BegunMeanwhile, begin, latest, request_products
from reflections.models import EXPERT, Batch, Expert, Judgement, Reflection
from reflections.reviews import Opinion, judge
from tests.conftest import make_bot
from tests.factories import CallFactory, SessionFactory, talk
from tests.people import staff

CLAIM = UUID(int=1)
pytestmark = pytest.mark.django_db
GARDENER = f"{EXPERT}gardener"
SUMMARY = BatchChoice(("summary",))


@pytest.fixture
def gardener(db):
    """An expert who reads every interview of a life story."""
    return Expert.objects.create(key="gardener", name="Gardener", looks_for="x", instructions="y")


def held(bot, **fields) -> Session:
    """A finished interview of which nothing is made yet."""
    return talk(SessionFactory(bot=bot, **fields), ["I live by the sea."])


def made(session, name="summary", status=Job.Status.READY, **fields) -> Reflection:
    more = {"content": {"items": []}, "finished_at": timezone.now(), **fields}
    return Reflection.objects.create(session=session, name=name, status=status, **more)


def review(row) -> None:
    judge(row, Opinion(Judgement.State.ACCEPTED), "ann", 0)


def lacking(bot, name="summary", **changes) -> set:
    choice = BatchChoice((name,), **changes)
    return set(offer_of(bot).lacking(name, choice).values_list("pk", flat=True))


def begun(bot, *products, **changes) -> Batch:
    """A batch, and all that it wishes for."""
    offer = offer_of(bot)
    batch = begin(bot, BatchChoice(products, **changes), Decimal("1.5"), "ann", latest(bot))
    request_products(batch, offer)
    return batch


def test_products_are_its_protocols_and_every_experts(bot, gardener):
    held(bot)
    offer = offer_of(bot)
    assert "summary" in offer.usual
    assert GARDENER in offer.usual
    bot.expert_reflections = bot.Experts.NO
    bot.save()
    offer = offer_of(bot)
    assert GARDENER not in offer.usual
    assert GARDENER in offer.products


def test_a_bot_without_interviews_has_nothing_to_make(bot):
    assert lacking(bot) == set()
    assert offer_of(make_bot()).lacking("summary", BatchChoice(("summary",))).count() == 0


def test_finished_ones_that_lack_it(bot):
    lacks, failed = held(bot), held(bot)
    made(failed, status=Job.Status.FAILED, reason="Broken.")
    made(held(bot))
    made(held(bot), status=Job.Status.PENDING)
    held(make_bot())
    held(bot, status=SessionStatus.WAITING_ANSWER)
    talk(SessionFactory(bot=bot), [])  # nothing was answered
    assert lacking(bot) == {lacks.pk, failed.pk}


def test_all_that_nobody_has_reviewed(bot):
    lacks, ready, reviewed, open_again = (held(bot) for _ in range(4))
    made(ready)
    review(made(reviewed))
    row = made(open_again)
    review(row)
    judge(row, Opinion(Judgement.State.DRAFT), "ann", 1)
    assert lacking(bot, which=WhichInterviews.UNREVIEWED) == {lacks.pk, ready.pk, open_again.pk}


def test_simulated_ones_and_previews_only_where_asked(bot):
    plain, synthetic, preview = held(bot), held(bot, synthetic=True), held(bot, preview=True)
    assert lacking(bot) == {plain.pk}
    assert lacking(bot, synthetic=True) == {plain.pk, synthetic.pk}
    assert lacking(bot, synthetic=True, previews=True) == {plain.pk, synthetic.pk, preview.pk}


def test_what_is_there_is_made_anew_and_what_is_not_is_wished_for(bot, gardener):
    new, ready = held(bot), held(bot)
    row = made(ready, attempts=3, reason="x")
    batch = begun(bot, "summary", GARDENER, which=WhichInterviews.UNREVIEWED)
    row.refresh_from_db()
    assert (row.status, row.attempts, row.reason) == (Job.Status.PENDING, 0, "")
    assert row.content == {"items": []}
    wished = set(batch.reflections.values_list("session", "name"))
    assert wished == {(s.pk, name) for s in (new, ready) for name in ("summary", GARDENER)}


def test_reviewed_while_it_is_written_stays(bot, monkeypatch):
    row = made(held(bot))
    anew = requests._request_again

    def reviewed_first(rows, **fields):
        review(row)
        return anew(rows, **fields)

    monkeypatch.setattr(requests, "_request_again", reviewed_first)
    batch = begun(bot, "summary", which=WhichInterviews.UNREVIEWED)
    row.refresh_from_db()
    assert row.status == Job.Status.READY
    assert not batch.reflections.exists()


def test_begun_while_it_is_written_goes_on(bot, monkeypatch):
    row = made(held(bot))
    anew = requests._request_again

    def begun_first(rows, **fields):
        Reflection.objects.update(status=Job.Status.RUNNING, claim=CLAIM)
        return anew(rows, **fields)

    monkeypatch.setattr(requests, "_request_again", begun_first)
    batch = begun(bot, "summary", which=WhichInterviews.UNREVIEWED)
    row.refresh_from_db()
    assert (row.status, row.claim) == (Job.Status.RUNNING, CLAIM)
    assert not batch.reflections.exists()


def test_requested_while_it_is_written_is_there_once(bot, monkeypatch):
    session, other = held(bot), held(bot)
    store = Reflection.objects.bulk_create

    def requested_first(rows, **how):
        Reflection.objects.create(session=session, name="summary")
        return store(rows, **how)

    monkeypatch.setattr(Reflection.objects, "bulk_create", requested_first)
    batch = begun(bot, "summary")
    assert Reflection.objects.count() == 2
    assert batch.reflections.get().session == other


def test_deleted_while_it_is_written_brings_nothing(bot, monkeypatch):
    gone, stays = held(bot), held(bot)
    anew = requests._request_again

    def deleted_first(rows, **fields):
        Session.objects.filter(pk=gone.pk).delete()
        return anew(rows, **fields)

    monkeypatch.setattr(requests, "_request_again", deleted_first)
    batch = begun(bot, "summary")
    assert set(batch.reflections.values_list("session", flat=True)) == {stays.pk}


def test_withdrawn_while_it_is_written_brings_nothing(bot, gardener, monkeypatch):
    gone, stays = held(bot), held(bot)
    anew = requests._request_again

    def withdrawn_first(rows, **fields):
        if Session.objects.get(pk=gone.pk).status != SessionStatus.WITHDRAWN:
            withdraw(Session.objects.get(pk=gone.pk))
        return anew(rows, **fields)

    monkeypatch.setattr(requests, "_request_again", withdrawn_first)
    batch = begun(bot, GARDENER)
    assert set(batch.reflections.values_list("session", flat=True)) == {stays.pk}


def test_in_portions_each_in_a_transaction_of_its_own(bot, monkeypatch):
    monkeypatch.setattr(requests, "PORTION", 3)
    for _ in range(8):
        held(bot)
    portions = []
    portion = requests._request_portion
    monkeypatch.setattr(
        requests, "_request_portion", lambda *args: portions.append(args[2]) or portion(*args)
    )
    batch = begun(bot, "summary")
    assert [len(one) for one in portions] == [3, 3, 2]
    assert batch.reflections.count() == 8


def test_as_many_queries_a_portion_for_many_interviews_as_for_few(bot):
    def queries(count):
        for _ in range(count):
            SessionFactory(bot=bot)
        keys = list(Session.objects.filter(bot=bot, reflections=None).values_list("pk", flat=True))
        batch = Batch.objects.create(bot=bot, created_by="ann")
        with CaptureQueriesContext(connection) as asked:
            requests._request_portion(batch, "summary", keys)
        assert batch.reflections.count() == len(keys) == count
        return len(asked)

    assert queries(2) == queries(40)


def test_a_few_are_handed_out_and_the_sweeper_takes_the_others(bot, monkeypatch):
    monkeypatch.setattr(requests, "AT_ONCE", 2)
    for _ in range(5):
        held(bot)
    handed = []
    monkeypatch.setattr(jobs, "enqueue", handed.append)
    begun(bot, "summary")
    assert len(handed) == 2


def test_begun_once_however_often_it_is_asked_for(bot):
    seen = latest(bot)
    first = begin(bot, SUMMARY, None, "ann", seen)
    with pytest.raises(BegunMeanwhile) as other:
        begin(bot, SUMMARY, None, "ann", seen)
    assert other.value.batch == first
    assert begin(bot, SUMMARY, None, "ann", first.pk) != first
    begin(make_bot(), SUMMARY, None, "ann", 0)  # another bot's


@pytest.mark.django_db(transaction=True)
def test_begun_once_by_several_at_the_same_moment():
    bot, results = make_bot(), []
    start = threading.Barrier(4)

    def beginning():
        start.wait()
        try:
            results.append(begin(bot, SUMMARY, None, "ann", 0).pk)
        except BegunMeanwhile as other:
            results.append(other.batch.pk)
        finally:
            connection.close()

    threads = [threading.Thread(target=beginning) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert results == [Batch.objects.get().pk] * 4


def test_progress(bot, gardener, settings):
    settings.LLM_PROVIDER = "scripted"
    held(bot), held(bot)
    batch = begun(bot, "summary", GARDENER)
    told = progress.progress_of(batch)
    assert (told.total, told.waiting, told.busy) == (4, 4, True)
    settings.LLM_PROVIDER = "offline"
    told = progress.progress_of(batch)
    assert (told.hindered, told.waiting, told.busy) == (2, 2, True)
    for row, status in zip(
        batch.reflections.filter(name="summary"), ("ready", "failed"), strict=True
    ):
        Reflection.objects.filter(pk=row.pk).update(status=status)
    told = progress.progress_of(batch)
    assert (told.ready, told.failed, told.hindered, told.busy) == (1, 1, 2, False)
    assert told.sentence == "1 of 4, 1 failed"
    assert sum(share for *_, share in told.shares) == pytest.approx(100)


def test_failed_ones_run_again_but_not_those_that_are_reviewed(bot):
    sessions = [held(bot) for _ in range(3)]
    batch = begun(bot, "summary")
    rows = {row.session_id: row for row in batch.reflections.all()}
    kept = rows[sessions[0].pk]
    batch.reflections.update(status=Job.Status.READY)
    review(kept)
    failed = [sessions[0].pk, sessions[1].pk]
    batch.reflections.filter(session__in=failed).update(status=Job.Status.FAILED, attempts=5)
    assert requests.run_failed(batch) == 1
    states = dict(batch.reflections.values_list("session", "status"))
    assert states == {sessions[0].pk: "failed", sessions[1].pk: "pending", sessions[2].pk: "ready"}


def test_what_was_spent_is_of_these_interviews_and_tasks_since_it_began(bot, settings):
    settings.LLM_PROVIDER = "scripted"
    session, other = held(bot), held(bot)
    batch = begun(bot, "summary")
    Reflection.objects.filter(session=other).delete()

    def call(seconds=1, **changes):
        fields = {
            "session": str(session.pk),
            "bot": str(bot.pk),
            "task": "reflections.summary",
            "cost": Decimal("0.25"),
            "created_at": batch.created_at + timedelta(seconds=seconds),
            "cache_read_tokens": 7,
            **changes,
        }
        CallFactory(**fields)

    call()
    call(cost=None)
    call(task="reflections.condense")
    call(seconds=-1)
    call(task="life_story.lead")
    call(session=str(other.pk))
    spent = spent_on(batch)
    assert (spent.calls, spent.cost, spent.unpriced) == (3, Decimal("0.5"), 1)
    assert (spent.read, spent.written) == (321, 60)
    done = batch.created_at + timedelta(seconds=5)
    batch.reflections.update(status=Job.Status.READY, finished_at=done)
    call(seconds=60)  # made again later, by itself
    assert spent_on(batch).calls == 3


# -- the pages


def url(bot) -> str:
    return reverse("admin:reflections_batch_of_bot", args=[bot.pk])


def words(response) -> str:
    markup = response.content.decode()
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


def chosen(*products, **more):
    return {"products": products, "which": "missing", **more}


def confirm(client, bot, *products, **more):
    """Sends the form under the costs as the page has it."""
    page = client.get(url(bot), chosen(*products, **more)).content.decode()
    hidden = page.split('<form method="post">')[1].split("</form>")[0]
    fields: dict = {}
    for name, value in re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', hidden):
        fields.setdefault(name, []).append(html.unescape(value))
    return fields


def test_all_that_is_lacking_is_ticked(admin_client, bot, gardener):
    made(held(bot))
    held(bot)
    page = admin_client.get(url(bot)).content.decode()
    assert "Summary (missing for 1)" in page
    assert "Reflection: Gardener (missing for 2)" in page
    assert re.search(rf'value="{GARDENER}"[^>]*checked', page)
    Reflection.objects.create(session=Session.objects.filter(reflections=None)[0], name="summary")
    page = admin_client.get(url(bot)).content.decode()
    assert "Summary (missing for none)" in page
    assert not re.search(r'value="summary"[^>]*checked', page)


def test_from_the_choice_over_the_costs_to_the_progress(admin_client, bot, gardener, settings):
    settings.LLM_PROVIDER = "anthropic"
    held(bot), held(bot)
    assert 'id="estimate"' not in admin_client.get(url(bot)).content.decode()
    page = words(admin_client.get(url(bot), chosen("summary", GARDENER)))
    assert "4 results with 8 model calls: about" in page
    assert "USD" in page
    response = admin_client.post(
        url(bot), confirm(admin_client, bot, "summary", GARDENER), follow=True
    )
    batch = Batch.objects.get()
    assert response.redirect_chain[-1][0] == reverse(
        "admin:reflections_batch_change", args=[batch.pk]
    )
    assert "0 of 4 ready" in words(response)
    assert batch.estimate > 0
    assert batch.created_by == "admin"
    assert batch.reflections.count() == 4


def test_confirmed_twice_is_one_batch(admin_client, bot):
    held(bot)
    fields = confirm(admin_client, bot, "summary")
    first = admin_client.post(url(bot), fields)
    again = admin_client.post(url(bot), {**fields, "which": "unreviewed"})
    assert Batch.objects.count() == 1
    assert Reflection.objects.count() == 1
    assert first["Location"] == reverse(
        "admin:reflections_batch_change", args=[Batch.objects.get().pk]
    )
    assert again.status_code == 302


def test_somebody_else_was_first(admin_client, bot):
    held(bot), held(bot)
    fields = confirm(admin_client, bot, "summary")
    begin(bot, SUMMARY, None, "ann", 0)
    response = admin_client.post(url(bot), fields, follow=True)
    assert "ann has started this batch in the meantime." in words(response)
    assert Batch.objects.count() == 1


def test_a_second_one_while_one_runs_is_allowed_and_said(admin_client, bot, gardener):
    held(bot)
    begun(bot, "summary")
    assert "A batch is in progress: 0 of 1 ready" in words(admin_client.get(url(bot)))
    admin_client.post(url(bot), confirm(admin_client, bot, GARDENER))
    assert Batch.objects.count() == 2


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"which": "missing"}, "Choose at least one result."),
        ({"which": "missing", "products": ["report"]}, "report is not one of the available"),
        ({"which": "all", "products": ["summary"]}, "all is not one of the available"),
    ],
)
def test_what_can_not_be_chosen(admin_client, bot, fields, said):
    held(bot)
    assert said in words(admin_client.get(url(bot), fields))
    assert said in words(admin_client.post(url(bot), {**fields, "after": 0}))
    assert not Batch.objects.exists()


def test_costs_come_before_the_beginning(admin_client, bot):
    held(bot)
    response = admin_client.post(url(bot), chosen("summary"))
    assert "Estimate" in words(response)
    assert not Batch.objects.exists()


def test_nothing_to_make(admin_client, bot):
    made(held(bot))
    page = admin_client.get(url(bot), chosen("summary"))
    assert "There is nothing to do" in words(page)
    assert '<form method="post">' not in page.content.decode()
    admin_client.post(url(bot), chosen("summary", after=0))
    assert not Batch.objects.exists()


def test_no_price_and_no_model_are_said(admin_client, bot, gardener, settings):
    held(bot)
    settings.LLM_PROVIDER, settings.ANTHROPIC_CHAT_MODEL = "anthropic", "nobody-knows"
    page = words(admin_client.get(url(bot), chosen(GARDENER)))
    assert "there is no price for nobody-knows" in page
    settings.LLM_PROVIDER = "offline"
    page = words(admin_client.get(url(bot), chosen(GARDENER)))
    assert "No model is configured." in page


def test_progress_asks_until_all_is_settled(admin_client, bot, settings):
    settings.LLM_PROVIDER = "scripted"
    held(bot)
    batch = begun(bot, "summary")
    address = reverse("admin:reflections_batch_change", args=[batch.pk])
    page = admin_client.get(address).content.decode().split('id="batch"')[1]
    asks = html.unescape(re.search(r'hx-get="([^"]+)"', page)[1])
    assert admin_client.get(asks).status_code == 204
    batch.reflections.update(status=Job.Status.FAILED, reason="<b>Broken</b>.")
    told = admin_client.get(asks).content.decode()
    assert "hx-get" not in told
    assert "<b>Broken" not in told
    assert "Retry failed ones" in told
    response = admin_client.post(address, follow=True)
    assert "1 result will be regenerated." in words(response)
    assert batch.reflections.get().status == Job.Status.PENDING


def test_the_failed_ones_that_are_not_shown_are_in_the_list(
    admin_client, bot, monkeypatch, template_contexts
):
    monkeypatch.setattr("reflections.admin.batch_page.SHOWN", 1)
    held(bot), held(bot)
    batch = begun(bot, "summary")
    made(held(make_bot()), status=Job.Status.FAILED)
    batch.reflections.update(status=Job.Status.FAILED)
    page = admin_client.get(reverse("admin:reflections_batch_change", args=[batch.pk]))
    link = html.unescape(re.search(r'href="([^"]+status__exact=failed)"', page.content.decode())[1])
    listed = admin_client.get(link)
    assert listed.status_code == 200
    assert listed.context["cl"].result_count == 2


def test_one_that_is_just_being_begun_is_followed(admin_client, bot):
    batch = begin(bot, SUMMARY, None, "ann", 0)
    address = reverse("admin:reflections_batch_change", args=[batch.pk])
    assert "Starting." in words(admin_client.get(address))
    assert "part=progress" in admin_client.get(address).content.decode()
    Batch.objects.update(created_at=timezone.now() - timedelta(hours=1))
    assert "Not everything was requested." in words(admin_client.get(address))
    assert "part=progress" not in admin_client.get(address).content.decode()


def test_the_list_and_a_batch_whose_bot_is_gone(admin_client, bot):
    held(bot)
    batch = begun(bot, "summary")
    listed = admin_client.get(reverse("admin:reflections_batch_changelist"))
    assert "0 of 1" in words(listed)
    Batch.objects.update(bot=None)
    assert "deleted" in words(admin_client.get(reverse("admin:reflections_batch_changelist")))
    assert (
        admin_client.get(reverse("admin:reflections_batch_change", args=[batch.pk])).status_code
        == 200
    )


def test_rights(client, bot):
    held(bot)
    batch = begun(bot, "summary")
    batch.reflections.update(status=Job.Status.FAILED)
    page = reverse("admin:reflections_batch_change", args=[batch.pk])
    client.force_login(staff("view_bot"))
    assert client.get(url(bot)).status_code == 403
    assert client.get(page).status_code == 403
    after = reverse("admin:plans_bot_after_work", args=[bot.pk])
    assert client.get(after).status_code in (302, 403)
    assert client.get(after, follow=True).status_code == 403
    client.force_login(staff("view_bot", "view_reflection"))
    assert client.get(page).status_code == 200
    assert "Retry failed ones" not in words(client.get(page))
    assert client.post(page).status_code == 403
    assert client.post(url(bot), chosen("summary", after=batch.pk)).status_code == 403
    client.force_login(staff("view_bot", "view_reflection", "review_reflection"))
    assert "After the interview" in words(
        client.get(reverse("admin:plans_bot_change", args=[bot.pk]))
    )
    assert client.get(after)["Location"] == url(bot)
    assert client.get(url(bot)).status_code == 200
    assert client.get(reverse("admin:reflections_batch_of_bot", args=[10**6])).status_code == 404


def test_a_second_plan_counts_as_well(bot):
    held(bot)
    bot.persona = "Quite another."
    bot.save()
    held(bot, plan=plan_for(bot))
    assert len(lacking(bot)) == 2
