"""What comes too often is refused kindly, on every way in, and nothing is stored for it."""

import asyncio
import json
import time
import uuid
from collections.abc import Callable, Iterator

import pytest
from channels.testing import WebsocketCommunicator
from django.test import AsyncClient, Client
from twisted.internet.address import IPv4Address
from twisted.internet.error import ConnectionAborted
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure
from twisted.web.http import Request

from interviews.models import Session, TranscriptEntry, Turn
from interviews.participant.routing import websockets
from interviews.security import access
from interviews.security.ratelimits import connections, counters, limits
from interviews.turns import actions, events
from interviews.validation import RequestRefused
from interviewsite import checks
from interviewsite.http import accounts
from interviewsite.http.connections import BODY, HEADERS, HTTPConnection, _waiting, most_waiting
from llm.concurrency.threads import in_database
from llm.routing import load, slots
from tests.interviews.talk import begin
from tests.interviews.test_views import HTMX, answered, at
from tests.pages import markup
from tests.requirements import need_redis
from tests.services.sites import Redis
from tests.services.worlds import ended

pytestmark = pytest.mark.django_db(transaction=True)
ANSWER = "We lived over a bakery in a small town by the sea, and it was always warm."


async def count(model) -> int:
    return await in_database(model.objects.count)


# -- a full machine


@pytest.fixture(params=["late", "queue"])
def full(request, settings, monkeypatch) -> None:
    monkeypatch.setattr(load, "_late", 2.0 if request.param == "late" else 0.0)
    monkeypatch.setattr(slots, "_waiting", settings.LLM_CONCURRENCY * (request.param == "queue"))


async def test_a_new_interview_is_asked_to_wait(bot, full):
    page = await AsyncClient().post(f"/i/{bot.slug}/", {"name": "Ann"})
    assert page.status_code == 503
    assert page.headers["Retry-After"] == "60"
    assert "Please try again in a minute." in markup(page)
    assert 'value="Ann"' in markup(page)
    assert await count(Session) == 0


async def test_who_is_in_an_interview_goes_on(bot, full, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(load, "is_full", lambda: False)
        talk = await begin(bot)
    await talk.say(ANSWER)


async def test_the_loop_is_watched(monkeypatch):
    monkeypatch.setattr(load, "EVERY", 0.01)
    monkeypatch.setattr(load, "_late", 0.0)
    watching = asyncio.create_task(load.watch())
    await asyncio.sleep(0)
    time.sleep(0.3)  # noqa: ASYNC251  that is what makes it late
    await asyncio.sleep(0.05)
    assert load.seconds_late() > 0.1
    watching.cancel()


# -- counting


def test_so_many_and_no_more_until_the_window_is_over(settings, monkeypatch):
    settings.LIMIT_ANSWERS = "2/minute; 3/hour"
    now = [1_000_000.0]
    monkeypatch.setattr("time.time", lambda: now[0])
    assert [limits.take(limits.ANSWERS, "a") for _ in range(4)] == [0, 0, 60, 60]
    assert limits.take(limits.ANSWERS, "b") == 0
    now[0] += 61
    assert limits.wait(limits.ANSWERS, "a") == 0
    assert limits.take(limits.ANSWERS, "a") == 0  # what was refused doesn't count in the hour
    assert limits.take(limits.ANSWERS, "a") == 3600 - 61
    now[0] += 3600
    assert limits.take(limits.ANSWERS, "a") == 0


def test_asking_doesn_t_count(settings):
    settings.LIMIT_LOGINS = "1/minute"
    assert [limits.wait(limits.LOGINS, "a") for _ in range(3)] == [0, 0, 0]
    limits.take(limits.LOGINS, "a")
    assert limits.wait(limits.LOGINS, "a") > 0


def test_no_limit_is_no_limit(settings):
    settings.LIMIT_POSTS = ""
    assert {limits.take(limits.POSTS, "a") for _ in range(5_000)} == {0}


def test_memory_has_room_for_so_many_counters_and_no_more(monkeypatch):
    monkeypatch.setattr(counters, "MOST", 100)
    memory = counters.CounterStore()
    for number in range(10_000):
        memory.incr(f"address {number}", 60)
    assert memory.reset() == 100
    assert memory.get("address 9999") == 0


def test_counters_of_a_window_that_is_over_are_gone(monkeypatch):
    now = [5.0]
    monkeypatch.setattr("time.time", lambda: now[0])
    memory = counters.CounterStore()
    assert [memory.incr("a", 10), memory.incr("a", 10)] == [1, 2]
    now[0] = 15.0
    assert (memory.get("a"), memory.get_expiry("a")) == (0, 15.0)
    assert memory.incr("a", 10) == 1


@pytest.mark.redis
def test_processes_share_one_count_in_redis(settings, redis_url):
    settings.REDIS_URL, settings.LIMIT_STARTS = redis_url, "3/hour"
    assert [limits.take(limits.STARTS, "a") for _ in range(2)] == [0, 0]
    limits._limiter.cache_clear()  # as another process, which remembers nothing
    assert limits.take(limits.STARTS, "a") == 0
    assert 3_500 < limits.take(limits.STARTS, "a") <= 3_600


def test_while_redis_is_away_interviews_go_on(settings, caplog, monkeypatch):
    settings.REDIS_URL, settings.LIMIT_STARTS = "redis://127.0.0.1:1/0", "1/hour"
    assert [limits.take(limits.STARTS, "a") for _ in range(50)] == [0] * 50
    monkeypatch.setattr(limits, "RESTS", 0.0)
    limits.take(limits.STARTS, "a")
    assert (
        len([one for one in caplog.records if one.name == "interviews.security.ratelimits.limits"])
        == 1
    )


@pytest.fixture
def redis_url(tmp_path):
    """A Redis of this test's own."""
    need_redis()
    redis = Redis(tmp_path)
    with ended(redis):
        redis.start()
        yield redis.url


# -- answers of one interview


async def test_answers_too_quick_for_a_person_are_refused_and_leave_nothing(bot, settings):
    settings.LIMIT_ANSWERS = "2/minute"
    talk = await begin(bot)
    await talk.say(ANSWER)
    await talk.say(ANSWER)
    before = await count(Turn), await count(TranscriptEntry)
    with pytest.raises(RequestRefused) as refused:
        await talk.say(ANSWER)
    assert (refused.value.code, refused.value.status) == ("too_many", 429)
    assert 0 < refused.value.retry_after <= 60
    assert (await count(Turn), await count(TranscriptEntry)) == before


async def test_the_same_answer_again_is_no_second_one(bot, settings):
    settings.LIMIT_ANSWERS = "1/minute"
    talk = await begin(bot)
    await talk.say(ANSWER, message_id="once")
    session = await talk.session()
    first = await actions.receive(session, ANSWER, "once", answering=2)
    assert await actions.receive(session, ANSWER, "once", answering=2) == first


async def test_one_interview_s_haste_is_no_other_s(bot, settings):
    settings.LIMIT_ANSWERS = "1/minute"
    one, other = await begin(bot), await begin(bot, name="Bo")
    await one.say(ANSWER)
    await other.say(ANSWER)


async def test_programs_of_the_site_s_own_may_be_quick(bot, settings):
    settings.LIMIT_ANSWERS = settings.LIMIT_STARTS = "1/minute"
    for _ in range(2):
        talk = await begin(bot, synthetic=True)
        await talk.say(ANSWER)
        await talk.say(ANSWER)


async def test_the_page_keeps_the_words_and_says_when(bot, settings):
    settings.LIMIT_ANSWERS = "1/minute"
    talk = await begin(bot)
    client = talk.browser()
    await talk.say(ANSWER)
    form = {"text": ANSWER, "message_id": uuid.uuid4().hex}
    plain = await client.post(at(talk, "answer/"), form)
    assert plain.status_code == 429
    assert 0 < int(plain["Retry-After"]) <= 60
    assert ANSWER in markup(plain).split("<textarea")[1]
    scripted = await answered(client, talk, answering="4")
    assert scripted.status_code == 429
    assert scripted["Retry-After"]


async def test_the_api_says_when(bot, settings):
    settings.LIMIT_ANSWERS = "1/minute"
    talk = await begin(bot)
    await talk.say(ANSWER)
    for accept in ("application/json", "text/event-stream"):
        body = {"session_id": str(talk.session_id), "answer": ANSWER}
        headers = {"Authorization": f"Bearer {talk.token}", "Accept": accept}
        reply = await post_json("/api/chat", body, headers)
        assert reply.status_code == 429
        assert reply.json()["error"] == "too_many"
        assert 0 < int(reply["Retry-After"]) <= 60


async def post_json(path: str, body: dict, headers: dict | None = None, **more):
    return await AsyncClient().post(
        path, json.dumps(body), content_type="application/json", headers=headers or {}, **more
    )


# -- from one address


async def test_starts_from_one_address_by_page_and_api_count_together(bot, settings):
    settings.LIMIT_STARTS = "2/hour"
    page = await AsyncClient().post(f"/i/{bot.slug}/", {"name": "Ann"})
    api = await post_json("/api/chat/start", {"bot": bot.slug})
    assert (page.status_code, api.status_code) == (303, 200)
    page = await AsyncClient().post(f"/i/{bot.slug}/", {"name": "Ann"})
    api = await post_json("/api/chat/start", {"bot": bot.slug})
    assert (page.status_code, api.status_code) == (429, 429)
    assert "Please wait a moment" in page.content.decode()
    assert await count(Session) == 2


@pytest.mark.parametrize("proxies", [0, 1])
async def test_a_spoofed_header_changes_nothing(bot, settings, proxies):
    settings.LIMIT_STARTS, settings.TRUSTED_PROXIES = "2/hour", proxies
    found = []
    for number in range(4):
        spoofed = f"198.51.100.{number}"
        headers = {"X-Forwarded-For": f"{spoofed}, 203.0.113.9" if proxies else spoofed}
        found.append((await post_json("/api/chat/start", {"bot": bot.slug}, headers)).status_code)
    assert found == [200, 200, 429, 429]


async def test_two_people_behind_one_proxy_are_two(bot, settings):
    settings.LIMIT_STARTS, settings.TRUSTED_PROXIES = "1/hour", 1
    for number in range(3):
        headers = {"X-Forwarded-For": f"203.0.113.{number}"}
        reply = await post_json("/api/chat/start", {"bot": bot.slug}, headers)
        assert reply.status_code == 200


async def test_a_link_that_is_spread_too_far_can_have_an_end(bot, settings):
    settings.LIMIT_LINK_STARTS, settings.TRUSTED_PROXIES = "2/day", 1
    found = []
    for number in range(3):
        headers = {"X-Forwarded-For": f"203.0.113.{number}"}
        found.append((await post_json("/api/chat/start", {"bot": bot.slug}, headers)).status_code)
    assert found == [200, 200, 429]


async def test_a_flood_is_refused_before_anything_is_read(bot, settings, monkeypatch):
    settings.LIMIT_POSTS = "1/minute"
    talk = await begin(bot)
    client = talk.browser()
    assert (await client.post(at(talk, "pause/"))).status_code == 303

    async def never(*given):
        raise AssertionError("a session was read")

    monkeypatch.setattr(access, "session_for", never)
    page = await client.post(at(talk, "answer/"), {"text": "What I <wrote>"})
    assert page.status_code == 429
    assert int(page["Retry-After"]) > 0
    assert "What I &lt;wrote&gt;" in page.content.decode()
    assert "default-src" in page["Content-Security-Policy"]
    scripted = await client.post(at(talk, "answer/"), {"text": ANSWER}, headers=HTMX)
    assert (scripted.status_code, scripted.content) == (429, b"")
    problem = await post_json("/api/chat/start", {"bot": bot.slug})
    assert (problem.status_code, problem.json()["error"]) == (429, "too_many")
    assert set(problem.json()) == {"error", "message", "details"}


async def test_looking_is_never_refused(bot, settings):
    settings.LIMIT_POSTS = "1/minute"
    talk = await begin(bot)
    client = talk.browser()
    for _ in range(5):
        assert (await client.get(at(talk))).status_code == 200


async def test_wrong_keys_end_for_a_while_and_answers_go_on(bot, settings):
    settings.LIMIT_WRONG_KEYS = "2/hour"
    talk = await begin(bot)
    guesses = [await AsyncClient().post(at(talk, "enter/"), {"key": str(n)}) for n in range(4)]
    assert [guess.status_code for guess in guesses] == [404, 404, 429, 429]
    other_way = await AsyncClient().post("/s/enter/", {"link": f"{at(talk)}#key=x"})
    assert other_way.status_code == 429
    assert (await answered(talk.browser(), talk)).status_code == 200


async def test_right_keys_are_not_counted(bot, settings):
    settings.LIMIT_WRONG_KEYS = "1/hour"
    talk = await begin(bot)
    for _ in range(3):
        entered = await AsyncClient().post(at(talk, "enter/"), {"key": talk.token})
        assert entered.status_code == 303


# -- the admin's door


def test_wrong_passwords_end_for_a_while_only_there(settings, admin_user):
    settings.LIMIT_LOGINS = "2/10 minutes"
    form = {"username": "admin", "password": "wrong"}
    found = [Client().post("/admin/login/", form).status_code for _ in range(3)]
    assert found == [200, 200, 429]
    right = {"username": "admin", "password": "password"}
    refused = Client().post("/admin/login/", right)
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) <= 600
    assert "10 minutes" in refused.content.decode()
    elsewhere = Client(REMOTE_ADDR="203.0.113.5").post("/admin/login/", right)
    assert elsewhere.status_code == 302


def test_right_passwords_are_not_counted(settings, admin_user):
    settings.LIMIT_LOGINS = "1/10 minutes"
    for _ in range(3):
        form = {"username": "admin", "password": "password"}
        assert Client().post("/admin/login/", form).status_code == 302


GUESSED = "Many wrong passwords were tried for your account"
RIGHT = {"username": "admin", "password": "password"}


def places() -> Iterator[Client]:
    return (Client(REMOTE_ADDR=f"203.0.113.{number}") for number in range(1, 250))


@pytest.fixture
def pass_time(monkeypatch) -> Callable[[int], None]:
    now = [time.time()]
    monkeypatch.setattr(time, "time", lambda: now[0])
    return lambda seconds: now.append(now.pop() + seconds)


def test_wrong_passwords_count_by_account_from_wherever_they_come(
    settings, admin_user, caplog, pass_time
):
    settings.LIMIT_PASSWORDS = "5/minute; 7/hour"
    elsewhere, form = places(), RIGHT | {"password": "wrong"}
    found = [next(elsewhere).post("/admin/login/", form).status_code for _ in range(60)]
    assert found == [200] * 5 + [429] * 55
    assert next(elsewhere).post("/admin/login/", RIGHT).status_code == 429
    told = [one for one in caplog.records if one.name == "interviewsite.http.accounts"]
    assert [one.getMessage() for one in told] == [
        f"many wrong passwords for account {admin_user.pk}: no more are taken for 60 s"
    ]
    pass_time(61)
    assert next(elsewhere).post("/admin/login/", form).status_code == 200
    refused = [next(elsewhere).post("/admin/login/", form) for _ in range(2)]
    assert [one.status_code for one in refused] == [200, 429]
    assert int(refused[1]["Retry-After"]) > 3_000  # longer each time
    pass_time(3_600)
    assert next(elsewhere).post("/admin/login/", RIGHT).status_code == 302
    found = [next(elsewhere).post("/admin/login/", form).status_code for _ in range(6)]
    assert found == [200] * 5 + [429]  # counted anew


def test_who_has_signed_in_before_is_locked_out_by_nobody(settings, admin_user):
    settings.LIMIT_PASSWORDS = "2/hour"
    home, elsewhere = Client(), places()
    assert home.post("/admin/login/", RIGHT).status_code == 302
    assert home.cookies[accounts.COOKIE]["httponly"]
    home.post("/admin/logout/")
    wrong = RIGHT | {"password": "wrong"}
    assert [next(elsewhere).post("/admin/login/", wrong).status_code for _ in range(3)][-1] == 429
    assert home.post("/admin/login/", RIGHT).status_code == 302
    found = [home.post("/admin/login/", wrong).status_code for _ in range(3)]
    assert found == [200, 200, 429]  # known, and yet not free to guess
    stolen = next(elsewhere)
    stolen.cookies[accounts.COOKIE] = home.cookies[accounts.COOKIE].value + "x"
    assert stolen.post("/admin/login/", RIGHT).status_code == 429


def test_guessed_passwords_are_told_once_at_the_next_sign_in(settings, admin_user, pass_time):
    settings.LIMIT_PASSWORDS = "2/minute"
    home, elsewhere = Client(), places()
    home.post("/admin/login/", RIGHT)
    wrong = RIGHT | {"password": "wrong"}
    for _ in range(2):
        home.post("/admin/login/", wrong)  # mistyped where the account is known
    pass_time(61)
    assert GUESSED not in home.post("/admin/login/", RIGHT, follow=True).content.decode()
    for _ in range(3):
        next(elsewhere).post("/admin/login/", wrong)
    assert GUESSED in home.post("/admin/login/", RIGHT, follow=True).content.decode()
    assert GUESSED not in home.post("/admin/login/", RIGHT, follow=True).content.decode()


def test_other_accounts_are_not_kept_waiting(settings, admin_user, django_user_model):
    settings.LIMIT_PASSWORDS = "1/hour"
    django_user_model.objects.create_user("ina", password="password", is_staff=True)
    elsewhere = places()
    for _ in range(3):
        next(elsewhere).post("/admin/login/", RIGHT | {"password": "wrong"})
    told = RIGHT | {"username": "ina"}
    assert next(elsewhere).post("/admin/login/", told).status_code == 302


# -- requests


class Line(StringTransport):
    """A connection from an address, and whether it was cut."""

    def __init__(self, address: str) -> None:
        super().__init__(peerAddress=IPv4Address("TCP", address, 4711))
        self.cut = False

    def abortConnection(self) -> None:
        self.cut = True
        self.protocol.connectionLost(Failure(ConnectionAborted()))


class Lines:
    """The server's side of connections, on a clock of its own."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.asked: list[bytes] = []

    def open(self, sent: bytes = b"", address: str = "203.0.113.1") -> Line:
        line, channel, asked = Line(address), HTTPConnection(), self.asked
        channel.callLater, channel.timeOut = self.clock.callLater, 60

        class Asked(Request):
            def process(self) -> None:
                asked.append(self.path)

        channel.requestFactory, line.protocol = Asked, channel
        channel.makeConnection(line)
        channel.dataReceived(sent)
        return line


@pytest.fixture
def lines() -> Iterator[Lines]:
    yield Lines()
    _waiting.clear()


WHOLE = b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
HEAD = b"POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n"


@pytest.mark.parametrize(
    ("sent", "seconds"), [(b"", HEADERS), (b"GET /a HT", HEADERS), (HEAD, BODY)]
)
def test_a_request_is_whole_in_time_though_bytes_trickle_in(lines, sent, seconds):
    line = lines.open(sent)
    for _ in range(seconds - 1):
        lines.clock.advance(1)
        if sent:
            line.protocol.dataReceived(b"x")
    assert not line.cut
    lines.clock.advance(2)
    assert line.cut
    assert not _waiting


def test_a_request_that_is_answered_has_no_end_and_the_next_one_has_its_own_time(lines):
    line = lines.open(WHOLE)
    lines.clock.advance(HEADERS + BODY)
    assert not line.cut
    line.protocol.requests[0].finish()
    lines.clock.advance(HEADERS + 5)  # idle, as browsers leave their connections
    assert not line.cut
    line.protocol.dataReceived(WHOLE[:9])
    lines.clock.advance(HEADERS - 1)
    line.protocol.dataReceived(WHOLE[9:])
    assert lines.asked == [b"/a", b"/a"]
    line.protocol.requests[0].finish()
    line.protocol.dataReceived(WHOLE[:9])
    lines.clock.advance(HEADERS + 1)
    assert line.cut


def test_who_waits_longest_makes_room_and_only_at_that_address(lines, settings):
    settings.SOCKETS_PER_ADDRESS = 3
    elsewhere, answered = lines.open(address="203.0.113.9"), lines.open(WHOLE)
    half = [lines.open(b"GET /") for _ in range(5)]
    assert [line.cut for line in half] == [True, True, False, False, False]
    assert not elsewhere.cut
    assert not answered.cut
    answered.protocol.requests[0].finish()  # and now waits for the next, longest of all but two
    assert half[2].cut
    assert not answered.cut


def test_connections_of_a_proxy_are_not_counted(lines, settings):
    settings.SOCKETS_PER_ADDRESS, settings.TRUSTED_PROXIES = 1, 1
    assert not any(line.cut for line in [lines.open() for _ in range(5)])


def test_waiting_connections_take_a_quarter_of_the_descriptors_at_most(settings, monkeypatch):
    monkeypatch.setattr("resource.getrlimit", lambda which: (1024, 1024))
    assert most_waiting() == 256
    settings.SOCKETS_PER_ADDRESS = 100
    assert most_waiting() == 100


async def test_one_address_has_so_many_requests_under_way_and_no_more(settings):
    settings.SOCKETS_PER_ADDRESS = 2
    gate, statuses = asyncio.Event(), []

    async def answer(scope, receive, send):
        await gate.wait()
        await send({"type": "http.response.start", "status": 200})

    async def send(message):
        statuses.append(message.get("status"))

    limit = connections.RequestLimit(answer)
    scopes = [{"client": [a, 1], "headers": []} for a in ["203.0.113.1"] * 3 + ["203.0.113.2"]]
    asked = [asyncio.ensure_future(limit(scope, None, send)) for scope in scopes]
    await asyncio.sleep(0.05)
    assert statuses == [429, None]
    gate.set()
    await asyncio.gather(*asked)
    assert statuses == [429, None, 200, 200, 200]
    assert not connections._open


# -- sockets


def socket(talk, address: str = "203.0.113.1") -> WebsocketCommunicator:
    headers = [(b"origin", b"http://testserver"), (b"host", b"testserver")]
    headers.append((b"cookie", f"{access.PARTICIPANT_COOKIE}={talk.cookie}".encode()))
    page = WebsocketCommunicator(websockets, f"/ws/s/{talk.session_id}/", headers=headers)
    page.scope["client"] = [address, 4711]
    return page


async def test_one_interview_has_so_many_sockets_open_and_no_more(bot, settings):
    settings.SOCKETS_PER_SESSION = 2
    talk = await begin(bot)
    pages = [socket(talk, f"203.0.113.{n}") for n in range(3)]
    assert [(await page.connect())[0] for page in pages] == [True, True, False]
    await pages[0].disconnect()
    again = socket(talk)
    assert (await again.connect())[0]
    for page in (pages[1], again):
        await page.disconnect()
    assert not connections._open


async def test_one_address_has_so_many_sockets_open_and_no_more(bot, settings):
    settings.SOCKETS_PER_ADDRESS = 2
    talks = [await begin(bot, name=str(n)) for n in range(4)]
    pages = [socket(talk) for talk in talks[:3]]
    assert [(await page.connect())[0] for page in pages] == [True, True, False]
    elsewhere = socket(talks[3], "203.0.113.99")
    assert (await elsewhere.connect())[0]
    for page in (*pages[:2], elsewhere):
        await page.disconnect()


async def test_sockets_begun_are_counted_by_address(bot, settings):
    settings.LIMIT_SOCKETS = "2/minute"
    talk = await begin(bot)
    found = []
    for _ in range(3):
        page = socket(talk)
        found.append((await page.connect())[0])
        await page.disconnect()
    assert found == [True, True, False]


async def test_a_socket_that_has_carried_enough_is_closed_so_that_the_page_comes_back(
    bot, monkeypatch
):
    monkeypatch.setattr("interviews.participant.consumers.MOST_SENT", 20_000)
    talk = await begin(bot)
    page = socket(talk)
    await page.connect()
    carried = 0
    for number in range(200):
        said = await page.receive_output(5)
        if said["type"] == "websocket.close":
            break
        carried += len(said["text"])
        draft = events.Draft(1, f"{number} " + "word " * 100)
        await events.send_draft(talk.session_id, draft)
    assert said == {"type": "websocket.close", "code": 4413}
    assert 0 < carried <= 20_000
    assert await page.receive_nothing(timeout=0.2)

    await events.send_draft(talk.session_id, events.Draft(1, f"{number} " + "word " * 100))


# -- settings


def test_limits_and_budgets_that_can_t_be_read_are_told_before_it_serves(settings):
    assert checks.limits_and_budgets() == []
    settings.LIMIT_POSTS = "many"
    settings.LLM_DAILY_BUDGET = "-3"
    assert [found.id for found in checks.limits_and_budgets()] == [
        "interviewsite.E007",
        "interviewsite.E008",
    ]
    with pytest.raises(SystemExit, match="LIMIT_POSTS"):
        checks.exit_on_failed_checks()


def test_behind_https_without_proxies_there_is_a_hint(settings):
    settings.HTTPS, settings.TRUSTED_PROXIES = True, 0
    assert [found.id for found in checks.proxies_are_counted()] == ["interviewsite.I001"]
    settings.TRUSTED_PROXIES = 1
    assert checks.proxies_are_counted() == []
