"""Letters in the admin."""

import pytest
from django.contrib.auth.models import Permission, User

from interviews.models import Invitation, Mail
from plans import jobs
from tests.conftest import make_bot
from tests.factories import SessionFactory
from tests.pages import markup

pytestmark = pytest.mark.django_db
LIST = "/admin/interviews/mail/"
TO = "anna@example.org"


@pytest.fixture(autouse=True)
def by_hand(settings, monkeypatch) -> None:
    settings.REDIS_URL = ""
    monkeypatch.setattr(jobs, "_serving", False)


def letter(**fields) -> Mail:
    fields = {"kind": Mail.Kind.ALERT, "session": SessionFactory(), "to": TO} | fields
    return Mail.objects.create(**fields)


def text(response) -> str:
    assert response.status_code == 200
    return markup(response)


def chosen(client, *mails: Mail):
    form = {"action": "send_again", "_selected_action": [mail.pk for mail in mails]}
    return client.post(LIST, form, follow=True)


def test_an_empty_list_says_what_it_is_for(admin_client):
    assert "E-mails appear here once they are requested" in text(admin_client.get(LIST))


def test_state_and_reason_are_shown(admin_client):
    letter(status="failed", reason="The mail server answered: 550 nobody")
    invitation = Invitation.objects.create(bot=make_bot(), reference="R-17")
    letter(kind=Mail.Kind.INVITATION, session=None, invitation=invitation)
    shown = text(admin_client.get(LIST))
    assert "550 nobody" in shown
    assert "R-17" in shown
    assert TO in shown


def test_addresses_are_for_who_may_see_contacts(client):
    mail = letter()
    user = User.objects.create_user("somebody", password="x", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="view_mail"))
    client.force_login(user)
    for address in (LIST, f"{LIST}{mail.pk}/change/", f"{LIST}?q={TO}"):
        assert TO not in text(client.get(address)).replace(f"q={TO}", "")
    user.user_permissions.add(Permission.objects.get(codename="view_contacts"))
    for address in (LIST, f"{LIST}{mail.pk}/change/"):
        assert TO in text(client.get(address))


def test_nobody_finds_addresses_out_by_filters(client):
    letter()
    user = User.objects.create_user("somebody", password="x", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="view_mail"))
    client.force_login(user)
    asked = ("to__startswith=a", "to=anna@example.org", "invitation__email__startswith=a")
    for query in asked:
        assert client.get(f"{LIST}?{query}").status_code == 400
    assert client.get(f"{LIST}?kind__exact=alert").status_code == 200
    user.user_permissions.add(Permission.objects.get(codename="view_contacts"))
    assert "Signs of distress" in text(client.get(f"{LIST}?{asked[0]}"))


def test_only_what_failed_is_sent_again(admin_client):
    failed, sent = letter(status="failed", attempts=3), letter(status="ready")
    assert "1 being sent again." in text(chosen(admin_client, failed, sent))
    failed.refresh_from_db()
    sent.refresh_from_db()
    assert (failed.status, failed.attempts, sent.status) == ("pending", 0, "ready")
    assert "None of them had failed" in text(chosen(admin_client, sent))


def test_sending_again_takes_a_right(client):
    mail = letter(status="failed")
    user = User.objects.create_user("somebody", password="x", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="view_mail"))
    client.force_login(user)
    chosen(client, mail)
    mail.refresh_from_db()
    assert mail.status == "failed"


def test_the_list_asks_the_same_however_many_there_are(admin_client, django_assert_max_num_queries):
    for _ in range(6):
        letter()
    with django_assert_max_num_queries(12):
        admin_client.get(LIST)
