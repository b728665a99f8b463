"""Experts in the admin: written, ordered, switched off, remembered."""

import pytest
from django.contrib.auth.models import Permission, User
from django.urls import reverse

from reflections.models import Expert, Reflection
from tests.pages import markup
from tests.reflections.telling import told_product

pytestmark = pytest.mark.django_db
LIST, ADD = (reverse(f"admin:reflections_expert_{name}") for name in ("changelist", "add"))
NEW = {
    "name": "Architect",
    "looks_for": "How this person lives in rooms.",
    "instructions": "Look at houses.\r\nLeave taste alone.",
    "active": "on",
    "key": "",
}


def url(name: str, key: str = "psychologist") -> str:
    return reverse(f"admin:reflections_expert_{name}", args=[Expert.objects.get(key=key).pk])


def text(client, where: str) -> str:
    answer = client.get(where)
    assert answer.status_code == 200
    return markup(answer)


def colleague(*rights: str) -> User:
    user = User.objects.create_user("colleague", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=rights))
    return user


def test_the_list_says_what_each_looks_for_and_lets_them_be_ordered(admin_client):
    shown = text(admin_client, LIST)
    for expert in Expert.objects.all():
        assert expert.name in shown
        assert expert.looks_for[:60] in shown
    assert 'name="form-0-active"' in shown
    assert 'name="form-0-position"' in shown


def test_order_and_switches_are_saved_in_the_list(admin_client):
    data = {"form-TOTAL_FORMS": "4", "form-INITIAL_FORMS": "4", "_save": "Save"}
    for place, expert in enumerate(Expert.objects.all()):
        data |= {f"form-{place}-id": str(expert.pk), f"form-{place}-position": str(9 - place)}
        data |= {f"form-{place}-active": "on"} if place else {}
    assert admin_client.post(LIST, data).status_code == 302
    assert [(one.key, one.active) for one in Expert.objects.all()] == [
        ("demographer", True),
        ("political_scientist", True),
        ("economist", True),
        ("psychologist", False),
    ]


def test_a_new_one_gets_a_key_and_the_last_place(admin_client):
    assert admin_client.post(ADD, NEW).status_code == 302
    made = Expert.objects.last()
    assert (made.key, made.position, made.active) == ("architect", 4, True)
    assert made.instructions == "Look at houses.\nLeave taste alone."
    assert admin_client.post(ADD, NEW).status_code == 302
    assert Expert.objects.last().key == "architect-2"


@pytest.mark.parametrize(
    ("field", "value", "error"),
    [
        ("key", "psychologist", "already exists"),
        ("key", "two words", "valid"),
        ("name", "", "required"),
        ("looks_for", "  ", "required"),
        ("instructions", "", "required"),
        ("instructions", "x" * 12_001, "at most 12000"),
    ],
)
def test_what_cannot_be_saved_says_why(admin_client, field, value, error, template_contexts):
    answer = admin_client.post(ADD, NEW | {field: value})
    assert answer.status_code == 200
    assert error in str(answer.context["adminform"].form.errors[field])
    assert Expert.objects.count() == 4


def test_the_form_says_how_much_was_read_and_the_history_what_was_changed(admin_client):
    told_product()
    assert "<b>1</b> interview read" in text(admin_client, url("change"))
    data = NEW | {"name": "Listener", "key": "psychologist"}
    assert admin_client.post(url("change"), data).status_code == 302
    shown = text(admin_client, url("history"))
    assert "Listener" in shown
    assert "houses." in shown
    assert "admin" in shown


def test_deleting_says_what_stays_and_keeps_it(admin_client):
    made = told_product()
    assert "Their 1 reflection is kept." in text(admin_client, url("delete"))
    assert admin_client.post(url("delete"), {"post": "yes"}).status_code == 302
    assert not Expert.objects.filter(key="psychologist").exists()
    assert Reflection.objects.get(pk=made.pk).title == "Reflection: Psychologist"


def test_without_any_the_list_says_how_to_begin(admin_client):
    Expert.objects.all().delete()
    shown = text(admin_client, LIST)
    assert "No experts yet" in shown
    assert "Add one: a name, what they look for" in shown


def test_who_may_look_sees_and_changes_nothing(client):
    client.force_login(colleague("view_expert"))
    assert "Psychologist" in text(client, LIST)
    assert "A new expert" not in text(client, url("change"))
    assert client.post(url("change"), NEW).status_code == 403
    assert client.get(ADD).status_code == 403
    assert client.get(url("delete")).status_code == 403
    assert text(client, url("history"))


def test_who_may_not_look_sees_nothing(client):
    client.force_login(colleague("view_reflection"))
    for where in (LIST, ADD, url("change"), url("history"), url("delete")):
        assert client.get(where).status_code == 403
    assert "/reflections/expert/" not in text(client, reverse("admin:index"))
