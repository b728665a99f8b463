"""How soon a site that is set up shows its first page, and what a chat weighs over the wire."""

import gzip
import json
import re
import time
from pathlib import Path
from urllib.parse import urljoin
from urllib.request import Request, urlopen

import psutil

from tests.bench.figures import Figure, median
from tests.services.processes import ROOT, environment
from tests.services.sites import Site

BOT = "life-story-short"
LOADED = re.compile(r'"((?:/static/|\./)[^"]+)"')  # by a page, or by a script
WORD_LISTS = ROOT / "interviews" / "engine" / "language" / "lists"
KB = 1024


def measure(data: Path, times: int) -> list[Figure]:
    """Starts as `make run` does, on a database that has the demo."""
    site = Site(environment(data))
    site.command.append("--setup")
    site.start()  # gathers static files; later starts have them
    try:
        starts = [_start(site) for _ in range(times)]
        weight = _chat(site.url)
    finally:
        site.kill()
    words = sum(len(file.read_bytes()) for file in WORD_LISTS.glob("*.yaml"))
    return [
        Figure("start: process to first page", median([took for took, _ in starts]), "s", "≤ 3"),
        Figure("start: processor time", median([spent for _, spent in starts]), "s", "≤ 1.5"),
        Figure("chat page with all its styles and scripts, as sent", weight / KB, "KB", "≤ 60"),
        Figure("word lists of all languages", words / KB, "KB", "≤ 100"),
    ]


def _start(site: Site) -> tuple[float, float]:
    """Seconds until the first page is there, and of the processor."""
    site.kill()
    began = time.perf_counter()
    site.start()
    _fetched(site.url)
    took = time.perf_counter() - began
    assert site.popen is not None
    spent = psutil.Process(site.serving).cpu_times()
    return took, spent.user + spent.system + spent.children_user + spent.children_system


def _chat(url: str) -> int:
    """Bytes of an interview's page and of all that it loads, as they are sent."""
    data = json.dumps({"participant_name": "Ann", "bot": BOT}).encode()
    asked = Request(f"{url}/api/chat/start", data, {"Content-Type": "application/json"})
    with urlopen(asked) as response:
        session = json.load(response)["session_id"]
        cookie = response.headers["Set-Cookie"].partition(";")[0]
    weights: dict[str, int] = {}
    left = [f"{url}/s/{session}/"]
    while left:
        address = left.pop()
        weights[address], text = _fetched(address, cookie)
        found = {urljoin(address, one) for one in LOADED.findall(text)}
        left += found - {*weights, *left}
    return sum(weights.values())


def _fetched(url: str, cookie: str = "") -> tuple[int, str]:
    """Bytes over the wire, and the text that they are."""
    with urlopen(Request(url, headers={"Accept-Encoding": "gzip", "Cookie": cookie})) as response:
        body = response.read()
        packed = response.headers["Content-Encoding"] == "gzip"
    head = len(str(response.headers))
    return head + len(body), (gzip.decompress(body) if packed else body).decode(errors="replace")
