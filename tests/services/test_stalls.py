"""The short form of `python -m tests.load.stalls`."""

import argparse
import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

from tests.load import stalls
from tests.load.hostile import DEADLY, FILLERS, LONGEST
from tests.services.databases import sqlite_copy

GIVEN = argparse.Namespace(answers=2, people=4, frozen=15, minutes=10, seed=1)


class Frail(BaseHTTPRequestHandler):
    """A site that no longer answers anybody once it was sent a deadly answer."""

    frozen: Event
    over: Event

    def do_GET(self) -> None:
        self._reply([{"slug": "story", "languages": [*FILLERS]}])

    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if sent.get("answer") in DEADLY.values():
            self.frozen.set()
        self._reply({"session_id": "s", "token": "t", "status": "WAITING_ANSWER"})

    def _reply(self, body: Any) -> None:
        if self.frozen.is_set():
            self.over.wait()
        content = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None: ...


@contextmanager
def frail(template: Path, data: Path) -> Iterator[tuple[str, list[int]]]:
    own = {"frozen": Event(), "over": Event()}
    with ThreadingHTTPServer(("127.0.0.1", 0), type("Own", (Frail,), own)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", [server.server_port]
        finally:
            own["over"].set()
            server.shutdown()


def test_a_site_that_freezes_is_left_and_the_rest_is_sent_to_another(tmp_path: Path) -> None:
    told = stalls.besiege(frail, tmp_path, argparse.Namespace(**vars(GIVEN) | {"frozen": 2.0}))
    assert [[answer.text for answer in each] for each in told.freezes] == [
        [text] for text in DEADLY.values()
    ]
    assert (told.statuses, told.left) == ({200: 14}, 0)
    assert told.longest > 2
    assert told.table().count("FROZEN by story, ar") == 2


def test_nothing_is_sent_once_the_time_is_over(tmp_path: Path) -> None:
    told = stalls.besiege(frail, tmp_path, argparse.Namespace(**vars(GIVEN) | {"minutes": 0}))
    assert (told.statuses.total(), told.left) == (0, 16)


def test_answers_are_dealt_to_bots_of_their_language_and_the_same_by_a_seed() -> None:
    bots = {"one": [*FILLERS], "other": ["it", "en"]}
    deadly, dealt = stalls.answers(bots, 40, seed=7)
    assert (deadly, dealt) == stalls.answers(bots, 40, seed=7)
    assert dealt != stalls.answers(bots, 40, seed=8)[1]
    assert len(deadly) == 4
    assert len(dealt) == 40 * len(FILLERS)
    assert all(answer.language in bots[answer.bot] for answer in (*deadly, *dealt))
    assert all(0 < len(answer.text) <= LONGEST for answer in dealt)


def test_no_hostile_answer_freezes_the_site(template: Path, tmp_path: Path) -> None:
    stalls.teach_all_languages(sqlite_copy(template, tmp_path / "template"))
    site = partial(stalls.embedded, env=stalls.USUAL | stalls.OFFLINE)
    told = stalls.besiege(site, tmp_path, GIVEN)
    assert not told.freezes, told.table()
    assert ({*told.statuses}, told.left) == ({200}, 0)
