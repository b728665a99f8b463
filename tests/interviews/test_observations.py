"""What was judged of answers, on the page of the interview: for who has the right to it."""

import pytest
from django.contrib.auth.models import Permission, User
from django.urls import reverse

from interviews.models import Turn
from reflections.models import Reflection
from tests.factories import SessionFactory, talk
from tests.pages import markup
from tests.reflections.held import NOTE, RIGHT, THOUGHT, held_session, wished
from tests.test_roles import member

pytestmark = pytest.mark.django_db


def page(client, session) -> str:
    response = client.get(reverse("admin:interviews_session_change", args=[session.pk]))
    assert response.status_code == 200
    return markup(response)


def test_reviewers_see_what_was_judged_and_thought(admin_client):
    shown = page(admin_client, held_session())
    assert shown.count("Judgement") == 4
    assert shown.count("not scored") == 0
    for words in (NOTE, THOUGHT, RIGHT):
        assert words in shown


def test_others_read_the_words_alone(client):
    session = held_session()
    kept = {"task": "x", "source": "model", "reason": "", "value": {"notes": NOTE}}
    Turn.objects.filter(session=session).update(
        readings={"observer": kept}, decision={"details": {"thoughts": THOUGHT}}
    )
    user = User.objects.create_user("reader", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="view_session"))
    client.force_login(user)
    shown = page(client, session)
    assert "What comes first?" in shown
    assert "You need the permission" in shown
    for words in (NOTE, THOUGHT, RIGHT):
        assert words not in shown
    plain = page(client, talk(SessionFactory(), ["I was born in Riga."]))
    assert "Interview state" in plain


def test_what_is_made_of_an_interview_is_linked_from_its_page_once_it_can_be_read(admin_client):
    session = held_session()
    made = wished(session)
    url = reverse("admin:reflections_reflection_change", args=[made.pk])
    assert url not in page(admin_client, session)
    Reflection.objects.filter(pk=made.pk).update(status="ready", content={"items": []})
    assert url in page(admin_client, session)


def test_judgements_cannot_be_found_out_by_looking_them_up(client):
    session = held_session()
    client.force_login(member("Fieldwork"))
    page = "/admin/interviews/session/"
    assert NOTE not in client.get(f"{page}{session.pk}/change/").content.decode()

    def listed(value: str) -> bool:
        found = client.get(f"{page}?state__observations__0__status__startswith={value}")
        return str(session.pk) in found.content.decode()

    assert listed("conf") == listed("gap")
