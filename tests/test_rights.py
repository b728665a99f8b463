"""Rights of their own: who may look may not yet change, hand out, or find out bit by bit."""

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse

from interviews.models import AccessRecord, Invitation, Mail, SharedOverview, Webhook
from plans.models import Experiment
from reflections.models import Reflection
from tests.conftest import make_bot
from tests.factories import SessionFactory
from tests.pages import markup
from tests.people import somebody
from tests.test_roles import member

pytestmark = pytest.mark.django_db
INTERVIEWS = "/admin/interviews/"


def test_who_sees_reward_codes_may_not_yet_add_or_remove_any(client):
    bot = make_bot()
    bot.reward_codes.create(code="A-1")
    somebody(client, "view_bot", "change_bot", "view_rewardcode")
    url = f"/admin/plans/bot/{bot.pk}/reward_codes/"
    assert "A-1" in markup(client.get(url))
    assert client.post(url, {"codes": "B-2"}).status_code == 403
    assert client.post(url, {"remove": "1"}).status_code == 403
    assert bot.reward_codes.get().code == "A-1"


def test_who_sees_an_overview_may_not_yet_share_it(client):
    bot = make_bot()
    user = somebody(client, "view_bot", "view_overviewday")
    shared = SharedOverview.objects.create(bot=bot, by=user)
    assert str(shared.key) not in markup(client.get(f"{INTERVIEWS}session/overview/{bot.pk}/"))
    url = f"{INTERVIEWS}session/overview/share/{bot.pk}/"
    for asked in ({}, {"sure": "on"}, {"sure": "on", "revoke": ""}):
        assert client.post(url, asked).status_code == 403
    assert SharedOverview.objects.get().key == shared.key


@pytest.mark.parametrize("page", ["data-protection", "health"])
def test_pages_about_the_whole_site_are_for_superusers(client, page):
    client.force_login(member("Owner"))
    assert client.get(f"/admin/{page}/").status_code == 403
    assert client.post(f"/admin/{page}/").status_code == 403


@pytest.mark.parametrize(
    ("page", "field", "begins"),
    [("invitation", "name", "Cass"), ("invitation", "email", "stars@"), ("mail", "to", "stars@")],
)
def test_contacts_cannot_be_found_out_by_looking_them_up(client, page, field, begins):
    person = {"name": "Cassiopeia", "email": "stars@example.org", "reference": "R-1"}
    invitation = Invitation.objects.create(bot=make_bot(), **person)
    Mail.objects.create(kind="invitation", invitation=invitation, to=invitation.email)
    rights = (f"view_{page}", "view_bot")
    user = somebody(client, *rights)
    url = f"{INTERVIEWS}{page}/?{field}__startswith="
    assert "R-1" in markup(client.get(f"{INTERVIEWS}{page}/"))
    assert [client.get(url + one).status_code for one in (begins, "x")] == [400, 400]
    user.user_permissions.add(Permission.objects.get(codename="view_contacts"))
    assert "R-1" in markup(client.get(url + begins))
    assert "R-1" not in markup(client.get(url + "x"))


def test_whoever_sees_participants_names_is_on_record_once(client):
    person = SessionFactory(participant__name="Cassiopeia").participant
    user = somebody(client, "view_participant")
    for _ in range(2):
        assert "Cassiopeia" in markup(client.get(f"{INTERVIEWS}participant/"))
    client.get(f"{INTERVIEWS}participant/{person.pk}/change/")
    record = AccessRecord.objects.get()
    assert (record.user, record.what) == (user, "Saw participants’ names.")


def test_a_result_is_downloaded_by_who_may_export_and_read_it(client):
    made = Reflection.objects.create(
        session=SessionFactory(), name="summary", status="ready", content={"sections": []}
    )
    url = reverse("admin:reflections_reflection_download", args=[made.pk])
    user = somebody(client, "view_reflection")
    assert client.get(url).status_code == 403
    assert not AccessRecord.objects.exists()
    user.user_permissions.set(Permission.objects.filter(codename="export_session"))
    assert client.get(url).status_code == 403
    user.user_permissions.add(Permission.objects.get(codename="view_reflection"))
    assert client.get(url).status_code == 200
    assert AccessRecord.objects.get().what.startswith("Exported summary as json")


@pytest.mark.parametrize(
    ("rights", "page", "lacking"),
    [
        ((), "plans_bot_links", "view_bot"),
        ((), "plans_bot_public_page", "view_bot"),
        (("view_bot",), "plans_bot_try_it", "change_bot"),
        (("view_bot",), "plans_bot_set_draft", "change_bot"),
        (("view_bot", "view_evaluation"), "plans_bot_try_out", "add_evaluation"),
        (("view_session",), "interviews_session_export_one", "export_session"),
        (("view_experiment",), "interviews_session_experiment", "view_overviewday"),
        (("view_experiment",), "plans_experiment_results", "view_overviewday"),
        (("view_session",), "interviews_session_study_report", "view_excerpt"),
        (("view_excerpt",), "interviews_session_study_report", "view_session"),
    ],
)
def test_a_page_takes_each_of_its_rights(client, rights, page, lacking):
    bot = make_bot(status="closed")
    rows = {
        "export_one": SessionFactory(bot=bot),
        "experiment": Experiment.objects.create(title="Tone", slug="tone"),
    }
    rows["results"] = rows["experiment"]
    row = rows.get(page.partition("session_")[2] or page.rpartition("_")[2], bot)
    url = reverse(f"admin:{page}", args=[row.pk])
    user = somebody(client, *rights)
    assert client.get(url).status_code == 403
    user.user_permissions.add(*Permission.objects.filter(codename=lacking))
    assert client.get(url).status_code in (200, 302, 404)  # 404: no report is written yet


def test_who_looks_at_their_webhook_may_not_yet_send_by_it(client):
    user = somebody(client, "view_webhook")
    hook = Webhook.objects.create(user=user, name="Ours", url="https://example.org/", secret="x")
    assert client.get(f"{INTERVIEWS}webhook/{hook.pk}/change/").status_code == 200
    url = reverse("admin:interviews_webhook_send_test", args=[hook.pk])
    assert client.get(url).status_code == 403
    assert not hook.deliveries.exists()
