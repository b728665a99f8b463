"""Exports over HTTP: whose token opens what, filters, pages, changes, and every mistake."""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.test import AsyncClient
from django.utils import timezone

from interviews.choices import SessionStatus
from interviews.exports import cursors, responses
from interviews.exports.registry import TABLES
from interviews.exports.selection import Selection
from interviews.exports.tokens import new_token
from interviews.models import AccessRecord, Consent, ConsentText, ExportToken, Rating, Session
from interviews.turns.withdrawal import withdraw
from llm.concurrency.threads import in_database
from plans.models import Team
from tests.conftest import make_bot
from tests.factories import SessionFactory, talk
from tests.interviews.exports.reading import csv_rows, jsonl_rows, read

pytestmark = pytest.mark.django_db(transaction=True)
URL = "/api/exports/tables"
CONTACTS = ("contacts", "invited", "collected")
ADMIN = "/admin/interviews/exporttoken/"


def person(name: str, *rights: str, teams=()) -> User:
    user = User.objects.create_user(name, password="x", is_staff=True)
    given = ("export_session", "add_exporttoken", "view_exporttoken", "delete_exporttoken")
    user.user_permissions.set(Permission.objects.filter(codename__in=(*given, *rights)))
    user.teams.set(teams)
    return user


async def get(token: str, path: str = "", expect: int = 200, **asked):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    if etag := asked.pop("etag", ""):
        headers["If-None-Match"] = etag
    response = await AsyncClient().get(URL + path, asked, headers=headers)
    assert response.status_code == expect, response
    return response


def ids(response) -> list[str]:
    return list(dict.fromkeys(row["session_id"] for row in jsonl_rows(response.content)))


async def test_every_table_is_what_the_page_exports_and_is_on_record():
    def made():
        talk(SessionFactory(participant__name="Cassiopeia"), ["one", "=two"])
        user = person("ann", "view_participant")
        return new_token(user, "R script")[0], user, {name: read(name) for name in TABLES}

    token, user, expected = await in_database(made)
    offered = {table["name"]: table for table in (await get(token)).json()}
    assert set(offered) == {n for n, t in TABLES.items() if not t.right} | {"contacts"}
    assert [one["name"] for one in offered["sessions"]["columns"]] == TABLES["sessions"].header
    for name in TABLES:
        status = 200 if name in offered else 403
        response = await get(token, f"/{name}", status, format="csv")
        if status == 200:
            assert csv_rows(response.content) == expected[name]
        else:
            assert TABLES[name].right in response.json()["message"]
    records = await in_database(list, AccessRecord.objects.filter(what__startswith="Exported"))
    assert {record.user_id for record in records} == {user.pk}
    assert len(records) == len(offered)
    token_used = await in_database(ExportToken.objects.get)
    assert token_used.used_at is not None
    assert token not in token_used.digest


async def test_a_token_opens_what_its_user_may_export_and_no_more():
    def made():
        mine, other = (talk(SessionFactory(bot=make_bot(slug=slug)), ["x"]) for slug in "ab")
        team = Team.objects.create(name="Team")
        team.bots.add(mine.bot)
        return (
            mine,
            other,
            {
                "member": person("member", teams=[team]),
                "everybody": person("everybody"),
                "gone": person("gone"),
                "demoted": person("demoted"),
                "without tokens": person("without tokens"),
            },
        )

    mine, other, users = await in_database(made)
    tokens = {name: (await in_database(new_token, user, "x"))[0] for name, user in users.items()}
    assert ids(await get(tokens["everybody"], "/sessions")) == [str(mine.pk), str(other.pk)]
    assert ids(await get(tokens["member"], "/sessions")) == [str(mine.pk)]
    await get(tokens["member"], "/sessions", 404, bot="b")

    def lose() -> None:
        User.objects.filter(username="gone").update(is_active=False)
        for name, right in (("demoted", "export_session"), ("without tokens", "add_exporttoken")):
            users[name].user_permissions.remove(Permission.objects.get(codename=right))

    await in_database(lose)
    await get(tokens["gone"], "/sessions", 401)
    await get(tokens["demoted"], "/sessions", 403)
    await get(tokens["without tokens"], "/sessions", 403)
    await get(tokens["demoted"][:-1], "/sessions", 401)
    refused = await get("", "/sessions", 401)
    assert refused["WWW-Authenticate"] == "Bearer"
    assert refused.json()["error"] == "unauthorized"


@pytest.fixture
async def token() -> str:
    def made() -> str:
        return new_token(User.objects.create_superuser("root"), "x")[0]

    return await in_database(made)


@pytest.mark.parametrize(
    ("path", "asked", "status", "error"),
    [
        ("/nothing", {}, 404, "unknown_table"),
        ("/sessions", {"bot": "nobody"}, 404, "unknown_bot"),
        ("/sessions", {"sinc": "2026-03-01"}, 422, "bad_filter"),
        ("/sessions", {"since": "yesterday"}, 422, "bad_filter"),
        ("/sessions", {"since": "\0"}, 422, "bad_filter"),
        ("/sessions", {"since": "éé"}, 422, "bad_filter"),
        ("/sessions", {"format": "xlsx"}, 422, "invalid"),
        ("/sessions", {"limit": "0"}, 422, "invalid"),
        ("/sessions", {"limit": "many"}, 422, "invalid"),
        ("/sessions", {"status": "DONE"}, 422, "invalid"),
        ("/sessions", {"started_from": "2026-13-01"}, 422, "invalid"),
        ("/sessions", {"started_from": "2026-02-02", "started_until": "2026-02-01"}, 422, None),
        ("/sessions", {"language": "\0"}, 422, "invalid"),
        ("/sessions", {"bot": "\0"}, 422, "invalid"),
    ],
)
async def test_mistakes_are_told_as_json(token, path, asked, status, error):
    problem = (await get(token, path, status, **asked)).json()
    assert problem["error"] == (error or "bad_filter")
    assert problem["message"]
    assert not await in_database(AccessRecord.objects.filter(what__startswith="Exported").exists)


async def test_filters(token):
    def made():
        bot = make_bot()
        kinds = [{"language": "ru"}, {"status": "STOPPED"}, {"synthetic": True}, {"preview": True}]
        return bot, [str(SessionFactory(bot=bot, **kind).pk) for kind in kinds]

    bot, (russian, stopped, synthetic, preview) = await in_database(made)
    for asked, expected in (
        ({}, {russian, stopped}),
        ({"bot": bot.slug}, {russian, stopped}),
        ({"language": "ru"}, {russian}),
        ({"status": ["STOPPED"]}, {stopped}),
        ({"status": ["STOPPED", "COMPLETED"]}, {russian, stopped}),
        ({"synthetic": "true"}, {russian, stopped, synthetic}),
        ({"previews": "true"}, {russian, stopped, preview}),
        ({"started_until": "2026-02-28"}, set()),
        ({"started_until": "9999-12-31"}, {russian, stopped}),
        ({"started_from": "2026-02-28"}, {russian, stopped}),
    ):
        assert set(ids(await get(token, "/sessions", **asked))) == expected, asked


@pytest.mark.parametrize("plus", ["+", "%2B"])
@pytest.mark.parametrize("space", ["T", "%20", "+"])
async def test_a_time_has_its_time_zone_however_its_plus_was_sent(token, plus, space):
    def made() -> list[str]:
        sessions = [SessionFactory() for _ in range(2)]
        for session, hour in zip(sessions, (9, 11), strict=True):
            changed = datetime(2026, 3, 1, hour, tzinfo=UTC)
            Session.objects.filter(pk=session.pk).update(changed_at=changed)
        return [str(session.pk) for session in sessions]

    _, later = await in_database(made)
    asked = f"/sessions?since=2026-03-01{space}12:00{plus}02:00"  # 10:00 in UTC
    assert ids(await get(token, asked)) == [later]


async def test_pages_hold_every_interview_once_and_lead_to_what_changes(token, monkeypatch):
    def made() -> list[str]:
        bot = make_bot()
        started = timezone.now()  # two at the same moment
        pairs = [SessionFactory(bot=bot, started_at=started) for _ in range(2)]
        sessions = [*pairs, *(SessionFactory(bot=bot) for _ in range(5))]
        return [str(talk(one, ["a", "b"]).pk) for one in sessions]

    expected = await in_database(made)
    monkeypatch.setattr(cursors, "OVERLAP", timedelta())
    seen, cursor, more, pages = [], "", "true", 0
    while more == "true":
        response = await get(token, "/transcripts", since=cursor, limit=3)
        seen += ids(response)
        cursor, more, pages = response["Export-Cursor"], response["Export-More"], pages + 1
    assert sorted(seen) == sorted(expected)
    assert pages == 3
    assert ids(await get(token, "/transcripts", since=cursor)) == []
    await get(token, "/transcripts", 422, since=cursor, language="ru")
    await get(token, "/sessions", 422, since=cursor)
    changed = await in_database(Session.objects.get, pk=expected[2])
    await in_database(Rating.objects.create, session=changed, heard=5, at=timezone.now())
    later = await get(token, "/transcripts", since=cursor, limit=3)
    assert ids(later) == [expected[2]]
    assert ids(await get(token, "/transcripts", since=later["Export-Cursor"])) == []


async def test_what_was_not_stored_yet_when_an_export_began_comes_with_the_next(token):
    def made() -> list[str]:
        sessions = [str(SessionFactory().pk) for _ in range(2)]
        Session.objects.update(changed_at=timezone.now() - timedelta(hours=2))
        return sessions

    def stored_late() -> None:
        began = timezone.now() - timedelta(seconds=50)  # of its transaction
        Session.objects.filter(pk=late).update(changed_at=began)

    late, _ = await in_database(made)
    cursor = (await get(token, "/sessions"))["Export-Cursor"]
    await in_database(stored_late)
    assert ids(await get(token, "/sessions", since=cursor)) == [late]


async def test_withdrawn_interviews_and_refusals_are_changes(token):
    session = await in_database(lambda: talk(SessionFactory(), ["one"]))
    before = timezone.now()

    def happens() -> None:
        withdraw(Session.objects.get(pk=session.pk))
        text = ConsentText.objects.create(digest="d" * 64, language="en", text="Yes?")
        Consent.objects.create(bot=session.bot, text=text, decision="declined", at=timezone.now())

    await in_database(happens)
    since = before.isoformat()
    (row,) = jsonl_rows((await get(token, "/sessions", since=since)).content)
    assert row["status"] == SessionStatus.WITHDRAWN
    assert ids(await get(token, "/transcripts", since=since)) == []
    declined = await get(token, "/consents", since=since, limit=1)
    assert [row["decision"] for row in jsonl_rows(declined.content)] == ["declined"]
    later = (timezone.now() + timedelta(minutes=1)).isoformat()
    assert jsonl_rows((await get(token, "/consents", since=later)).content) == []


async def test_a_withdrawal_is_a_change_whatever_the_statuses(token):
    asked = {"status": ["COMPLETED", "STOPPED"], "limit": 1}
    session = await in_database(lambda: talk(SessionFactory(), ["one"]))
    first = await get(token, "/sessions", **asked)
    await in_database(lambda: withdraw(Session.objects.get(pk=session.pk)))
    await in_database(lambda: SessionFactory(status="PAUSED", bot=session.bot))
    changes = await get(token, "/sessions", since=first["Export-Cursor"], **asked)
    assert [row["status"] for row in jsonl_rows(changes.content)] == ["WITHDRAWN"]
    assert jsonl_rows((await get(token, "/sessions", **asked)).content) == []


async def test_nothing_new_is_304_and_long_answers_are_streamed(token, monkeypatch):
    session = await in_database(lambda: talk(SessionFactory(), ["one"]))
    etag = (await get(token, "/transcripts"))["ETag"]
    records = AccessRecord.objects.filter(what__startswith="Exported")
    unchanged = await get(token, "/transcripts", 304, etag=etag)
    assert not unchanged.content
    assert await in_database(records.count) == 1
    await in_database(talk, session, ["two"])
    assert (await get(token, "/transcripts", etag=etag))["ETag"] != etag
    whole = await get(token, "/transcripts")
    monkeypatch.setattr(responses, "WITH_ETAG", 10)
    long = await get(token, "/transcripts", etag=etag)
    assert long.streaming
    assert "ETag" not in long
    assert b"".join([chunk async for chunk in long.streaming_content]) == whole.content


async def test_too_many_exports_wait(token, settings):
    settings.LIMIT_EXPORTS = "1/minute"
    await get(token)
    refused = await get(token, "/sessions", 429)
    assert int(refused["Retry-After"]) > 0


async def test_it_is_documented():
    api = (await AsyncClient().get("/api/openapi.json")).json()
    described = api["paths"]["/api/exports/tables/{name}"]["get"]
    assert {"since", "limit", "bot", "status", "synthetic"} <= {
        one["name"] for one in described["parameters"]
    }
    assert "text/csv" in described["responses"]["200"]["content"]
    (scheme,) = (name for one in described["security"] for name in one)
    assert api["components"]["securitySchemes"][scheme] == {"type": "http", "scheme": "bearer"}
    assert json.dumps(described)
    exports = [one for path, one in api["paths"].items() if path.startswith("/api/exports")]
    operations = [operation for methods in exports for operation in methods.values()]
    assert len(operations) == 5
    assert all("401" in one["responses"] for one in operations)


def test_tokens_are_made_shown_once_and_revoked_in_the_admin(client):
    ann, bob = person("ann"), person("bob")
    new_token(bob, "Bob’s")
    client.force_login(ann)
    form = client.get(f"{ADMIN}add/").content.decode()
    buttons = re.findall(r'<button[^>]*form="exporttoken_form"[^>]*>\s*([^<]*\w)\s*<', form)
    assert buttons == ["Make token"]
    assert "shown once" in form
    page = client.post(f"{ADMIN}add/", {"name": "R <b>"}, follow=True).content.decode()
    made = ExportToken.objects.get(user=ann)
    assert "export_" in page
    assert "<b>" not in page.partition("export_")[2][:400] or "R &lt;b&gt;" in page
    again = client.get(ADMIN).content.decode()
    assert "export_" not in again.replace("export_session", "")
    assert "Bob’s" not in again
    bobs = ExportToken.objects.get(user=bob)
    assert client.post(f"{ADMIN}{bobs.pk}/delete/", {"post": "yes"}).status_code in (302, 404)
    client.post(f"{ADMIN}{made.pk}/delete/", {"post": "yes"})
    assert list(ExportToken.objects.all()) == [bobs]
    said = list(AccessRecord.objects.filter(user=ann).order_by("pk").values_list("what", flat=True))
    assert said == ["Made the export token “R <b>”.", "Revoked the export token “R <b>” of ann."]
    ann.user_permissions.remove(Permission.objects.get(codename="export_session"))
    assert client.get(f"{ADMIN}add/").status_code == 403


@pytest.mark.parametrize("since", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
async def test_a_time_outside_the_calendar_is_no_time(since):
    token, _ = await in_database(lambda: new_token(person("ann"), "x"))
    told = await get(token, "/sessions", 422, since=since)
    assert told.json()["error"] == "bad_filter"
    at = datetime.fromisoformat(since)
    for odd in (cursors.Cursor(at), cursors.Cursor(after=(at, cursors.NOBODY))):
        cursor = cursors.encode(odd, TABLES["sessions"], Selection())
        await get(token, "/sessions", 422, since=cursor)
    body, headers = {"table": "sessions", "since": since}, {"Authorization": f"Bearer {token}"}
    told = await AsyncClient().post("/api/exports", body, "application/json", headers=headers)
    assert (told.status_code, told.json()["error"]) == (422, "bad_filter")
