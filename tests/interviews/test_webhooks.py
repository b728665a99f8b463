"""Webhooks: who is told of what, how it is signed and retried, and that none leads inside."""

import base64
import hashlib
import hmac
import json
import re
import socket
import threading
import uuid
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from django.contrib.auth.models import Permission, User
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from interviews.models import Session, Webhook, WebhookDelivery
from interviews.security.key_rotation import SEALED
from interviews.security.sealing import seal, unseal
from interviews.tasks import deliver_webhook
from interviews.turns import actions
from interviews.turns.withdrawal import withdraw
from interviews.webhooks import delivery, tell_of_session
from interviews.webhooks.delivery import BadAddress, checked
from llm.concurrency.threads import in_database
from plans import jobs
from plans.admin.base import moment
from plans.models import Team
from tests.conftest import make_bot
from tests.factories import SessionFactory
from tests.interviews.talk import begin
from tests.pages import markup
from tests.test_roles import member

pytestmark = pytest.mark.django_db(transaction=True)
ADMIN = "/admin/interviews/webhook/"
LOG = "/admin/interviews/webhookdelivery/"
SECRET = delivery.new_secret()
DISTRESS = "I want to kill myself. I have a plan for tonight."


class Receiver:
    """A server that keeps what it is sent and answers as it is told."""

    def __init__(self) -> None:
        self.calls: list[tuple[dict[str, str], bytes]] = []
        self.answers: list[int] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                sent = {name.lower(): value for name, value in self.headers.items()}
                receiver.calls.append((sent, body))
                self.send_response(receiver.answers.pop(0) if receiver.answers else 204)
                self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, *args: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://localhost:{self.server.server_port}/hook?a=b"
        self.thread = threading.Thread(target=self.server.serve_forever, args=[0.01], daemon=True)
        self.thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def receiver(settings):
    settings.WEBHOOKS_PRIVATE = True
    made = Receiver()
    yield made
    made.close()


def owner(name: str = "ann", *teams: Team) -> User:
    user = User.objects.create_user(name, password="x", is_staff=True)
    names = [f"{verb}_webhook" for verb in ("add", "change", "view", "delete")]
    user.user_permissions.set(
        Permission.objects.filter(codename__in=[*names, "view_webhookdelivery", "export_session"])
    )
    user.teams.set(teams)
    return user


def hook(url: str = "https://example.org/", user=None, events=None, **fields) -> Webhook:
    return Webhook.objects.create(
        user=user or owner(),
        name="Ours",
        url=url,
        events=list(Webhook.Event) if events is None else events,
        secret=seal(SECRET),
        **fields,
    )


def deliver() -> list[WebhookDelivery]:
    WebhookDelivery.objects.update(claimed_until=None)
    for row in WebhookDelivery.objects.order_by("pk"):
        delivery.deliver(row.pk)
    return list(WebhookDelivery.objects.order_by("pk"))


def events() -> list[str]:
    return list(WebhookDelivery.objects.order_by("pk").values_list("event", flat=True))


async def test_an_interview_is_told_of_from_its_beginning_to_its_end(bot, receiver, client):
    await in_database(hook, receiver.url)
    talk = await begin(bot)
    await talk.say(DISTRESS)
    await actions.end(await talk.session(), "bye")
    session = await talk.session()
    await in_database(withdraw, session)
    assert await in_database(events) == [
        *("interview.begun", "interview.flagged", "interview.stopped", "interview.withdrawn")
    ]
    assert {row.status for row in await in_database(deliver)} == {"ready"}
    told = [json.loads(body)["data"] for _, body in receiver.calls]
    assert {one["session_id"] for one in told} == {str(session.pk)}
    assert [one["status"] for one in told][2:] == ["STOPPED", "WITHDRAWN"]
    assert all(DISTRESS.encode() not in body for _, body in receiver.calls)


async def test_a_whole_interview_is_completed(bot):
    await in_database(hook, events=["interview.completed"])
    talk = await begin(bot)
    for number in range(20):
        if not (await talk.session()).is_active:
            break
        await talk.say(f"We lived over a bakery in Riga, the five of us in {number} rooms.")
    assert await in_database(events) == ["interview.completed"]


def test_every_call_is_signed_and_can_be_checked(receiver):
    hook(receiver.url)
    tell_of_session(Webhook.Event.BEGUN, SessionFactory())
    (row,) = deliver()
    (headers, body) = receiver.calls[0]
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"
    assert headers["webhook-id"] == str(row.key)
    assert abs(int(headers["webhook-timestamp"]) - timezone.now().timestamp()) < 60
    assert headers["host"] == receiver.url.split("/")[2]
    assert json.loads(body)["type"] == "interview.begun"
    assert (row.status, row.content) == ("ready", {"status": 204})


def test_what_fails_is_tried_again_and_given_up_at_last(receiver):
    hook(receiver.url)
    tell_of_session(Webhook.Event.BEGUN, SessionFactory())
    receiver.answers = [500, 302, 200]
    for reason in ("The address answered 500.", "The address answered 302."):
        (row,) = deliver()
        assert (row.status, row.reason) == ("pending", reason)
    assert deliver()[0].status == "ready"
    keys = {headers["webhook-id"] for headers, _ in receiver.calls}
    assert len(keys) == 1
    assert len(receiver.calls) == 3  # no redirect is followed
    tell_of_session(Webhook.Event.BEGUN, SessionFactory())
    receiver.answers = [410]
    assert deliver()[-1].status == "failed"
    tell_of_session(Webhook.Event.BEGUN, SessionFactory())
    receiver.answers = [500] * delivery.MOST_ATTEMPTS
    for _ in range(delivery.MOST_ATTEMPTS):
        last = deliver()[-1]
    assert (last.status, last.attempts) == ("failed", delivery.MOST_ATTEMPTS)
    receiver.close = lambda: None
    receiver.server.shutdown()
    receiver.server.server_close()
    tell_of_session(Webhook.Event.BEGUN, SessionFactory())
    assert deliver()[-1].reason == "The address can’t be reached: ConnectError."


@pytest.mark.parametrize(
    ("url", "found", "why"),
    [
        ("https://hooks.example.org/x", ["93.184.216.34"], ""),
        ("https://hooks.example.org/x", ["2606:2800:220:1::1"], ""),
        ("https://hooks.example.org/x", ["64:ff9b::93.184.216.34"], ""),
        ("http://hooks.example.org/x", ["93.184.216.34"], "must begin with https"),
        ("https://user:pass@hooks.example.org/", ["93.184.216.34"], "contain no password"),
        ("ftp://hooks.example.org/", ["93.184.216.34"], "must begin with https"),
        ("https://hooks.example.org:99999/", [], "no web address"),
        ("https:///x", [], "must begin with https"),
        ("https://nobody.example.org/", [], "no server named"),
        *(
            ("https://hooks.example.org/", ["93.184.216.34", inside], "private network")
            for inside in (
                *("127.0.0.1", "10.0.0.1", "192.168.1.1", "172.16.0.1", "169.254.169.254"),
                *("0.0.0.0", "100.64.0.1", "224.0.0.1", "::1", "fe80::1%eth0", "fd00::1"),
                *("::ffff:127.0.0.1", "::", "64:ff9b::10.0.0.1", "fec0::1"),
            )
        ),
    ],
)
def test_addresses(monkeypatch, settings, url, found, why):
    settings.WEBHOOKS_PRIVATE = False

    def resolve(host, port, **kinds):
        if not found:
            raise socket.gaierror
        return [(None, None, None, "", (ip, port)) for ip in found]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    if why:
        with pytest.raises(BadAddress, match=why):
            checked(url)
    else:
        assert checked(url)[3] == found[0]


def test_an_address_that_moves_inside_gets_nothing(receiver, settings):
    hook(receiver.url.replace("http:", "https:"))
    tell_of_session(Webhook.Event.BEGUN, SessionFactory())
    settings.WEBHOOKS_PRIVATE = False
    (row,) = deliver()
    assert "private network" in row.reason
    assert receiver.calls == []


def test_a_name_is_looked_up_once_and_in_the_letters_of_dns(receiver, monkeypatch):
    """Asked again, or by a proxy, it might stand for an address inside."""
    port, asked, real = receiver.server.server_port, [], socket.getaddrinfo

    def resolve(host, *rest, **kinds):
        if host != "xn--mnchen-3ya.example":
            return real(host, *rest, **kinds)
        asked.append(host)
        return [(None, None, None, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    hook(f"http://münchen.example:{port}/hook")
    tell_of_session(Webhook.Event.BEGUN, SessionFactory())
    (row,) = deliver()
    assert (row.status, row.reason) == ("ready", "")
    assert receiver.calls[0][0]["host"] == f"xn--mnchen-3ya.example:{port}"
    assert len(asked) == 1


@pytest.mark.parametrize("lost", ["right", "account", "webhook"])
def test_what_still_waits_isn_t_sent_to_who_has_lost(receiver, lost):
    user = owner()
    made = hook(receiver.url, user=user)
    tell_of_session(Webhook.Event.BEGUN, SessionFactory())
    if lost == "right":
        user.user_permissions.clear()
    else:
        row = user if lost == "account" else made
        row.is_active = False
        row.save()
    assert deliver() == []
    assert receiver.calls == []


def test_only_who_may_see_an_interview_is_told_of_it():
    mine, other = make_bot(slug="mine"), make_bot(slug="other")
    team = Team.objects.create(name="Team")
    team.bots.add(mine)
    hook(user=owner("everybody"))
    hook(user=owner("member", team))
    hook(user=owner("one bot"), bot=other)
    hook(user=owner("off"), is_active=False)
    hook(user=owner("no events"), events=[])
    demoted = owner("demoted")
    hook(user=demoted)
    demoted.user_permissions.clear()

    def told(bot, **fields) -> set[str]:
        WebhookDelivery.objects.all().delete()
        tell_of_session(Webhook.Event.BEGUN, SessionFactory(bot=bot, **fields))
        return {row.webhook.user.username for row in WebhookDelivery.objects.all()}

    assert told(mine) == {"everybody", "member"}
    assert told(other) == {"everybody", "one bot"}
    assert told(mine, synthetic=True) == told(mine, preview=True) == set()


def test_exports_are_told_with_their_record(client, admin_user):
    bot, team = make_bot(slug="mine"), Team.objects.create(name="Team")
    hook(user=owner("everybody"))
    hook(user=owner("member", team))
    client.force_login(admin_user)
    page = "/admin/interviews/session/export/"
    for asked in ({}, {"bot": "mine"}):
        client.post(page, {"table": "sessions", "format": "csv", **asked})
    users = [row.webhook.user.username for row in WebhookDelivery.objects.all()]
    assert users == ["everybody", "everybody"]
    team.bots.add(bot)
    client.post(page, {"table": "sessions", "format": "csv", "bot": "mine"})
    assert WebhookDelivery.objects.filter(webhook__user__username="member").count() == 1
    data = WebhookDelivery.objects.latest("pk").data
    assert (data["table"], data["bot"], data["by"]) == ("sessions", "mine", "admin")


def test_an_event_that_is_rolled_back_was_never_told(bot):
    hook()
    with pytest.raises(RuntimeError), transaction.atomic():
        tell_of_session(Webhook.Event.BEGUN, SessionFactory(bot=bot))
        raise RuntimeError
    assert events() == []


def test_webhooks_are_made_tested_and_read_in_the_admin(client, receiver):
    ann, bob = owner(), owner("bob")
    hook(user=bob)
    tell_of_session(Webhook.Event.BEGUN, SessionFactory())
    client.force_login(ann)
    form = {"name": "New", "url": receiver.url, "events": ["interview.begun"], "is_active": "on"}
    assert (
        b"no server named"
        in client.post(f"{ADMIN}add/", form | {"url": "https://no.invalid/"}).content
    )
    page = client.post(f"{ADMIN}add/", form, follow=True).content.decode()
    secret = re.search(r"whsec_[\w+/=]+", page)[0]
    made = Webhook.objects.get(user=ann)
    assert unseal(made.secret) == secret
    assert secret not in made.secret
    assert (Webhook, "secret") in SEALED
    listed = client.get(ADMIN).content.decode()
    assert "whsec_" not in listed
    assert "Ours" not in listed  # Bob's
    changed = client.post(f"{ADMIN}{made.pk}/change/", form | {"name": "Newer"}, follow=True)
    assert "whsec_" not in changed.content.decode()
    made.refresh_from_db()
    assert (made.name, unseal(made.secret)) == ("Newer", secret)
    client.get(reverse("admin:interviews_webhook_send_test", args=[made.pk]))
    row = WebhookDelivery.objects.get(webhook=made)
    receiver.answers = [410]
    delivery.deliver(row.pk)
    log = client.get(LOG).content.decode()
    assert "it wants no more" in log
    assert "Ours" not in log
    again = {"action": "send_now", "_selected_action": [row.pk]}
    client.post(LOG, again)
    delivery.deliver(row.pk)
    row.refresh_from_db()
    assert (row.status, row.content) == ("ready", {"status": 204})
    assert client.get(f"{LOG}{row.pk}/change/").status_code == 200


def test_one_that_is_not_active_promises_no_test(client, admin_user):
    off = hook(user=admin_user, is_active=False)
    client.force_login(admin_user)
    test = reverse("admin:interviews_webhook_send_test", args=[off.pk])
    page = client.get(test, follow=True).content.decode()
    assert "on its way" not in page
    assert "Make it active first" in page
    assert not WebhookDelivery.objects.exists()


def test_what_waits_for_its_next_attempt_can_be_sent_at_once(client, receiver, admin_user):
    hook(url=receiver.url)
    tell_of_session(Webhook.Event.BEGUN, SessionFactory())
    row = WebhookDelivery.objects.get()
    receiver.answers = [500]
    delivery.deliver(row.pk)
    delivery.deliver(row.pk)  # not before its time
    row.refresh_from_db()
    assert (row.status, len(receiver.calls)) == ("pending", 1)
    client.force_login(admin_user)
    now = {"action": "send_now", "_selected_action": [row.pk]}
    assert "1 being sent now." in client.post(LOG, now, follow=True).content.decode()
    delivery.deliver(row.pk)
    row.refresh_from_db()
    assert (row.status, len(receiver.calls)) == ("ready", 2)


def test_what_is_being_sent_is_left_alone(client, admin_user):
    hook()
    tell_of_session(Webhook.Event.BEGUN, SessionFactory())
    running = {"status": "running", "claim": uuid.uuid4(), "attempts": 1}
    WebhookDelivery.objects.update(**running)
    row = WebhookDelivery.objects.get()
    client.force_login(admin_user)
    now = {"action": "send_now", "_selected_action": [row.pk]}
    assert "being sent already" in client.post(LOG, now, follow=True).content.decode()
    assert WebhookDelivery.objects.filter(**running).exists()


@pytest.mark.parametrize("status", ["pending", "ready"])
def test_a_delivery_that_waits_says_when_it_is_tried_next(client, admin_user, status):
    hook()
    tell_of_session(Webhook.Event.BEGUN, SessionFactory())
    at = datetime(2031, 5, 6, 7, 8, tzinfo=UTC)
    WebhookDelivery.objects.update(status=status, attempts=1, claimed_until=at)
    client.force_login(admin_user)
    row = WebhookDelivery.objects.get()
    for page in (LOG, f"{LOG}{row.pk}/change/"):
        text = markup(client.get(page))
        assert "Next attempt" in text
        assert (moment(at) in text) == (status == "pending")


def test_old_deliveries_are_removed():
    hook()
    for _ in range(2):
        tell_of_session(Webhook.Event.BEGUN, SessionFactory())
    old, new = WebhookDelivery.objects.order_by("pk")
    past = timezone.now() - timedelta(days=31)
    WebhookDelivery.objects.filter(pk=old.pk).update(created_at=past, status="failed")
    delivery.sweep()
    assert list(WebhookDelivery.objects.all()) == [new]
    assert Session.objects.count() == 2


def test_a_member_sees_and_stops_their_webhook_for_all_bots(client):
    team = Team.objects.create(name="Ours")
    team.bots.add(make_bot(slug="ours"))
    user = member("Owner", team)
    hook = Webhook.objects.create(
        user=user,
        name="All of ours",
        url="https://example.org/",
        events=[Webhook.Event.BEGUN],
        secret=seal("x"),
    )
    client.force_login(user)
    url = f"{ADMIN}{hook.pk}/"
    assert client.get(f"{url}change/").status_code == 200
    client.post(f"{url}delete/", {"post": "yes"})
    assert not Webhook.objects.exists()


@pytest.fixture
def trickling(settings):
    """The address of a server that sends one letter of a header after the other, without end."""
    settings.WEBHOOKS_PRIVATE = True
    over = threading.Event()

    def trickle() -> None:
        with suppress(OSError):
            taken, _ = server.accept()
            with taken:
                taken.sendall(b"HTTP/1.1 200 OK\r\nslow: ")
                while not over.wait(0.02):
                    taken.sendall(b"x")

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=trickle, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"
        over.set()
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def test_an_answer_that_trickles_is_given_up(trickling, monkeypatch):
    monkeypatch.setattr(delivery, "TIMEOUT", 0.5)
    hook(url=trickling)
    tell_of_session(Webhook.Event.BEGUN, SessionFactory())
    assert "didn’t answer within" in deliver()[0].reason


def test_a_worker_waits_for_no_address(trickling, monkeypatch):
    begun, ended = threading.Event(), threading.Event()

    def wait(row):
        begun.set()
        ended.wait()
        return {"content": {"status": 200}}

    monkeypatch.setattr(delivery, "_job_type", replace(delivery._job_type, make=wait))
    hook(url=trickling)
    tell_of_session(Webhook.Event.BEGUN, SessionFactory())
    row = WebhookDelivery.objects.get()
    deliver_webhook(row.pk)  # returns
    begun.wait()
    row.refresh_from_db()
    assert row.status == "running"
    ended.set()
    done = threading.Event()
    jobs._thread_queue("WebhookDelivery").put(done.set)
    done.wait()
    row.refresh_from_db()
    assert row.status == "ready"
