"""Real servers, made once and shared; each test brings interviews of its own.

They end with the last of these tests: idle ones would slow down all others.
"""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import aiohttp
import pytest

from tests.fake_provider import FakeProvider
from tests.requirements import need_postgresql, need_redis
from tests.services import worlds
from tests.services.client import Client, connections
from tests.services.databases import drop_all, filled_sqlite
from tests.services.worlds import Embedded, Production
from tests.sharing import once

HERE = Path(__file__).parent
SERVERS = ("postgresql", "redis")
NEEDS = {"_production": SERVERS, "operator": SERVERS}  # fixture -> markers


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what runs here."""
    for item in items:
        if HERE not in item.path.parents:
            continue
        item.add_marker(pytest.mark.processes)
        for fixture, markers in NEEDS.items():
            if fixture in getattr(item, "fixturenames", ()):
                for marker in markers:
                    item.add_marker(marker)


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with a filled SQLite database, to be copied."""
    return once(tmp_path_factory, "template", filled_sqlite)


@pytest.fixture(scope="session")
def shared_provider() -> Iterator[FakeProvider]:
    """A model that answers at once."""
    with FakeProvider() as fake:
        yield fake


@pytest.fixture
def provider(shared_provider: FakeProvider) -> FakeProvider:
    """The same, having forgotten what was before."""
    shared_provider.reset()
    return shared_provider


@pytest.fixture(scope="package")
def offline(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedded]:
    """The embedded default without a model, as `make run` serves it."""
    with worlds.embedded(template, tmp_path_factory.mktemp("offline")) as world:
        yield world


@pytest.fixture(scope="package")
def modelled(
    template: Path, tmp_path_factory: pytest.TempPathFactory, shared_provider: FakeProvider
) -> Iterator[Embedded]:
    """The embedded default with a model, by daphne."""
    data = tmp_path_factory.mktemp("modelled")
    env = worlds.asking(shared_provider, LLM_FIRST_TOKEN_TIMEOUT="0.4", LLM_IDLE_TIMEOUT="0.4")
    env |= {"LOG_LEVEL": "DEBUG"}
    with worlds.embedded(template, data, worlds.APPLICATION, **env) as world:
        yield world


@pytest.fixture(scope="package")
def _production(
    tmp_path_factory: pytest.TempPathFactory, shared_provider: FakeProvider
) -> Iterator[Production]:
    need_postgresql()
    need_redis()
    try:
        with worlds.production(tmp_path_factory.mktemp("production"), shared_provider) as world:
            yield world
    finally:
        drop_all()


@pytest.fixture
def production(_production: Production, provider: FakeProvider) -> Production:
    """PostgreSQL, Redis, two web processes, worker and beat, all of them up."""
    _production.holds.clear()
    _production.mend()
    return _production


@pytest.fixture
async def http() -> AsyncIterator[aiohttp.ClientSession]:
    """Connections without cookies, as many as are wanted."""
    async with connections() as session:
        yield session


@pytest.fixture
def embedded_client(http: aiohttp.ClientSession, offline: Embedded) -> Client:
    """A client of the embedded site without a model."""
    return Client(http, offline.site.url)


@pytest.fixture
def modelled_client(
    http: aiohttp.ClientSession, modelled: Embedded, provider: FakeProvider
) -> Client:
    """A client of the embedded site with a model."""
    return Client(http, modelled.site.url)


@pytest.fixture
def production_client(http: aiohttp.ClientSession, production: Production) -> Client:
    """A client whose connections go to the two web processes in turn."""
    return Client(http, production.url)
