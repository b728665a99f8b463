"""Every page: accessible, light, and quiet in the console."""

import gzip
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Response, expect

from tests.browser.participant import Participant

MOST_BYTES = 60 * 1024
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def check(page: Page) -> None:
    """What axe finds, in words."""
    results: dict[str, Any] = (
        Axe().run(page, options={"runOnly": {"type": "tag", "values": RULES}}).response
    )
    found = [
        f"{violation['id']}: {node['html'][:120]} {node.get('failureSummary', '')[:200]}"
        for violation in results["violations"]
        for node in violation["nodes"]
    ]
    assert found == [], page.url


def test_axe_finds_nothing(anna: Participant, page: Page, complaints: list[str]) -> None:
    for path in ("/", "/i/place/?language=en", "/i/closed/", "/i/early/"):
        page.goto(anna.url + path)
        check(page)
    anna.begin()
    anna.answer("By the river.")
    anna.button("Skip").click()
    anna.yours()
    page.get_by_text("Menu", exact=True).click()
    check(page)
    anna.button("Go on elsewhere").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    check(page)
    page.keyboard.press("Escape")
    anna.button("Pause").click()
    anna.phase("paused")
    check(page)
    address = anna.address
    for path in ("/i/place/?language=en", "/i/place/?language=ru"):  # with an interview begun
        page.goto(anna.url + path)
        check(page)
    page.goto(f"{address}end/")
    check(page)
    anna.button("Finish").click()
    anna.phase("over")
    check(page)
    page.goto(f"{address}transcript/")
    check(page)
    assert complaints == []
    page.goto(f"{anna.url}/nowhere/")
    check(page)


def test_the_dark_has_contrast_too(anna: Participant, page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto(f"{anna.url}/i/place/?language=en")
    check(page)
    anna.begin()
    anna.answer("By the river.")
    check(page)
    page.goto(f"{anna.address}transcript/")
    check(page)


def test_axe_finds_nothing_while_the_interviewer_speaks(slow_anna: Participant) -> None:
    anna = slow_anna.begin()
    anna.box.fill("The harbour was loud.")
    anna.box.press("Enter")
    expect(anna.page.locator("#draft-words")).not_to_be_empty()
    check(anna.page)
    anna.yours()


def test_a_language_from_right_to_left(anna: Participant, page: Page) -> None:
    anna.begin(language="ar")
    anna.answer("قرب النهر")
    words = page.locator("#log .interviewer .words").last.bounding_box()
    mine = page.locator(".said.you").bounding_box()
    assert mine["x"] < 640 < words["x"] + words["width"]  # theirs left, the interviewer's right
    check(page)


def test_the_interface_speaks_the_interview_s_language(anna: Participant, page: Page) -> None:
    page.goto(f"{anna.url}/i/place/?language=ru")
    assert page.locator("html").get_attribute("lang") == "ru"
    page.locator("form.begin button").click()
    page.wait_for_url("**/s/**")
    expect(anna.button("Отправить")).to_be_visible()
    expect(page.locator("#log")).to_contain_text("Вопрос 1")


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/i/closed/", 200, "is closed"),
        ("/i/early/", 200, "opens on"),
        ("/i/unknown/", 404, "nothing to see here"),
        ("/s/nonsense/", 404, "nothing to see here"),
    ],
)
def test_what_is_not_open_is_kind(
    anna: Participant, page: Page, path: str, status: int, words: str
) -> None:
    response = page.goto(anna.url + path)
    assert response is not None and response.status == status
    expect(page.locator("main")).to_contain_text(words)


def test_the_chat_is_light(anna: Participant, page: Page, complaints: list[str], capsys) -> None:
    anna.begin()
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    wire: list[int] = []
    session.on(
        "Network.loadingFinished", lambda event: wire.append(int(event["encodedDataLength"]))
    )
    responses: list[Response] = []
    page.on("response", lambda response: responses.append(response))
    page.reload(wait_until="networkidle")
    packed = sum(len(gzip.compress(response.body(), 9)) for response in responses)
    with capsys.disabled():
        print(
            f"\nchat page: {len(responses)} requests, {packed / 1024:.1f} KB packed,"
            f" {sum(wire) / 1024:.1f} KB over the wire as served here"
        )
    assert packed <= MOST_BYTES
    assert complaints == []


def test_new_words_are_announced_once_and_whole(slow_anna: Participant) -> None:
    anna = slow_anna.begin()
    log = anna.page.get_by_role("log")
    anna.page.evaluate(
        """() => {
          window.added = [];
          new MutationObserver((changes) => changes.forEach((change) =>
            change.addedNodes.forEach((node) => node.matches?.('.interviewer') &&
              window.added.push(node.querySelector('.words').textContent))
          )).observe(document.getElementById('log'), {childList: true, subtree: true});
        }"""
    )
    anna.answer("The harbour was loud.")
    said = list(anna.texts()[3:])
    assert anna.page.evaluate("window.added") == said
    assert log.locator("#draft").count() == 0
    assert anna.page.locator("#draft").get_attribute("aria-hidden") == "true"
