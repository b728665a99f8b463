"""What pages say, and in which language; what they tell a screen reader."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessible import check
from tests.browser.participant import Participant


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
    page.locator("form.begin button[value=agreed]").click()
    page.wait_for_url("**/s/**")
    expect(anna.button("Отправить")).to_be_visible()
    expect(page.locator("#log")).to_contain_text("Вопрос 1")


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/i/closed/", 200, "is closed"),
        ("/i/early/", 200, "opens on"),
        ("/i/unknown/", 404, "Page not found"),
        ("/s/nonsense/", 404, "Page not found"),
    ],
)
def test_what_is_not_open_is_kind(
    anna: Participant, page: Page, path: str, status: int, words: str
) -> None:
    response = page.goto(anna.url + path)
    assert response is not None and response.status == status
    expect(page.locator("main")).to_contain_text(words)


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
