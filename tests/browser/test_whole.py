"""The whole of an interview, from the first page to the researcher's table, in a real Chromium."""

from collections.abc import Callable
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.browser import worlds
from tests.browser.administrator import Administrator
from tests.browser.complaints import Complaints
from tests.browser.participant import Participant
from tests.browser.said import stored
from tests.browser.site import copied
from tests.browser.story import Story
from tests.fake_provider import FakeProvider
from tests.interviews.exports.reading import unescape_formula

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


@pytest.mark.walk
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


def the_researcher_reads(story: Story, page: Page) -> None:
    """In the admin and in the table stands what was said, once each, in order."""
    whole = story.read_again()
    admin = Administrator(page.context.new_page(), story.world.url)
    admin.log_in(story.world.account)
    admin.find(story.sent[0].splitlines()[0])
    assert admin.read() == whole
    assert admin.page.locator(".talk-turns :is(.talk-words *, img, script)").count() == 0
    equals_what_was_said(admin.transcript_csv(), whole, story.sent)
    assert story.complaints == []


def equals_what_was_said(rows: list[dict[str, str]], whole: list[str], sent: list[str]) -> None:
    """Every utterance once, in order; every answer as sent, with exactly one reply."""
    assert [int(row["position"]) for row in rows] == list(range(1, len(rows) + 1))
    assert len({row["session_id"] for row in rows}) == 1
    texts = [unescape_formula(row["text"]) for row in rows]
    assert texts == whole
    answers = [text for text, row in zip(texts, rows, strict=True) if row["role"] == "participant"]
    assert answers == [stored(text) for text in sent]
    turns = [list(turn) for _, turn in groupby(rows, key=itemgetter("turn"))]
    assert len(turns) == len({row["turn"] for row in rows})
    assert all(is_one_reply(turn) for turn in turns[1:]), turns


def is_one_reply(turn: list[dict[str, str]]) -> bool:
    """Whether it is an answer and one reply to it; the button's goodbye answers nothing."""
    roles = [row["role"] for row in turn]
    replies = [row["kind"] for row in turn[1:] if row["kind"] != "transition"]
    by_button = [row["kind"] for row in turn] == ["outro"]
    return by_button or (roles.count("participant") == 1 == len(replies) and roles[0] != roles[1])
