"""Downloads from the admin: who may take what, and that every one is on record."""

import io
import re
import zipfile

import pytest
from django.contrib.auth.models import Permission, User
from django.test import AsyncClient
from django.urls import reverse

from interviews.exports.formats import FORMATS
from interviews.exports.registry import TABLES
from interviews.models import AccessRecord
from llm.concurrency.threads import in_database
from tests.factories import SessionFactory, talk
from tests.interviews.exports.reading import READERS, csv_rows, export

PAGE = "/admin/interviews/session/export/"
RIGHTS = {
    "stranger": None,
    "participant": [],
    "reader": ["view_session"],
    "researcher": ["view_session", "export_session"],
    "owner": ["view_session", "export_session", "delete_session", "view_participant"],
}
MAY_EXPORT = {"researcher", "owner"}


def person(role: str) -> User | None:
    """Somebody of that role; a stranger is nobody."""
    rights = RIGHTS[role]
    if rights is None:
        return None
    user = User.objects.create_user(role, password="x", is_staff=role != "participant")
    user.user_permissions.set(Permission.objects.filter(codename__in=rights))
    return user


def content(response) -> bytes:
    return b"".join(response.streaming_content)


@pytest.mark.django_db
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("role", RIGHTS)
@pytest.mark.parametrize("table", ["transcripts", "contacts", "all"])
def test_who_may_take_what(client, role, form, table):
    talk(SessionFactory(participant__name="Cassiopeia"), ["one"])
    user = person(role)
    if user:
        client.force_login(user)
    response = client.post(PAGE, {"table": table, "format": form})
    allowed = role in MAY_EXPORT and (table != "contacts" or role == "owner")
    assert (response.status_code == 200) == allowed
    assert response.status_code in (200, 302, 400, 403)
    assert AccessRecord.objects.filter(what__startswith="Exported").count() == allowed
    if allowed:
        assert content(response)
    else:
        assert not response.streaming
        assert b"one" not in re.findall(rb"P-[A-Z2-7]{12}.*", response.content)


@pytest.mark.django_db
@pytest.mark.parametrize("form", FORMATS)
def test_the_file_is_the_table(admin_client, form):
    session = talk(SessionFactory(), ["one", "two"])
    asked = {"table": "transcripts", "format": form, "bot": session.bot.slug}
    response = admin_client.post(PAGE, asked)
    assert response["Content-Type"] == FORMATS[form].media
    assert "no-store" in response["Cache-Control"]
    name = re.search(r'filename="([^"]+)"', response["Content-Disposition"]).group(1)
    assert re.fullmatch(rf"{session.bot.slug}-transcripts-\d{{4}}-\d\d-\d\d\.{form}", name)
    assert len(READERS[form](content(response))) == 6


@pytest.mark.django_db
def test_every_download_is_on_record(admin_client, admin_user):
    session = SessionFactory()
    asked = {"table": "sessions", "format": "csv", "bot": session.bot.slug, "language": "en"}
    content(admin_client.post(PAGE, asked))
    record = AccessRecord.objects.get()
    assert (record.user, record.bot) == (admin_user, session.bot)
    assert record.what == "Exported sessions as csv, 1 interviews."
    assert record.filters["language"] == "en"
    shown = admin_client.get(PAGE).content.decode()
    assert record.what in shown
    assert "language: en" in shown


@pytest.mark.django_db
def test_everything_in_one_zip_without_names(admin_client):
    talk(SessionFactory(participant__name="Cassiopeia"), ["one"])
    response = admin_client.post(PAGE, {"table": "all", "format": "csv"})
    with zipfile.ZipFile(io.BytesIO(content(response))) as archive:
        assert "contacts.csv" not in archive.namelist()
        assert all(b"Cassiopeia" not in archive.read(name) for name in archive.namelist())


@pytest.mark.django_db
def test_interviews_chosen_in_the_list(admin_client):
    chosen = talk(SessionFactory(preview=True), ["one"])
    talk(SessionFactory(bot=chosen.bot), ["two"])
    listing = reverse("admin:interviews_session_changelist")
    picked = {"action": "export_selected", "_selected_action": [str(chosen.pk)]}
    page = admin_client.post(listing, picked).content.decode()
    assert "1 interview selected" in page
    assert str(chosen.pk) in page
    asked = {"table": "transcripts", "format": "csv", "sessions": str(chosen.pk), "previews": "on"}
    rows = csv_rows(content(admin_client.post(PAGE, asked)))
    assert {row["session_id"] for row in rows} == {str(chosen.pk)}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "wrong",
    [
        {"table": "nothing"},
        {"format": "pdf"},
        {"bot": "nobody"},
        {"since": "yesterday"},
        {"since": "2026-03-02", "until": "2026-03-01"},
        {"sessions": "not-an-id"},
        {"sessions": " ".join(["00000000-0000-0000-0000-000000000000"] * 5001)},
        {"status": "DONE"},
    ],
)
def test_mistakes_are_shown_on_the_page(admin_client, wrong):
    response = admin_client.post(PAGE, {"table": "sessions", "format": "csv", **wrong})
    assert response.status_code == 400
    assert not AccessRecord.objects.exists()


@pytest.mark.django_db
def test_the_codebook_from_the_page(admin_client):
    rows = csv_rows(admin_client.get(f"{PAGE}?codebook").content)
    assert {row["table"] for row in rows} == set(TABLES)


@pytest.mark.django_db(transaction=True)
async def test_under_asgi_it_is_streamed():
    def made() -> tuple[User, bytes]:
        talk(SessionFactory(), ["one"])
        return User.objects.create_superuser("somebody", password="x"), export("transcripts")

    user, expected = await in_database(made)
    client = AsyncClient()
    await client.aforce_login(user)
    response = await client.post(PAGE, {"table": "transcripts", "format": "csv"})
    assert response.status_code == 200
    assert response.is_async
    assert b"".join([chunk async for chunk in response.streaming_content]) == expected
