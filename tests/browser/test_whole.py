"""The whole of an interview, from the first page to the researcher's table, in a real Chromium."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.browser import worlds
from tests.browser.complaints import Complaints
from tests.browser.participant import Participant
from tests.browser.site import copied
from tests.browser.story import Story, the_researcher_reads
from tests.fake_provider import FakeProvider

pytestmark = pytest.mark.processes
MOST_WIRE_BYTES = 60 * 1024  # of the chat with all that it loads, as it is served


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make run` leaves in an empty data directory."""
    data = tmp_path_factory.mktemp("made")
    worlds.make_run(data)
    return data


@pytest.fixture
def made_anew(made: Path, tmp_path: Path) -> Path:
    """The same, for one interview."""
    return copied(made, tmp_path / "data")


@pytest.mark.long  # each of its steps has a test of its own on such a site
def test_a_whole_interview_as_make_run_serves_it(
    page: Page, new_context, complaints: Complaints, made_anew: Path
) -> None:
    with model() as provider, worlds.made_to_run(made_anew, provider) as world:
        lead(world, page, new_context(), complaints, Story.finish_by_the_button)


@pytest.mark.postgresql
@pytest.mark.redis
def test_a_whole_interview_with_several_processes(
    page: Page, new_context, complaints: Complaints, tmp_path: Path
) -> None:
    with model() as provider, worlds.production(tmp_path, provider) as world:
        lead(world, page, new_context(), complaints, Story.finish_by_itself)


def test_a_whole_interview_without_a_model(
    page: Page, complaints: Complaints, made_anew: Path
) -> None:
    with worlds.made_to_run(made_anew, None) as world:
        story = Story(Participant(page, world.url), world, complaints)
        story.begin()
        assert 10_000 < _wire_bytes(page) <= MOST_WIRE_BYTES
        story.finish_by_itself()
        assert len(story.sent) >= 12
        the_researcher_reads(story, page)


def model() -> FakeProvider:
    return FakeProvider(ttft=0.05, rate=400)


def lead(
    world: worlds.World,
    page: Page,
    elsewhere: BrowserContext,
    complaints: Complaints,
    finish: Callable[[Story], None],
) -> None:
    """With everything that happens to people in between."""
    story = Story(Participant(page, world.url), world, complaints)
    story.begin()
    story.answers_of_all_kinds()
    story.too_much()
    story.reload_in_mid_stream()
    story.killed_in_mid_turn()
    story.a_second_window(page.context)
    story.in_another_browser(elsewhere)
    story.pause()
    finish(story)
    the_researcher_reads(story, page)


def _wire_bytes(page: Page) -> int:
    """What it takes to load the page, headers and all, into an empty cache."""
    line, moved = page.context.new_cdp_session(page), []
    line.send("Network.enable")
    line.send("Network.setCacheDisabled", {"cacheDisabled": True})
    line.on("Network.loadingFinished", lambda one: moved.append(one["encodedDataLength"]))
    page.reload(wait_until="networkidle")
    line.detach()
    return sum(moved)
