"""Exports in the background: made once, told by mail, gone with what they hold or their time."""

import io
import json
import re
import zipfile
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission, User
from django.db import transaction
from django.test import AsyncClient
from django.utils import timezone

from interviews.exports import files
from interviews.exports.registry import shared_tables
from interviews.exports.selection import Selection
from interviews.exports.tokens import new_token
from interviews.models import AccessRecord, ExportFile, Mail, Participant, Session
from interviews.recruitment.mail.letters import letter_of
from interviews.turns import retention
from interviews.turns.deletion import delete_sessions
from interviews.turns.withdrawal import withdraw
from llm.concurrency.threads import in_database
from plans.jobs import Cancelled
from plans.models import Team
from tests.conftest import make_bot
from tests.factories import SessionFactory, talk
from tests.interviews.exports.reading import export
from tests.interviews.exports.test_http import person
from tests.interviews.leaving import gone

pytestmark = pytest.mark.django_db(transaction=True)
PAGE = "/admin/interviews/session/export/"
ASKED = {"table": "transcripts", "format": "csv", "background": ""}


@pytest.fixture(autouse=True)
def folder(settings, tmp_path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path / "exports"


@pytest.fixture
def ann(client) -> User:
    user = person("ann")
    User.objects.filter(pk=user.pk).update(email="ann@example.org")
    client.force_login(user)
    return user


def ask(client, **more) -> ExportFile:
    assert client.post(PAGE, ASKED | more).status_code == 302
    return ExportFile.objects.latest("pk")


def made(row: ExportFile) -> ExportFile:
    files.make(row.pk)
    row.refresh_from_db()
    return row


def address(row: ExportFile) -> str:
    return f"{PAGE}files/{row.key}/"


def test_it_is_made_told_and_downloaded(client, ann, folder):
    session = talk(SessionFactory(), ["one"])
    row = ask(client, bot=session.bot.slug)
    assert (row.status, files.progress(row)) == ("pending", 0)
    assert "Waiting" in client.get(PAGE).content.decode()
    assert client.get(address(row)).status_code == 302  # not yet
    assert "hx-trigger" in client.get(f"{PAGE}files/").content.decode()
    row = made(row)
    assert (row.status, files.progress(row)) == ("ready", 100)
    (path,) = folder.iterdir()
    assert path.stat().st_mode & 0o077 == folder.stat().st_mode & 0o077 == 0
    assert "hx-trigger" not in client.get(f"{PAGE}files/").content.decode()
    response = client.get(address(row))
    assert b"".join(response.streaming_content) == export("transcripts")
    assert re.search(rf'"{session.bot.slug}-transcripts-.+\.csv"', response["Content-Disposition"])
    mail = Mail.objects.get()
    letter = letter_of(mail)
    assert (mail.to, address(row) in letter.body) == ("ann@example.org", True)
    said = list(AccessRecord.objects.order_by("pk").values_list("what", flat=True))
    assert said[0] == "Exported transcripts as csv, 1 interviews."
    assert said[1].startswith("Downloaded the export of")


@pytest.mark.parametrize(("form", "first"), [("csv", 100 // len(shared_tables())), ("qdpx", 99)])
def test_progress_counts_how_often_interviews_are_read(client, ann, monkeypatch, form, first):
    told = []
    monkeypatch.setattr(files, "TOLD_EVERY", -1)
    monkeypatch.setattr(files.cache, "set", lambda key, percent, kept: told.append(percent))
    talk(SessionFactory(), ["one"])
    made(ask(client, table="all", format=form))
    assert told[0] == first


def test_only_its_own_user_gets_it(client, ann, admin_user):
    row = made(ask(client))
    client.force_login(admin_user)
    assert client.get(address(row)).status_code == 302
    assert str(row.key) not in client.get(PAGE).content.decode()
    client.force_login(User.objects.create_user("nobody", is_staff=True))
    assert client.get(address(row)).status_code == 403
    assert client.get(f"{PAGE}files/").status_code == 403


def test_rights_and_teams_hold_when_it_is_made_and_fetched(client, ann):
    mine, other = (talk(SessionFactory(bot=make_bot(slug=slug)), [slug]) for slug in "ab")
    row, late = ask(client), ask(client)
    team = Team.objects.create(name="Team")
    team.bots.add(mine.bot)
    ann.teams.add(team)
    content = b"".join(client.get(address(made(row))).streaming_content)
    assert str(mine.pk).encode() in content
    assert str(other.pk).encode() not in content
    ann.user_permissions.clear()
    assert made(late).status == "failed"
    assert late.reason == files.NOT_ALLOWED
    assert late.attempts == 1


@pytest.mark.parametrize("lost", ["the right", "a team's bot"])
def test_who_may_no_longer_see_what_is_in_it_cant_fetch_it(client, ann, lost):
    mine, other = (talk(SessionFactory(bot=make_bot(slug=slug)), [slug]) for slug in "ab")
    ann.user_permissions.add(Permission.objects.get(codename="view_participant"))
    asked = {"table": "contacts"} if lost == "the right" else {}
    both, own = made(ask(client, **asked)), made(ask(client, bot=mine.bot.slug))
    assert client.get(address(both)).status_code == 200
    if lost == "the right":
        ann.user_permissions.remove(Permission.objects.get(codename="view_participant"))
    else:
        team = Team.objects.create(name="Team")
        team.bots.add(mine.bot)
        ann.teams.add(team)
    refused = client.get(address(both), follow=True)
    assert files.NOT_ALLOWED in refused.content.decode()
    assert str(other.pk) not in refused.content.decode()
    assert client.get(address(own)).status_code == 200


@pytest.mark.parametrize("how", ["withdrawn", "deleted", "kept no longer"])
def test_a_file_goes_with_an_interview_in_it(client, ann, folder, how):
    session = talk(SessionFactory(), ["one"])
    other = make_bot(slug="other")
    rows = [made(ask(client, bot=slug)) for slug in ("", session.bot.slug, "other")]
    files.sweep()
    assert len(list(folder.iterdir())) == 3
    if how == "withdrawn":
        withdraw(Session.objects.get(pk=session.pk))
    elif how == "deleted":
        delete_sessions(Session.objects.filter(pk=session.pk))
    else:
        type(other).objects.filter(pk=session.bot_id).update(keep_days=1)
        retention.sweep(at_once=True)
    for row in rows:
        row.refresh_from_db()
    assert [row.status for row in rows] == ["failed", "failed", "ready"]
    files.sweep()
    assert [path.name for path in folder.iterdir()] == [rows[2].content["file"]]
    assert "withdrawn or deleted" in client.get(PAGE).content.decode()
    with pytest.raises(Cancelled):
        letter_of(Mail.objects.get(export=rows[0]))


def test_a_withdrawal_while_it_is_made_begins_it_anew(client, ann, folder, monkeypatch):
    leaves, stays = (talk(SessionFactory(), [word]) for word in ("gone", "stays"))
    row, write = ask(client), files._write

    def withdrawn_meanwhile(path, chunks):
        written = write(path, chunks)
        withdraw(Session.objects.get(pk=leaves.pk))
        return written

    monkeypatch.setattr(files, "_write", withdrawn_meanwhile)
    assert made(row).status == "pending"
    files.sweep()
    assert not list(folder.iterdir())
    monkeypatch.setattr(files, "_write", write)
    content = (folder / made(row).content["file"]).read_bytes()
    assert str(leaves.pk).encode() not in content
    assert str(stays.pk).encode() in content


@pytest.mark.parametrize("how", ["withdrawn", "deleted"])
def test_an_export_that_begins_before_an_interview_has_gone_begins_anew(client, ann, how):
    """PostgreSQL lets others read the interview until the transaction that removes it commits."""
    session = talk(SessionFactory(), ["gone"])
    running, ready = ask(client), ask(client)
    with transaction.atomic():
        gone(session, how)
        claim = {"claim": uuid4(), "claimed_until": timezone.now() + timedelta(minutes=5)}
        ExportFile.objects.filter(pk=running.pk).update(status="running", **claim)
        ExportFile.objects.filter(pk=ready.pk).update(status="ready", content={"file": "its words"})
    running.refresh_from_db()
    ready.refresh_from_db()
    assert (running.status, running.claim) == ("pending", None)
    assert (ready.status, ready.content) == ("failed", {})


def test_files_go_after_their_time_and_those_of_dead_processes_at_once(client, ann, folder):
    talk(SessionFactory(), ["one"])
    old, new = made(ask(client)), made(ask(client))
    (folder / "of-a-process-that-died.csv").write_text("half")
    running = ask(client)
    claim = old.key  # any
    ExportFile.objects.filter(pk=running.pk).update(
        status="running", claim=claim, claimed_until=timezone.now() + timedelta(minutes=5)
    )
    (folder / f"{claim}.csv").write_text("half")
    passed = timezone.now() - timedelta(days=8)
    ExportFile.objects.filter(pk=old.pk).update(created_at=passed)
    files.sweep()
    assert {path.name for path in folder.iterdir()} == {new.content["file"], f"{claim}.csv"}
    assert not ExportFile.objects.filter(pk=old.pk).exists()


def test_a_full_disk_is_told_and_tried_again(client, ann, folder, monkeypatch):
    row, write = ask(client), files._write

    def full(path, chunks):
        path.write_bytes(next(chunks))
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files, "_write", full)
    assert made(row).status == "pending"
    assert row.reason == "The file can’t be written: No space left on device."
    assert not list(folder.iterdir())
    monkeypatch.setattr(files, "_write", write)
    ExportFile.objects.update(claimed_until=None)
    assert made(row).status == "ready"


def test_not_too_many_at_once(client, ann):
    for _ in range(files.MOST_AT_ONCE):
        ask(client)
    refused = client.post(PAGE, ASKED)
    assert refused.status_code == 429
    assert "Wait until one is ready" in refused.content.decode()


def test_progress_counts_interviews_of_all_tables(client, ann, monkeypatch):
    first = SessionFactory()
    for _ in range(3):
        SessionFactory(bot=first.bot)
    seen: list[int] = []
    monkeypatch.setattr(files, "TOLD_EVERY", -1.0)
    monkeypatch.setattr(files.cache, "set", lambda key, value, timeout: seen.append(value))
    row = made(ask(client, table="all"))
    assert seen == sorted(seen)
    assert 0 < seen[0] < 50 < seen[-1] <= 99
    with zipfile.ZipFile(io.BytesIO(b"".join(client.get(address(row)).streaming_content))) as zip_:
        assert {f"{one.name}.csv" for one in shared_tables()} < set(zip_.namelist())


async def test_over_http():
    def given():
        talk(SessionFactory(), ["one"])
        return [new_token(person(name), "x")[0] for name in ("eve", "bob")]

    eve, bob = await in_database(given)
    client = AsyncClient()

    async def send(path: str = "", body=None, expect: int = 200, token: str = eve):
        headers, url = {"Authorization": f"Bearer {token}"}, f"/api/exports{path}"
        kind = "application/json"
        if body is None:
            response = await client.get(url, headers=headers)
        else:
            sent = json.dumps(body)
            response = await client.post(url, sent, content_type=kind, headers=headers)
        assert response.status_code == expect, response
        return response

    begun = (await send("", {"table": "all", "format": "xlsx"}, 202)).json()
    assert (begun["status"], begun["file"]) == ("pending", None)
    path = f"/{begun['id']}"
    assert (await send(f"{path}/file", expect=409)).json()["error"] == "not_ready"
    await in_database(files.make, await in_database(lambda: ExportFile.objects.get().pk))
    ready = (await send(path)).json()
    assert (ready["status"], ready["progress"]) == ("ready", 100)
    response = await send(f"{path}/file")
    content = b"".join([chunk async for chunk in response.streaming_content])
    assert len(content) == ready["bytes"]
    assert zipfile.is_zipfile(io.BytesIO(content))
    await send(path, expect=404, token=bob)
    await send(f"{path}/file", expect=404, token=bob)
    for body, status in (
        ({}, 422),
        ({"table": "nothing"}, 404),
        ({"table": "contacts"}, 403),
        ({"table": "sessions", "format": "pdf"}, 422),
        ({"table": "sessions", "sinc": "2026-01-01"}, 422),
        ({"table": "sessions", "bot": "nobody"}, 404),
        ({"table": "sessions", "since": "yesterday"}, 422),
    ):
        problem = (await send("", body, status)).json()
        assert problem["error"], body
    since = {"table": "sessions", "since": (timezone.now() + timedelta(hours=1)).isoformat()}
    await send("", since, 202)
    await in_database(files.make, await in_database(lambda: ExportFile.objects.latest("pk").pk))
    row = await in_database(lambda: ExportFile.objects.latest("pk"))
    assert row.content["bytes"] < 2000  # the header
    assert not await in_database(Participant.objects.filter(name="").exists)


def test_filters_that_were_stored_choose_the_same(ann):
    at = timezone.now()
    whole = Selection(
        bot=1,
        sessions=(uuid4(), uuid4()),
        since=at,
        before=at + timedelta(days=1),
        changed_since=at,
        statuses=("COMPLETED", "STOPPED"),
        language="it",
        synthetic=True,
        previews=True,
        user=ann,
    )
    for one in (whole, Selection(user=ann)):
        assert Selection.from_dict(json.loads(json.dumps(one.as_dict())), ann) == one


def test_a_file_holds_the_interviews_that_were_chosen_and_no_others(client, ann, folder):
    first, second = (talk(SessionFactory(), [text]) for text in ("One.", "Two."))
    row = made(ask(client, sessions=str(first.pk)))
    content = (folder / row.content["file"]).read_text()
    assert str(first.pk) in content
    assert str(second.pk) not in content
