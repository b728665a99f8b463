"""From the first sign of danger to the end, on the narrowest phone: where there is help is in sight
at each step."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from interviews.engine.language.sentences import spaced_sentences
from tests.browser.participant import Participant
from tests.browser.site import Site

CRY = "I want to die."
GRAVER = "I have the pills here."
PHONE = {"width": 320, "height": 568}
KINDS = ("place", "explored", "assessed", "handed-over", "laddered")
IN_SIGHT = """() => [...document.querySelectorAll('a[href="tel:112"]')].some(link => {
  const { left, top, width, height } = link.getBoundingClientRect();
  return link.contains(document.elementFromPoint(left + width / 2, top + height / 2));
})"""


class Walker(Participant):
    """Somebody in danger, who sees a number at each step."""

    def sees_help(self, step: str) -> None:
        assert self.page.evaluate(IN_SIGHT), f"no number on screen: {step}"

    def open_question(self) -> str:
        """The question itself, as it stands on the page."""
        return spaced_sentences(self.texts()[-1])[-1]

    def is_current(self, question: str) -> None:
        """The question is the last that was said, and its beginning is in sight."""
        assert question in self.texts()[-1]
        expect(self.said.last.locator(".words")).to_be_in_viewport()

    def walk(self, ending: str) -> None:
        question = self.open_question()
        self.answer(CRY)
        self.sees_help("after the first sign")
        self.answer(GRAVER)
        assert "112" in self.texts()[-1]
        self.sees_help("after the second sign")
        self.button("Continue").click()
        expect(self.page.locator(".replies")).to_have_count(0)
        self.yours()
        self.is_current(question)
        self.sees_help("with the question again")
        self.answer("It is a quiet place by the river, with a garden and two neighbours.")
        self.sees_help("after an answer")
        self.answer(CRY)
        assert self.texts()[-1].index("112") < 100
        self.sees_help("after a later sign")
        self.end(ending)
        self.phase("over")
        self.sees_help("at the end")
        self.page.reload()
        self.sees_help("at the end, when they come back")
        self.ends_with_care()

    def end(self, how: str) -> None:
        if how == "finish":
            self.page.get_by_text("Menu", exact=True).click()
            self.page.get_by_role("link", name="Finish the interview").click()
            self.page.get_by_role("dialog").get_by_role("button", name="Finish").click()
        elif how == "words":
            self.answer("No.")
        else:
            self.button("Stop here").click()

    def ends_with_care(self) -> None:
        cards = self.page.locator("#state > section")
        expect(cards.first).to_contain_text("112")
        expect(cards.nth(1)).to_contain_text("You’re done")
        expect(self.page.get_by_text("Did you feel listened to?")).to_have_count(0)


@pytest.fixture
def phone(page: Page) -> Page:
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    return page


@pytest.mark.parametrize("bot", KINDS)
def test_without_a_model(phone: Page, site: Site, bot: str) -> None:
    Walker(phone, site.url).begin(bot).walk("button")


@pytest.mark.parametrize("bot", KINDS)
def test_with_a_model(phone: Page, quick_site: Site, bot: str) -> None:
    Walker(phone, quick_site.url).begin(bot).walk("words" if bot == "explored" else "finish")


def test_another_windows_end_brings_the_contacts(phone: Page, site: Site) -> None:
    anna = Walker(phone, site.url).begin()
    anna.answer(CRY)
    other = Walker(phone.context.new_page(), site.url)
    other.page.goto(anna.address)
    other.button("Stop here").click()
    anna.phase("over")
    anna.sees_help("after another window's end")
    anna.ends_with_care()


def test_something_hard_before_it_leaves_the_question_and_no_invitation(
    phone: Page, site: Site
) -> None:
    anna = Walker(phone, site.url).begin()
    anna.answer("My mother died last winter, and the house has been empty since.")
    assert "Where do you live" not in anna.open_question()
    anna.answer(CRY)
    anna.button("Continue").click()
    expect(phone.locator(".replies")).to_have_count(0)
    anna.yours()
    anna.is_current("Where do you live now?")


def test_withdrawing_leads_to_the_contacts(phone: Page, site: Site) -> None:
    anna = Walker(phone, site.url).begin()
    anna.answer(CRY)
    phone.goto(f"{anna.address}withdraw/")
    anna.sees_help("before withdrawing")
    anna.button("Withdraw and delete my answers").click()
    phone.wait_for_url("**/withdrawn/**")
    anna.sees_help("after withdrawing")


def test_without_a_script(browser: Browser, site: Site) -> None:
    context = browser.new_context(java_script_enabled=False, viewport=PHONE, locale="en-GB")  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{site.url}/i/place/?language=en")
    page.get_by_role("button", name=re.compile("Agree")).click()
    for text in (CRY, GRAVER):
        page.locator("#text").fill(text)
        page.get_by_role("button", name="Send", exact=True).click()
        expect(page.locator("#help a")).to_be_in_viewport()
    page.get_by_role("button", name="Continue", exact=True).click()
    expect(page.locator("#log .said").last).to_contain_text("Where do you live now?")
    expect(page.locator("#help a")).to_be_in_viewport()
    page.goto(f"{page.url.partition('#')[0]}end/")
    expect(page.locator(".care a")).to_be_in_viewport()
    page.get_by_role("button", name="Finish the interview").click()
    expect(page.locator("#state > section").first).to_contain_text("112")
    expect(page.locator("#help a")).to_be_in_viewport()
    context.close()
