"""The site as people bring it up: by `make run`, and as several processes behind one address."""

import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import psutil

from tests.fake_provider import FakeProvider
from tests.requirements import need, need_postgresql, need_redis
from tests.services import worlds
from tests.services.processes import environment, python, run
from tests.services.sites import Site

GIVEN_BY_TESTS = ("SECRET_KEY", "DATA_KEYS", "LLM_PROVIDER", "DJANGO_SETTINGS_MODULE", "LOG_LEVEL")
TOLD = re.compile(r"Name\s+(?P<name>\S+)\s+Password\s+(?P<password>\S+)")
T = TypeVar("T")
PORT = re.compile(r"(\d+)\)?$")


@dataclass(frozen=True)
class World:
    """Where an interview is led: its address, its admin's account, who is at work on a turn."""

    url: str
    account: Mapping[str, str]
    provider: FakeProvider | None
    at_work: Callable[[], Site]


def make_run(data: Path) -> None:
    """`make run` in an empty data directory, until its site answers."""
    need(shutil.which("make") is not None, "there is no make on this machine")
    site, venv = Site(_nothing_set(data)), Path(sys.prefix)  # which is as it should be
    site.env["PORT"] = str(site.port)
    make = ["make", "--no-print-directory", f"--old-file={venv}/.run", f"VENV={venv}"]
    site.command = [*make, "run"]
    with worlds.ended(site):
        site.start()


@contextmanager
def made_to_run(data: Path, provider: FakeProvider | None) -> Iterator[World]:
    """The site that `make run` has made there, served again; with a model if there is one."""
    model = {"ANTHROPIC_API_KEY": "test", "ANTHROPIC_BASE_URL": provider.url} if provider else {}
    site = Site(_nothing_set(data, **model))
    told = account(site.log())
    with worlds.ended(site):
        site.start()
        yield World(site.url, told, provider, lambda: site)


def _nothing_set(data: Path, **more: str) -> dict[str, str]:
    """An environment that sets nothing but where the site is, and `more`."""
    kept = environment(data, **more)
    return {k: v for k, v in kept.items() if k in more or k not in GIVEN_BY_TESTS}


@contextmanager
def production(data: Path, provider: FakeProvider) -> Iterator[World]:
    """PostgreSQL, Redis, two web processes behind one address, worker and beat."""
    need_postgresql()
    need_redis()
    with in_a_thread(worlds.production(data, provider)) as several:
        made = run(python("manage.py", "setup"), several.env)
        run(python("manage.py", "load_demo"), several.env)
        yield World(
            several.url, account(made.stdout), provider, lambda: asking(provider, several.sites)
        )


@contextmanager
def in_a_thread(made: AbstractContextManager[T]) -> Iterator[T]:
    """Entered where no event loop runs yet; in this thread the browser's does."""
    with ThreadPoolExecutor(1) as thread, ExitStack() as stack:
        entered = thread.submit(made.__enter__).result()
        stack.push(made)
        yield entered


def account(told: str) -> Mapping[str, str]:
    """The admin's name and password, as `manage.py setup` tells them once."""
    found = TOLD.search(told)
    assert found, told
    return found.groupdict()


def asking(provider: FakeProvider, sites: tuple[Site, ...]) -> Site:
    """The process that waits for the model now."""
    waiting = [one for one in provider.requests if not (one.complete or one.aborted)]
    port = PORT.search(waiting[-1].peer)
    for site in sites:
        if port and site.popen and int(port[1]) in _ports(site.serving):
            return site
    raise AssertionError(f"nobody asks from {waiting[-1].peer}")


def _ports(pid: int) -> set[int]:
    return {line.laddr.port for line in psutil.Process(pid).net_connections() if line.laddr}
