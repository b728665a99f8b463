"""What comes after an interview: nobody waits for it, and the interview's page shows it coming."""

import re
import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, Request, expect

from tests.browser.administrator import Administrator
from tests.browser.complaints import Complaints
from tests.browser.participant import Participant
from tests.browser.site import Site
from tests.fake_provider import FakeProvider

TOLD = (
    "I live above a bakery, where the stairwell smells of rye from four in the morning.",
    "Early, when the delivery boys whistle and nobody else is up yet but my grandmother.",
    "I would bring back the tram, which used to stop right in front of our door.",
)
EXPERTS = 4
SECONDS = 5.0  # until a model says its first word; longer than the page waits to ask again
SLACK = 1.5  # seconds that a machine may be busy with other things


@pytest.fixture
def model() -> Iterator[FakeProvider]:
    with FakeProvider(ttft=0.05, rate=2_000.0) as fake:
        yield fake


@pytest.fixture
def read_site(new_site: Callable[..., Site], model: FakeProvider) -> Site:
    """A site with that model and somebody who may do everything."""
    return new_site(
        LLM_PROVIDER="anthropic",
        ANTHROPIC_API_KEY="test",
        ANTHROPIC_BASE_URL=model.url,
        LLM_FIRST_TOKEN_TIMEOUT="60",  # on a busy machine a slow model is no silent one
        LLM_IDLE_TIMEOUT="60",
    )


def almost_told(context: BrowserContext, url: str) -> Participant:
    """An interview that lacks the last answer."""
    anna = Participant(context.new_page(), url).begin("place")
    for words in TOLD[:-1]:
        anna.answer(words)
        anna.yours()
    return anna


def goodbye(context: BrowserContext, url: str) -> float:
    """How many seconds it takes, after the last answer."""
    anna = almost_told(context, url)
    before = time.monotonic()
    anna.answer(TOLD[-1])
    anna.phase("over")
    return time.monotonic() - before


def test_reflections_come_in_one_after_the_other(
    read_site: Site,
    model: FakeProvider,
    page: Page,
    context: BrowserContext,
    complaints: Complaints,
) -> None:
    reader = Administrator(page, read_site.url)
    reader.log_in()
    anna = almost_told(context, read_site.url)
    model.ttft = SECONDS  # from the goodbye on
    anna.answer(TOLD[-1])
    anna.phase("over")
    page.goto(f"{read_site.url}/admin/interviews/session/{anna.session_id}/change/")
    expect(page.locator("#made")).to_contain_text("More results are on the way.")
    counts = _watched(page)
    assert counts[0] == 0
    assert counts == sorted(set(counts))  # each time there were more
    assert counts[-1] == EXPERTS
    assert len(counts) >= EXPERTS  # hardly two at once
    expect(page.locator("#made-progress")).to_have_text(re.compile(r"^\s*(\d+) of \1 ready\.\s*$"))
    _asks_no_more(page)
    page.get_by_role("link", name="Reflection: Psychologist").click()
    expect(page.get_by_text("It seems to matter to them").first).to_be_visible()
    assert not complaints


def _watched(page: Page) -> list[int]:
    """How many reflections could be read, each time that it was another number."""
    found = page.locator("[data-product^='expert:'] a")
    seen = [found.count()]
    until = time.monotonic() + 150
    while seen[-1] < EXPERTS and time.monotonic() < until:
        page.wait_for_timeout(500)
        if (count := found.count()) != seen[-1]:
            seen.append(count)
    return seen


def _asks_no_more(page: Page) -> None:
    """Once all is there."""
    asked: list[Request] = []
    page.on("request", lambda one: asked.append(one))
    page.wait_for_timeout(7_000)
    assert not asked


def test_the_goodbye_waits_for_none_of_it(
    read_site: Site, model: FakeProvider, context: BrowserContext
) -> None:
    usual = min(goodbye(context, read_site.url) for _ in range(2))
    model.queue(*["silent@Retold", "silent@FactsTold", "silent@Observations"] * 8)
    stalled = min(goodbye(context, read_site.url) for _ in range(2))
    assert any(one.fault == "silent" for one in model.requests)  # it did stall meanwhile
    assert stalled < usual + SLACK
