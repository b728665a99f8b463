"""Everything that one site consists of: data, database, processes, the model it asks."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.fake_provider import FakeProvider
from tests.services.databases import Database, new_postgresql, sqlite_copy
from tests.services.holds import Holds
from tests.services.processes import Process, environment
from tests.services.proxy import one_address
from tests.services.sites import APPLICATION, Beat, Redis, Site, Worker

BARRIERS = "tests.services.barriers:application"
QUICK = {"TURN_LEASE": "3", "SWEEP_EVERY": "1"}


@dataclass(frozen=True)
class Embedded:
    """One process on SQLite."""

    site: Site
    database: Database
    data: Path
    holds: Holds


@dataclass(frozen=True)
class Production:
    """Two web processes behind one address, worker and beat, on PostgreSQL and Redis."""

    url: str
    sites: tuple[Site, Site]
    worker: Worker
    beat: Beat
    redis: Redis
    database: Database
    holds: Holds
    env: dict[str, str]

    def mend(self) -> None:
        """Starts what a failed test has left dead, so that no other fails with it."""
        for process in (self.redis, *self.sites, self.worker, self.beat):
            if not process.alive():
                process.start()


def asking(provider: FakeProvider, **more: str) -> dict[str, str]:
    """The settings of a site that asks that provider, impatient for the tests' sake."""
    return {
        "LLM_PROVIDER": "anthropic",
        "ANTHROPIC_API_KEY": "test",
        "ANTHROPIC_BASE_URL": provider.url,
        "LLM_BACKOFF": "0.01",
        "LLM_BREAKER_FAILURES": "0",
        **more,
    }


@contextmanager
def embedded(
    template: Path, data: Path, application: str = "", before: Sequence[str] = (), **env: str
) -> Iterator[Embedded]:
    """A site on a copy of the filled database; without an application by `manage.py serve`.

    `before` is what its command begins with.
    """
    database, holds = sqlite_copy(template, data), Holds(data / "holds")
    settings = environment(data, **QUICK | {"HOLDS": str(holds.folder)} | env)
    site = Site(settings, application)
    site.command[:0] = before
    with ended(site):
        site.start()
        yield Embedded(site, database, data, holds)


@contextmanager
def production(
    data: Path, provider: FakeProvider, workers: bool = True, **more: str
) -> Iterator[Production]:
    """The first of the two sites can be held in its turns, the worker in what it makes.

    Without `workers` neither worker nor beat is started.
    """
    database, redis, holds = new_postgresql(data), Redis(data), Holds(data / "holds")
    env = environment(
        data,
        DATABASE_URL=database.url,
        REDIS_URL=redis.url,
        REDIS_PREFIX="services",
        HOLDS=str(holds.folder),
        # on a busy machine a process may well be silent for 3 s
        **QUICK | {"TURN_LEASE": "8"} | asking(provider) | more,
    )
    making = env | {"HOLDS_ONLY": "making-"}
    sites = (Site(env, BARRIERS, "held"), Site(env, APPLICATION, "other"))
    worker, beat = Worker(making, "tests.services.barriers"), Beat(env)
    with ExitStack() as stack:
        for process in (redis, *sites, worker, beat):
            stack.enter_context(ended(process))
        redis.start()
        together(*sites, *((worker, beat) if workers else ()))
        url = stack.enter_context(one_address(*(site.port for site in sites)))
        yield Production(url, sites, worker, beat, redis, database, holds, env)


def together(*processes: Process) -> None:
    """Starts all of them at once."""
    with ThreadPoolExecutor(len(processes)) as threads:
        list(threads.map(lambda process: process.start(), processes))


@contextmanager
def ended(process: Process) -> Iterator[None]:
    """Sees that the process is gone afterwards, whatever happens."""
    try:
        yield
    finally:
        process.kill()
