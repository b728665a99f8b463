"""The interview on another device."""

from playwright.sync_api import Browser, expect

from tests.browser.participant import Participant
from tests.browser.site import Site

LONG = "We lived by the river, in a small house with a garden and two neighbours. " * 6
PHONE = {"width": 390, "height": 844}


def test_another_device_opens_with_the_open_question_in_view(
    anna: Participant, browser: Browser, site: Site
) -> None:
    anna.begin("long")
    for _ in range(12):
        anna.answer(LONG)
    context = browser.new_context(viewport=PHONE)  # type: ignore[arg-type]
    elsewhere = Participant(context.new_page(), site.url)
    elsewhere.page.goto(anna.link)
    for _ in range(2):
        elsewhere.yours()
        assert elsewhere.texts() == anna.texts()
        elsewhere.page.wait_for_load_state("networkidle")
        expect(elsewhere.said.last.locator(".words")).to_be_in_viewport()
        elsewhere.page.reload()
    context.close()
