"""Pages are light, live on a slow line, and hold still for who wants that."""

import gzip

import pytest
from playwright.sync_api import CDPSession, Page, Response, expect

from tests.browser.complaints import Complaints
from tests.browser.participant import Participant

MOST_BYTES = 60 * 1024  # of a page with all that it loads, packed
MOST_REQUESTS = 20
SLOW = {  # as a telephone has it at the edge of a village: 400 ms there and back, 50 kB a second
    "offline": False,
    "latency": 400,
    "downloadThroughput": 50_000,
    "uploadThroughput": 20_000,
}
PAGES = {
    "first page": "/",
    "start": "/i/place/?language=en",
    "start, Arabic": "/i/place/?language=ar",
    "closed": "/i/closed/",
    "not found": "/nowhere/",
}
OF_SESSION = {"chat": "", "transcript": "transcript/", "withdraw": "withdraw/", "finish": "end/"}


@pytest.fixture
def line(page: Page) -> CDPSession:
    """The browser's line, without its cache."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    return session


def test_every_page_is_light(
    anna: Participant,
    page: Page,
    line: CDPSession,
    complaints: Complaints,
    capsys: pytest.CaptureFixture[str],
) -> None:
    anna.begin_by_hand()
    addresses = {name: anna.url + path for name, path in PAGES.items()}
    addresses |= {name: anna.address + path for name, path in OF_SESSION.items()}
    weighed = {name: _weight(page, address) for name, address in addresses.items()}
    with capsys.disabled():
        print()
        for name, (requests, packed) in weighed.items():
            print(f"{name}: {requests} requests, {packed / 1024:.1f} KB packed")
    assert max(packed for _, packed in weighed.values()) <= MOST_BYTES
    assert max(requests for requests, _ in weighed.values()) <= MOST_REQUESTS


def _weight(page: Page, address: str) -> tuple[int, int]:
    """Requests of a page, and what their answers weigh in bytes, packed."""
    responses: list[Response] = []

    def heard(response: Response) -> None:
        responses.append(response)

    page.on("response", heard)
    page.goto(address, wait_until="networkidle")
    page.remove_listener("response", heard)
    # asked for once more, as the browser may have let go of a body already
    bodies = (page.request.get(one.url).body() for one in responses)
    return len(responses), sum(len(gzip.compress(body, 9)) for body in bodies)


def test_an_interview_on_a_slow_line(
    anna: Participant, page: Page, line: CDPSession, complaints: Complaints
) -> None:
    line.send("Network.emulateNetworkConditions", SLOW)
    anna.begin_by_hand()
    anna.answer("By the river.")
    anna.button("Skip").click()
    expect(anna.said.get_by_text("Question 3")).to_be_visible()
    page.reload()
    anna.yours()
    anna.answer("Nothing at all.")
    anna.phase("over")
    assert anna.mine() == ["By the river.", "Nothing at all."]
    assert complaints == []


def test_nothing_moves_where_motion_is_not_wanted(slow_anna: Participant) -> None:
    page = slow_anna.page
    page.emulate_media(reduced_motion="reduce")
    slow_anna.begin_by_hand()
    slow_anna.box.fill("By the river.")
    slow_anna.box.press("Enter")
    slow_anna.phase("asking")
    assert page.evaluate("document.getAnimations().length") == 0
    expect(page.locator("#draft")).to_be_visible()
    slow_anna.yours()


@pytest.mark.parametrize("missing", ["chat.js", "composer.js", "htmx-2.min.js"])
def test_where_a_script_does_not_arrive_forms_do_it(
    anna: Participant, page: Page, missing: str
) -> None:
    page.route(f"**/{missing}", lambda route: route.abort())
    anna.begin_by_hand()
    anna.box.fill("By the river.")
    anna.button("Send").click()
    expect(page.locator(".said.you .words")).to_have_text(["By the river."])
    anna.yours()
    anna.button("Skip").click()
    expect(page.locator(".said.you")).to_have_count(2)
    expect(anna.said.get_by_text("Question 3")).to_have_count(1)
