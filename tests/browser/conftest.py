"""A real Chromium against a real server process."""

import shutil
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.complaints import Complaints
from tests.browser.loop import BrowserLoop
from tests.browser.participant import PATIENCE, Participant
from tests.browser.site import Site, copied, seeded, stocked
from tests.fake_provider import FakeProvider
from tests.requirements import need
from tests.sharing import once

# Without a window of its own, a page costs a fifth of what it costs in the whole Chromium.
CHROMIUM = shutil.which("chromium-headless-shell") or "/usr/bin/chromium"
HERE = Path(__file__).parent


Start = Callable[..., Site]
RARELY = {"SWEEP_EVERY": "10"}  # each second, a dozen idle sites keep a processor busy
loop = BrowserLoop()
expect.set_options(timeout=PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what is played here."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Tests elsewhere don't notice that there is a browser."""
    if HERE not in item.path.parents:
        return (yield)
    loop.take()
    try:
        return (yield)
    finally:
        loop.put_aside()


@pytest.fixture(scope="session", autouse=True)
def _loop_until_the_end(browser: Browser) -> Iterator[None]:
    """The browser is closed in its own loop, whichever test comes last."""
    yield
    loop.take()


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    need(Path(CHROMIUM).exists(), f"there is no Chromium at {CHROMIUM}")
    return {
        **browser_type_launch_args,
        "executable_path": CHROMIUM,
        "args": [
            *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
            *("--in-process-gpu", "--renderer-process-limit=1"),  # fewer processes to start
        ],
    }


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return browser_context_args | {
        "viewport": {"width": 1280, "height": 860},
        "locale": "en-GB",
        "reduced_motion": "reduce",  # drawing what moves takes a tenth of a browser's time
    }


@pytest.fixture(scope="session")
def seed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the tests' bots, and an account that may do everything."""
    return once(tmp_path_factory, "seed", seeded)


@pytest.fixture(scope="session")
def stocked_seed(seed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with the demo, an interview with results, and graphs."""
    return once(tmp_path_factory, "stocked", lambda data: stocked(copied(seed, data)))


def _starting(
    seed: Path, tmp_path_factory: pytest.TempPathFactory, **usual: str
) -> Iterator[Start]:
    """Starts sites; all of them are gone in the end."""
    sites: list[Site] = []

    def start(template: Path = seed, **env: str) -> Site:
        data = tmp_path_factory.mktemp("site") / "data"
        site = Site(copied(template, data), **usual | env)
        sites.append(site)
        site.start()
        return site

    yield start
    for site in sites:
        site.kill()
        shutil.rmtree(site.data, ignore_errors=True)


@pytest.fixture(scope="package")
def _shared(seed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Starts sites that stay until all tests in a browser are done."""
    yield from _starting(seed, tmp_path_factory, **RARELY)


@pytest.fixture(scope="module")
def new_site(seed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Starts sites of a file's own; idle ones would slow down all others."""
    yield from _starting(seed, tmp_path_factory)


@pytest.fixture(scope="package")
def site(_shared: Start) -> Site:
    """A site whose interviewer answers at once, without a model."""
    return _shared()


@pytest.fixture(scope="session")
def provider() -> Iterator[FakeProvider]:
    """A model that takes its time: first word after 0.4 s, 25 words a second."""
    with FakeProvider(ttft=0.4, rate=25.0) as fake:
        yield fake


@pytest.fixture(scope="package")
def slow_site(_shared: Start, provider: FakeProvider) -> Site:
    """A site whose interviewer speaks by that model."""
    return _shared(
        LLM_PROVIDER="anthropic", ANTHROPIC_API_KEY="test", ANTHROPIC_BASE_URL=provider.url
    )


@pytest.fixture(scope="package")
def fragile_site(_shared: Start, provider: FakeProvider) -> Site:
    """Another such site, for tests that kill it and start it again."""
    return _shared(
        LLM_PROVIDER="anthropic",
        ANTHROPIC_API_KEY="test",
        ANTHROPIC_BASE_URL=provider.url,
        SWEEP_EVERY="1",
    )


@pytest.fixture(scope="package")
def quick_site(_shared: Start) -> Iterator[Site]:
    """A site whose interviewer speaks by a model that answers at once."""
    with FakeProvider() as fake:
        yield _shared(
            LLM_PROVIDER="anthropic", ANTHROPIC_API_KEY="test", ANTHROPIC_BASE_URL=fake.url
        )


@pytest.fixture(scope="package")
def stocked_site(_shared: Start, stocked_seed: Path) -> Site:
    """A site with the demo, a finished interview and its results, and graphs."""
    return _shared(stocked_seed)


@pytest.fixture
def complaints(context: BrowserContext) -> Complaints:
    """What the browser complained about: errors, refused content, requests to other hosts."""
    found = Complaints()
    found.listen(context)
    return found


@pytest.fixture
def anna(page: Page, site: Site) -> Participant:
    """Somebody at the quick site."""
    return Participant(page, site.url)


@pytest.fixture
def slow_anna(page: Page, slow_site: Site) -> Participant:
    """Somebody at the slow site."""
    return Participant(page, slow_site.url)
