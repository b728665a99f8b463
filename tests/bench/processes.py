"""The fake provider as a process of its own, so that it takes no time from what is measured."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import aiohttp

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def provider(ttft: float = 0.4, rate: float = 60.0) -> Iterator[str]:
    """Its address; it is gone afterwards."""
    command = [
        sys.executable,
        "-m",
        "tests.fake_provider",
        "--ttft",
        str(ttft),
        "--rate",
        str(rate),
    ]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()


async def requests(http: aiohttp.ClientSession, url: str) -> int:
    """How many calls it has had."""
    async with http.get(f"{url}/_requests") as response:
        return int((await response.json())["total"])
