"""Pages of other sites, and of a sibling host, against somebody's open interview."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.participant import Participant
from tests.browser.site import Site

HOST = "interviews.study.localhost"  # Chromium finds names under localhost on this machine
FOREIGN = {
    "another site": "elsewhere.localhost",
    "a sibling host": "blog.study.localhost",  # its pages' requests carry our cookie
    "another port": HOST,  # so do these
}
FORM = """([action, type, name, value]) => {
    const form = document.createElement("form");
    Object.assign(form, { method: "post", action, enctype: type });
    const field = document.createElement("input");
    Object.assign(field, { name, value });
    form.append(field);
    document.body.append(form);
    form.submit();
}"""
FETCH = """([url, body]) => fetch(url, {
    method: "POST", mode: "no-cors", credentials: "include", body,
}).catch(() => null)"""
OPENED = """url => new Promise((done) => {
    const socket = new WebSocket(url);
    socket.onopen = () => done(true);
    socket.onclose = () => done(false);
})"""
STANDS = "SELECT id, CASE id WHEN ? THEN status || sequence ELSE '' END FROM interviews_session"
START = '{"bot": "place", "participant_name": "'  # the field's "=" and value close the name


@dataclass
class Victim:
    """Somebody whose interview is open in a browser."""

    anna: Participant
    site: Site

    @property
    def context(self) -> BrowserContext:
        return self.anna.page.context

    def stands(self) -> tuple[list[tuple[Any, ...]], str]:
        """The site's interviews, how theirs stands, and the secret that this browser holds."""
        with closing(sqlite3.connect(self.site.data / "interviewsite.sqlite3", timeout=20)) as db:
            rows = db.execute(STANDS, [self.anna.session_id.replace("-", "")]).fetchall()
        cookies = {one["name"]: one["value"] for one in self.context.cookies(self.anna.url)}
        return sorted(rows), cookies["interviewsite"]

    def path(self, rest: str) -> str:
        return rest.format(session=self.anna.session_id)


class EmptyPage(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><body>")

    def log_message(self, *args: Any) -> None:
        """Nothing is written."""


@pytest.fixture(scope="module")
def foreign_port() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), EmptyPage) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


@pytest.fixture(scope="module")
def victim(browser: Browser, browser_context_args: dict[str, Any], site: Site) -> Iterator[Victim]:
    context = browser.new_context(**browser_context_args)
    # By hand: only Chromium itself finds this name.
    anna = Participant(context.new_page(), f"http://{HOST}:{site.port}").begin_by_hand()
    yield Victim(anna, site)
    context.close()


@pytest.fixture(params=FOREIGN.values(), ids=FOREIGN.keys())
def foreign(request: pytest.FixtureRequest, victim: Victim, foreign_port: int) -> Iterator[Page]:
    """A page of somebody else, in the same browser; nothing may have changed in the end."""
    before = victim.stands()
    page = victim.context.new_page()
    page.goto(f"http://{request.param}:{foreign_port}/")
    yield page
    page.close()
    assert victim.stands() == before
    victim.anna.page.reload()
    expect(victim.anna.said.first).to_be_visible()


def test_a_form_begins_nothing(foreign: Page, victim: Victim) -> None:
    url = f"{victim.anna.url}/api/chat/start"
    with foreign.expect_response(url) as response:
        foreign.evaluate(FORM, [url, "text/plain", START, '"}'])
    assert response.value.status == 403
    assert "set-cookie" not in response.value.headers


@pytest.mark.parametrize(
    "path",
    ["/api/chat/start", *(f"/api/chat/session/{{session}}/{way}" for way in ("pause", "withdraw"))],
)
def test_a_script_changes_nothing(foreign: Page, victim: Victim, path: str) -> None:
    url = victim.anna.url + victim.path(path)
    with foreign.expect_response(url) as response:
        foreign.evaluate(FETCH, [url, '{"bot": "place"}'])
    assert response.value.status == 403
    assert "set-cookie" not in response.value.headers


def test_a_form_presses_no_button(foreign: Page, victim: Victim) -> None:
    url = f"{victim.anna.address}pause/"
    with foreign.expect_response(url) as response:
        foreign.evaluate(FORM, [url, "application/x-www-form-urlencoded", "message_id", "x"])
    assert response.value.status == 403


def test_no_socket_opens(foreign: Page, victim: Victim) -> None:
    path = victim.path("/ws/s/{session}/")
    assert not foreign.evaluate(OPENED, f"ws://{HOST}:{victim.site.port}{path}")
    assert victim.anna.page.evaluate(OPENED, f"ws://{HOST}:{victim.site.port}{path}")


def test_a_page_of_our_own_may_use_the_api(victim: Victim) -> None:
    path = victim.path("/api/chat/session/{session}/pause")
    press = "path => fetch(path, { method: 'POST' }).then((reply) => reply.status)"
    assert victim.anna.page.evaluate(press, path) == 200
    victim.anna.phase("paused")
