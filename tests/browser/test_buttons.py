"""Skip, pause, finish; and the whole of it by the keyboard alone."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.participant import Participant
from tests.browser.site import Site
from tests.fake_provider import FakeProvider


def test_skip(anna: Participant) -> None:
    anna.begin()
    anna.button("Skip").click()
    expect(anna.page.locator(".said.you")).to_contain_text("Skipped")
    anna.yours()
    anna.button("Skip").click()
    expect(anna.page.locator(".said.you")).to_have_count(2)
    anna.yours()
    assert anna.texts()[-1] == "What would you change?"


def test_pause_and_go_on(anna: Participant) -> None:
    anna.begin()
    anna.box.fill("unfinished")
    anna.button("Pause").click()
    anna.phase("paused")
    expect(anna.box).to_be_hidden()
    expect(anna.button("Continue")).to_be_focused()
    expect(anna.button("Continue")).to_have_accessible_description(re.compile("^Paused Come back"))
    anna.page.reload()
    anna.phase("paused")
    anna.button("Continue").click()
    anna.yours()
    expect(anna.box).to_have_value("unfinished")
    expect(anna.box).to_be_focused()


@pytest.fixture
def slower(provider: FakeProvider) -> Iterator[None]:
    """The model takes longer than a click on a busy machine."""
    usual, provider.ttft = provider.ttft, 5.0
    yield
    provider.ttft = usual


def test_pause_while_the_interviewer_speaks(slow_anna: Participant, slower: None) -> None:
    anna = slow_anna.begin()
    anna.box.fill("It was loud there.")
    anna.box.press("Enter")
    anna.phase("asking")
    anna.button("Pause").click()
    expect(anna.page.locator("#state")).to_contain_text("will pause when")
    anna.phase("paused")
    assert len(anna.texts()) >= 4


def test_finish_asks_once(anna: Participant) -> None:
    anna.begin()
    anna.answer("Just this.")
    anna.page.get_by_text("Menu", exact=True).click()
    anna.page.get_by_role("link", name="Finish").click()
    dialog = anna.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Your answers will be saved")
    dialog.get_by_role("button", name="Continue the interview").click()
    anna.phase("yours")
    anna.page.get_by_text("Menu", exact=True).click()
    anna.page.get_by_role("link", name="Finish").click()
    dialog.get_by_role("button", name="Finish the interview").click()
    anna.phase("over")
    expect(anna.page.get_by_role("heading", name="You’re done")).to_be_focused()
    expect(anna.box).to_be_hidden()
    anna.page.locator(".afterwards").get_by_role("link", name="Read your transcript").click()
    assert "Just this." in anna.texts()
    with anna.page.expect_download() as download:
        anna.page.get_by_role("link", name="Download your transcript").click()
    text = download.value.path().read_text()
    assert "Just this." in text and "Where do you live now?" in text


def test_finishing_says_what_was_not_sent(anna: Participant) -> None:
    anna.begin()
    for words, warned in (("", False), ("Half a sentence", True)):
        anna.box.fill(words)
        anna.page.get_by_text("Menu", exact=True).click()
        anna.page.get_by_role("link", name="Finish").click()
        dialog = anna.page.get_by_role("dialog")
        expect(dialog.get_by_text("haven’t sent")).to_be_visible(visible=warned)
        dialog.get_by_role("button", name="Continue the interview").click()
    expect(anna.box).to_have_value("Half a sentence")


def test_to_the_end(anna: Participant) -> None:
    anna.begin()
    for text in ("By the river.", "The evening.", "Nothing at all."):
        anna.answer(text)
    anna.phase("over")
    assert anna.texts()[-1] == "Thank you, Anna. That was the last question."
    expect(anna.page.locator(".ending")).to_contain_text("You’re done")
    expect(anna.page.locator("#ending")).to_be_focused()
    expect(anna.page.locator("#progress")).to_be_empty()


def test_by_the_keyboard_alone(anna: Participant, page: Page) -> None:
    keys = page.keyboard
    page.goto(anna.url)
    keys.press("Tab")
    expect(page.get_by_text("Skip to content")).to_be_focused()
    _tab_to(page, "A place to live")
    keys.press("Enter")
    page.wait_for_url("**/i/place/")
    _tab_to(page, "name")
    keys.type("Anna")
    keys.press("Tab")
    keys.press("Enter")
    page.wait_for_url("**/s/**")
    anna.yours()
    expect(anna.box).to_be_focused()
    keys.type("By the river.")
    keys.press("Enter")
    expect(page.locator(".said.you")).to_have_count(1)
    anna.yours()
    expect(anna.box).to_be_focused()
    keys.press("Tab")
    keys.press("Enter")  # Skip
    expect(page.locator(".said.you")).to_have_count(2)
    anna.yours()
    keys.press("Shift+Tab")
    _tab_to(page, "finish", backwards=True)
    keys.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    keys.press("Enter")
    anna.phase("over")


def _tab_to(page: Page, name: str, backwards: bool = False) -> None:
    """By Tab to the thing of that name or id; menus on the way are opened."""
    for _ in range(20):
        page.keyboard.press("Shift+Tab" if backwards else "Tab")
        at = page.evaluate("[document.activeElement.id, document.activeElement.textContent.trim()]")
        if name in at:
            return
        if "Menu" in at:
            page.keyboard.press("Enter")
            backwards = False
    raise AssertionError(f"{name} is not reached")


def test_a_failure_is_not_said_any_more_once_it_worked(anna: Participant) -> None:
    anna.begin()
    anna.page.route("**/skip/", lambda route: route.fulfill(status=503), times=1)
    anna.button("Skip").click()
    expect(anna.notice).to_contain_text("Please try again")
    anna.button("Skip").click()
    expect(anna.page.locator(".said.you")).to_have_count(1)
    anna.yours()
    expect(anna.notice).to_be_empty()


def test_a_double_click_skips_one_question(anna: Participant, page: Page) -> None:
    anna.begin()
    anna.button("Skip").hover()
    for clicks in (1, 2):  # so slowly that the next question is there at the second
        page.mouse.down(click_count=clicks)
        page.mouse.up(click_count=clicks)
        expect(page.locator(".said.you")).to_have_count(1)
        anna.yours()
    page.wait_for_timeout(300)
    expect(page.locator(".said.you")).to_have_count(1)
    anna.button("Skip").click()
    expect(page.locator(".said.you")).to_have_count(2)


def test_what_the_menu_offers_stands_on_one_line_each(anna: Participant, page: Page) -> None:
    anna.begin()
    page.get_by_text("Menu", exact=True).click()
    for item in page.locator(".menu-list :is(a, button)").all():
        assert item.bounding_box()["height"] <= 44, item.text_content()


def test_a_skip_button_looks_unpressed_after_a_touch(browser: Browser, site: Site) -> None:
    context = browser.new_context(has_touch=True, is_mobile=True, locale="en-GB")
    anna = Participant(context.new_page(), site.url).begin()
    skip = anna.button("Skip")
    edge = "e => getComputedStyle(e).borderTopColor"
    before = skip.evaluate(edge)
    skip.tap()
    anna.page.wait_for_function("() => document.querySelector('.quiet:hover')")
    assert skip.evaluate(edge) == before
    context.close()


def test_all_of_the_menu_is_reached_on_a_low_screen(anna: Participant, page: Page) -> None:
    page.set_viewport_size({"width": 667, "height": 300})  # a phone on its side
    anna.begin()
    page.get_by_text("Menu", exact=True).click()
    last = page.locator("#menu").get_by_role("link", name="Withdraw")
    page.mouse.move(600, 200)
    page.mouse.wheel(0, 1_000)
    expect(last).to_be_in_viewport(ratio=1)


def test_no_title_is_cut_to_a_few_letters_on_a_phone(anna: Participant, page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    anna.begin()
    title = page.get_by_role("heading", name="A place to live")
    assert title.bounding_box()["width"] == 1  # for screen readers
    page.goto(f"{anna.address}end/")
    anna.button("Finish the interview").click()
    anna.phase("over")
    assert title.evaluate("e => e.scrollWidth <= e.clientWidth && e.clientWidth > 100")


def test_the_menu_stays_on_a_phone_in_large_letters(anna: Participant, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    anna.begin()
    expect(page.locator("#progress")).to_have_text("Question 1 of 3")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_text("Menu", exact=True).click()
    for part in page.locator("#menu :is(summary, .menu-list)").all():
        expect(part).to_be_in_viewport(ratio=1)
