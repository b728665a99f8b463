"""The care text and "shall we stop?": two buttons beside the text box; links that can be used."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.complaints import Complaints
from tests.browser.participant import Participant

CRY = "I want to die."
PHONE = {"width": 390, "height": 844}
IN_SIGHT = """link => {
  const { left, top, width, height } = link.getBoundingClientRect();
  return link.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""


@pytest.fixture
def met(anna: Participant) -> Participant:
    """Somebody who was just met with care."""
    anna.begin()
    anna.answer(CRY)
    expect(anna.page.locator(".said.care")).to_be_visible()
    return anna


def test_continue_asks_the_open_question_again(met: Participant, complaints: Complaints) -> None:
    met.box.fill("a draft")
    met.button("Continue").click()
    expect(met.page.locator(".replies")).to_have_count(0)
    met.yours()
    assert met.mine() == [CRY, "Continue"]
    assert met.texts()[-1] == "Where do you live now?"
    expect(met.box).to_have_value("a draft")
    expect(met.box).to_be_focused()
    assert complaints == []


def test_stop_here_after_a_reload(met: Participant, page: Page) -> None:
    page.reload()
    met.yours()
    met.button("Stop here").click()
    met.phase("over")
    assert met.mine() == [CRY, "Stop here"]
    expect(page.locator(".replies")).to_have_count(0)


def test_words_do_it_as_well(met: Participant) -> None:
    met.answer("It began in the spring.")
    expect(met.button("Continue")).to_be_visible()
    met.answer("yes")
    expect(met.button("Continue")).to_be_hidden()
    assert met.texts()[-1] == "Where do you live now?"


def test_a_wish_to_stop_is_confirmed_by_a_button(anna: Participant) -> None:
    anna.begin()
    anna.answer("Please stop the interview.")
    anna.button("Continue").click()
    expect(anna.said.get_by_text("Where do you live now?")).to_have_count(2)
    anna.yours()
    anna.answer("Please stop the interview.")
    anna.button("End the interview").click()
    anna.phase("over")


def test_by_the_keyboard(met: Participant, page: Page) -> None:
    expect(met.box).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(met.button("Stop here")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(met.button("Continue")).to_be_focused()
    page.keyboard.press("Enter")
    expect(met.page.locator(".replies")).to_have_count(0)
    met.yours()
    expect(met.box).to_be_focused()


def test_a_press_on_another_page_shows_here(met: Participant, page: Page) -> None:
    other = Participant(page.context.new_page(), met.url)
    other.page.goto(met.address)
    other.button("Continue").click()
    expect(met.button("Continue")).to_have_count(0)
    assert met.mine() == [CRY, "Continue"]


def test_buttons_and_number_are_large_enough_on_a_phone(met: Participant, page: Page) -> None:
    page.set_viewport_size(PHONE)
    for name in ("Continue", "Stop here"):
        box = met.button(name).bounding_box()
        assert box and box["height"] >= 44
    expect(page.locator(".said.care a")).to_have_attribute("href", "tel:112")


def test_without_a_model_the_page_says_so_once(anna: Participant, page: Page) -> None:
    anna.begin()
    note = page.get_by_role("note")
    expect(note).to_contain_text("without a language model")
    anna.answer("By the river.")
    expect(note).to_have_count(1)
    page.goto(f"{anna.address}end/")
    anna.button("Finish the interview").click()
    anna.phase("over")
    expect(note).to_be_hidden()


def test_with_a_model_it_says_nothing_of_the_kind(slow_anna: Participant) -> None:
    slow_anna.begin()
    expect(slow_anna.page.get_by_role("note")).to_have_count(0)


def test_a_number_that_the_keyboard_comes_to_is_in_sight(met: Participant, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 600})
    met.button("Continue").click()
    expect(met.said.get_by_text("Where do you live now?")).to_have_count(2)
    met.yours()
    met.answer("By the river, in a small house. " * 20)
    link = page.locator(".said.care a")
    for place in (10, 540):  # under what stands at the top, and under the text box
        link.evaluate("(link, y) => scrollBy(0, link.getBoundingClientRect().top - y)", place)
        met.box.evaluate("box => box.focus({ preventScroll: true })")
        link.focus()
        assert link.evaluate(IN_SIGHT)
