"""Whatever is sent: refused in the same plain words on every way in, and never an error of ours."""

import json
from http.client import HTTPConnection
from typing import Any
from urllib.parse import quote, urlsplit

import psutil
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.fake_provider import FakeProvider
from tests.services.client import STORY, Client
from tests.services.pages import Page, refusal
from tests.services.processes import eventually
from tests.services.worlds import Embedded, Production

MEGABYTE = "word " * 200_000
MOST_GROWTH = 75 * 2**20  # bytes, while 80 answers of a megabyte come, held twice or more each


# -- length


@pytest.mark.parametrize(("length", "status"), [(16_000, 200), (16_001, 413), (1_000_000, 413)])
async def test_the_longest_answer_over_the_api(embedded_client: Client, length: int, status: int):
    talk = await embedded_client.start()
    reply = await talk.say("x" * length)
    assert reply.status == status
    if status != 200:
        assert reply["error"] == "too_long"
        assert "16,000" in reply["message"]
    assert len(await talk.answers()) == (status == 200)


async def test_memory_stays_flat_under_answers_of_a_megabyte(
    embedded_client: Client, offline: Embedded
):
    talk = await embedded_client.start()
    page = Page(talk)
    await page.open()
    process = psutil.Process(offline.site.serving)
    for number in range(60):
        if number == 20:  # each thread has its share of memory by then
            before = process.memory_info().rss
        api = await talk.say(MEGABYTE)
        form = await page.send(text=MEGABYTE, message_id=f"form-{number}")
        assert (api.status, api["error"]) == (413, "too_long")
        assert (form.status, refusal(form)) == (413, "too_long")
    assert process.memory_info().rss - before < MOST_GROWTH
    assert await talk.answers() == []


async def test_a_body_that_is_larger_than_any_answer_could_be(embedded_client: Client):
    talk = await embedded_client.start()
    reply = await talk.say(MEGABYTE * 10)
    assert (reply.status, reply["error"]) == (413, "too_long")


# -- the same rules on each way in


@pytest.mark.parametrize(
    ("text", "status", "code"),
    [("", 422, "empty"), (" \n\x07 ", 422, "empty"), ("x" * 16_001, 413, "too_long")],
)
async def test_page_and_api_refuse_the_same(
    embedded_client: Client, text: str, status: int, code: str
):
    talk = await embedded_client.start()
    page = Page(talk)
    await page.open()
    api, form = await talk.say(text), await page.send(text=text, message_id="form")
    assert (api.status, api["error"]) == (form.status, refusal(form)) == (status, code)
    assert await talk.answers() == []


async def test_page_and_api_refuse_the_same_while_the_interviewer_speaks(
    modelled_client: Client, provider: FakeProvider
):
    talk = await modelled_client.start()
    page = Page(talk)
    await page.open()
    provider.rate = 20
    assert (await page.send(text=STORY, message_id="first")).status == 200
    api, form = await talk.say("more"), await page.send(text="more", message_id="form")
    assert (api.status, api["error"]) == (form.status, refusal(form)) == (409, "busy")
    provider.rate = 10_000
    assert await talk.answers() == [STORY]


async def test_page_and_api_refuse_the_same_after_the_end(embedded_client: Client):
    talk = await embedded_client.start()
    page = Page(talk)
    await page.open()
    await talk.press("end")
    api, form = await talk.say(STORY), await page.send(text=STORY, message_id="form")
    assert (api.status, api["error"]) == (form.status, refusal(form)) == (409, "ended")
    assert await talk.answers() == []


async def test_the_socket_takes_no_answers(embedded_client: Client):
    talk = await embedded_client.start()
    async with Page(talk).socket() as socket:
        await socket.receive(5)
        for _ in range(60):
            await socket.send_str(json.dumps(talk.body(STORY)))
        while (await socket.receive(5)).type.name == "TEXT":
            pass
        assert socket.close_code == 4408
    assert await talk.answers() == []


# -- two tabs


async def test_an_outdated_tab_is_told_so_and_both_tabs_are_equal_afterwards(
    embedded_client: Client,
):
    talk = await embedded_client.start()
    first, second = Page(talk), Page(talk)
    await first.open()
    await second.open()
    await first.send(text=STORY, message_id="first", answering=str(first.length))
    await eventually(lambda: _may_answer(first))
    late = await second.send(text="late", message_id="late", answering=str(second.length))
    assert (late.status, refusal(late)) == (409, "outdated")
    second.take(late.body)
    assert (first.sequence, first.length) == (second.sequence, second.length)
    assert first.taken == second.taken == list(range(1, first.length + 1))
    assert await talk.answers() == [STORY]


async def _may_answer(page: Page) -> bool:
    await page.look()
    return page.phase == "yours"


# -- anything at all

TEXTS = st.text(st.characters(categories=None), max_size=60) | st.sampled_from(
    [
        "\0",
        "\ud800",
        "\udfff\ud800",
        "\x1b[31m",
        "\u202e",
        "\ufffe",
        "a\0b",
        "'; --",
        "{",
        "9" * 400,
    ]
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | TEXTS
ANYTHING = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4)
)
FIELDS = {
    "start": ("participant_name", "bot", "language", "params"),
    "chat": ("session_id", "answer", "message_id"),
    "button": ("message_id",),
}
TYPES = ["application/json", "text/plain", "multipart/form-data; boundary=x", "", "\xff/\xff"]
TYPES += ["application/x-www-form-urlencoded", "application/json; charset=utf-16"]
JSON = {"Content-Type": "application/json"}


@st.composite
def bodies(draw: Any, kind: str, right: dict[str, Any]) -> bytes:
    """JSON with anything in any field, cut or spoiled now and then."""
    fields = {name: draw(ANYTHING) for name in FIELDS[kind] if draw(st.booleans())}
    kept = {name: value for name, value in right.items() if draw(st.booleans())}
    body = json.dumps(fields | kept).encode()
    spoil = draw(st.sampled_from(["", "", "", "cut", "bytes", "anything", "other"]))
    if spoil == "cut":
        return body[: draw(st.integers(0, len(body)))]
    if spoil == "bytes":
        place = draw(st.integers(0, len(body)))
        return body[:place] + draw(st.binary(max_size=4)) + body[place:]
    if spoil == "other":
        return json.dumps(draw(ANYTHING)).encode()
    return draw(st.binary(max_size=80)) if spoil == "anything" else body


HEADERS = st.fixed_dictionaries(
    {},
    optional={
        "Content-Type": st.sampled_from(TYPES),
        "Accept": st.sampled_from(["text/event-stream", "*/*", "\xff", "application/xml"]),
        "Accept-Language": st.sampled_from(["ru", "xx-yy", "\xff\xfe", "en;q=z", "," * 500]),
        "Cookie": st.sampled_from(["interviewsite=\xff", "interviewsite=", "=;;=", "sessionid=x"]),
    },
)


def _is_broken_form(status: int, headers: dict[str, str]) -> bool:
    """The server refuses a form in broken parts before the site sees it, and without a word."""
    return status == 400 and headers.get("Content-Type", "").startswith("multipart/")


class Wire:
    """Raw requests over one connection; every answer must be ours and say what is wrong."""

    def __init__(self, url: str) -> None:
        self.connection = HTTPConnection(urlsplit(url).netloc, timeout=60)

    def send(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Any:
        self.connection.request(method, path, body, headers)
        response = self.connection.getresponse()
        content = response.read()
        assert response.status < 500, (response.status, method, path, body, headers, content[:500])
        kind = response.headers.get("Content-Type", "")
        if response.status >= 400 and not _is_broken_form(response.status, headers):
            assert kind.startswith("application/json"), (kind, path, content[:200])
            assert {"error", "message", "details"} <= json.loads(content).keys()
        return content


@pytest.fixture(scope="module")
def wire(_production: Production) -> Wire:
    return Wire(_production.sites[1].url)


@pytest.fixture(scope="module")
def opened(wire: Wire) -> dict[str, str]:
    """A session for all examples."""
    begun = wire.send("POST", "/api/chat/start", b'{"bot": "life-story"}', JSON)
    return json.loads(begun)


PROPERTY = settings(
    max_examples=examples(120),
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@PROPERTY
@given(data=st.data(), headers=HEADERS)
def test_any_body_is_taken_or_refused_clearly(
    wire: Wire, opened: dict[str, str], data: st.DataObject, headers: dict[str, str]
):
    session, token = opened["session_id"], opened["token"]
    paths = {
        "/api/chat/start": ("start", {"bot": "talk"}),
        "/api/chat": ("chat", {"session_id": session, "answer": "A word."}),
        f"/api/chat/session/{session}/skip": ("button", {}),
        f"/api/chat/session/{session}/pause": ("button", {}),
    }
    path = data.draw(st.sampled_from(sorted(paths)))
    body = data.draw(bodies(*paths[path]))
    wire.send("POST", path, body, headers | {"Authorization": f"Bearer {token}"})


@PROPERTY
@given(method=st.sampled_from(["GET", "POST", "PUT", "DELETE"]), text=TEXTS, headers=HEADERS)
def test_any_address_under_the_api_is_answered_in_json(
    wire: Wire, method: str, text: str, headers: dict[str, str]
):
    odd = quote(text.encode("utf-8", "surrogatepass"))
    for path in (
        f"/api/{odd}",
        f"/api/chat/session/{odd}/resume",
        f"/api/chat/my-session?bot={odd}",
    ):
        wire.send(method, path, b"", headers)


@PROPERTY
@given(secret=st.text(st.characters(max_codepoint=255, exclude_categories=["Cc"]), max_size=40))
def test_any_secret_is_answered_as_a_wrong_one(wire: Wire, opened: dict[str, str], secret: str):
    path = f"/api/chat/session/{opened['session_id']}"
    found = wire.send("GET", path, b"", {"Authorization": f"Bearer {secret}"})
    assert json.loads(found)["error"] == "not_found"
