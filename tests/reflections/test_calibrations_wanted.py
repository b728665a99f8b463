"""Calibrations that nobody asks for one by one: after each interview, or of a whole bot."""

import pytest
from django.urls import reverse

from plans.jobs import AT_ONCE, JobFailed, JobType
from reflections import jobs
from reflections.calibration import calibrations
from reflections.calibration.types import HeldOutOptions
from reflections.models import EXPERT, Calibration, Reflection
from tests.reflections.calibrating import make_expert, make_script_bot, told_session
from tests.reflections.held import again, wished
from tests.reflections.narrated import at_last
from tests.reflections.replaced import set_maker
from tests.reflections.test_batches import words

pytestmark = pytest.mark.django_db(transaction=True)
NEW = reverse("admin:reflections_calibration_add")


@pytest.fixture
def bot(monkeypatch):
    """A bot that wants its replicas calibrated; summaries and facts are made at once."""
    for name in ("summary", "facts"):
        set_maker(monkeypatch, name, lambda session: {"made_by": "rules"})
    return make_script_bot(calibrates_replicas=True)


def made(session, name="summary") -> Reflection:
    row = wished(session, name)
    jobs.make(row.pk)
    return again(row)


def test_it_is_requested_once_all_results_are_there(bot):
    session = told_session(bot=bot)
    other = wished(session, "facts")
    made(session)
    assert not Calibration.objects.exists()
    jobs.make(other.pk)
    row = Calibration.objects.get()
    assert (row.session, row.method, row.created_by) == (session, "held_out", "")
    assert calibrations.options_of(row) == HeldOutOptions()
    assert row.status == "pending"


def test_a_result_that_is_made_again_brings_no_second_one(bot):
    row = made(told_session(bot=bot))
    jobs.run_again(row)
    jobs.make(row.pk)
    assert again(row).status == "ready"
    assert Calibration.objects.count() == 1


def test_a_result_that_failed_for_good_is_not_waited_for(bot, monkeypatch):
    def fail(session):
        raise JobFailed("No.")

    set_maker(monkeypatch, "summary", fail)
    row = wished(told_session(bot=bot), "summary")
    jobs.make(row.pk)
    assert not Calibration.objects.exists()
    assert at_last(row).status == "failed"
    assert Calibration.objects.count() == 1


def test_a_result_that_is_no_longer_wanted_is_not_waited_for(bot, settings):
    settings.LLM_PROVIDER = "scripted"
    session = told_session(bot=bot)
    expert = wished(session, f"{EXPERT}deactivated")
    made(session)
    assert not Calibration.objects.exists()
    jobs.make(expert.pk)
    assert not session.reflections.filter(pk=expert.pk).exists()
    assert Calibration.objects.count() == 1


@pytest.mark.parametrize("kind", [{"synthetic": True}, {"preview": True}])
def test_neither_simulated_participants_nor_previews(bot, kind):
    made(told_session(bot=bot, **kind))
    assert not Calibration.objects.exists()


def test_nor_what_has_too_few_answers(bot):
    made(told_session(answers=["Yes."] * 12, bot=bot))
    assert not Calibration.objects.exists()


def test_nor_where_the_bot_does_not_want_it(bot):
    bot.calibrates_replicas = False
    bot.save()
    made(told_session(bot=bot))
    assert not Calibration.objects.exists()


# -- of a whole bot


def test_every_interview_that_lacks_one_gets_one(bot, monkeypatch):
    sent = []
    monkeypatch.setattr(JobType, "enqueue", lambda self, pk: sent.append(pk))
    sessions = [told_session(bot=bot) for _ in range(3)]
    told_session(bot=bot, preview=True)
    told_session()  # another bot's
    calibrations.request(sessions[0], HeldOutOptions(), "ann")
    assert calibrations.request_all(bot, "ben") == 2
    assert set(Calibration.objects.values_list("session", "created_by")) == {
        (sessions[0].pk, "ann"),
        (sessions[1].pk, "ben"),
        (sessions[2].pk, "ben"),
    }
    assert len(sent) == 3
    assert calibrations.request_all(bot, "ben") == 0


def test_no_more_are_enqueued_at_once_than_a_sweep_would(bot, monkeypatch):
    sent = []
    monkeypatch.setattr(JobType, "enqueue", lambda self, pk: sent.append(pk))
    monkeypatch.setattr(calibrations, "AT_ONCE", 2)
    for _ in range(3):
        told_session(bot=bot)
    assert calibrations.request_all(bot, "ben") == 3
    assert len(sent) == 2 < AT_ONCE
    assert Calibration.objects.filter(status="pending").count() == 3


def test_from_the_choice_over_the_calls_to_the_progress(admin_client, bot):
    make_expert()
    for _ in range(2):
        told_session(bot=bot)
    address = f"{NEW}?bot={bot.pk}"
    assert f'href="?bot={bot.pk}"' in admin_client.get(NEW).content.decode()
    page = words(admin_client.get(address))
    assert "2 finished interviews not calibrated yet" in page
    assert "takes about 40 calls to models" in page  # 2 × (notes, an expert, 3 questions × 6)
    page = words(admin_client.post(address, follow=True))
    assert "2 calibrations started." in page
    assert "0 of 2 ready." in page
    assert "not calibrated yet" not in page
    Calibration.objects.filter(pk=Calibration.objects.first().pk).update(status="failed")
    assert "1 failed" in words(admin_client.get(address))


def test_who_may_not_begin_one_begins_none(client, django_user_model, bot):
    told_session(bot=bot)
    client.force_login(django_user_model.objects.create_user("eve", is_staff=True))
    assert client.post(f"{NEW}?bot={bot.pk}").status_code == 403
    assert not Calibration.objects.exists()
