"""The whole of it in a browser that runs no scripts."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.participant import Participant


@pytest.fixture
def plain(new_context, site) -> Participant:
    return Participant(new_context(java_script_enabled=False).new_page(), site.url)


def test_a_whole_interview_by_forms(plain: Participant) -> None:
    plain.begin_by_hand()
    page: Page = plain.page
    plain.box.fill("By the <b>river</b>.\nIn a house.")
    plain.button("Send").click()
    plain.yours()
    assert page.locator(".said.you .words").text_content() == "By the <b>river</b>.\nIn a house."
    plain.button("Skip").click()
    plain.yours()
    plain.button("Pause").click()
    plain.phase("paused")
    plain.button("Continue").click()
    plain.yours()
    page.get_by_text("Menu", exact=True).click()
    plain.button("Continue on another device").click()
    assert "#key=" in page.locator("#personal-link").input_value()
    page.get_by_role("link", name="Back to the interview").click()
    page.get_by_text("Menu", exact=True).click()
    page.get_by_role("link", name="Finish").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Finish the interview?")
    plain.button("Finish the interview").click()
    plain.phase("over")


def test_care_and_stopping_are_answered_by_buttons(plain: Participant) -> None:
    plain.begin_by_hand()
    _send(plain, "I want to die.")
    plain.page.reload()
    plain.button("Continue").click()
    expect(plain.said.get_by_text("just skip it")).to_be_visible()
    expect(plain.button("Continue")).to_have_count(0)
    _send(plain, "Please stop the interview.")
    plain.button("End the interview").click()
    plain.phase("over")
    assert plain.mine()[-3:] == ["Continue", "Please stop the interview.", "End the interview"]


def _send(plain: Participant, text: str) -> None:
    plain.box.fill(text)
    plain.button("Send").click()
    plain.yours()


def test_a_refused_answer_is_given_back(plain: Participant) -> None:
    plain.begin_by_hand()
    plain.box.fill("b" * 20_000)
    with plain.page.expect_response("**/answer/") as response:
        plain.button("Send").click()
    assert response.value.status == 413
    expect(plain.notice).not_to_be_empty()
    assert len(plain.box.input_value()) == 20_000


def test_a_pasted_link_opens_the_interview(plain: Participant, new_context) -> None:
    plain.begin_by_hand()
    plain.page.get_by_text("Menu", exact=True).click()
    plain.button("Continue on another device").click()
    link = plain.page.locator("#personal-link").input_value()
    other = new_context(java_script_enabled=False).new_page()
    other.goto(link)
    other.get_by_label("Paste the whole link here").fill(link)
    other.get_by_role("button", name="Open interview").click()
    assert other.url == plain.address
    expect(other.locator("#state")).to_have_attribute("data-phase", "yours")


def test_somebody_elses_link_is_asked_about_by_forms(plain: Participant, new_context) -> None:
    other = new_context(java_script_enabled=False).new_page()
    link = Participant(other, plain.url).begin_by_hand(name="Ben").page.url
    page = plain.begin_by_hand().page
    assert "#key=" in link
    page.goto(link)
    page.locator("#link").fill(link)
    page.locator("#missing button").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Another interview is open in this browser"
    )
    page.get_by_role("link", name="Continue the open interview").click()
    plain.yours()
    page.goto(link)
    page.locator("#link").fill(link)
    page.locator("#missing button").click()
    plain.button("Open the interview from your link").click()
    plain.yours()
    assert page.url == link


def test_words_not_sent_yet_outlive_a_pause(plain: Participant) -> None:
    plain.begin_by_hand()
    plain.box.fill("Half a\nsentence")
    plain.button("Pause").click()
    plain.phase("paused")
    plain.button("Continue").click()
    plain.yours()
    expect(plain.box).to_have_value("Half a\nsentence")


def test_words_sent_after_the_end_stay_readable(plain: Participant) -> None:
    plain.begin_by_hand()
    end = plain.page.context.new_page()
    end.goto(f"{plain.address}end/")
    end.get_by_role("button", name="Finish the interview").click()
    plain.box.fill("Half a sentence")
    plain.button("Send").click()
    plain.phase("over")
    expect(plain.page.get_by_text("ended in another window")).to_be_visible()
    expect(plain.box).to_have_value("Half a sentence")
    expect(plain.box).not_to_be_editable()
    expect(plain.button("Send")).to_be_hidden()


def test_after_the_end_a_link_is_for_reading(plain: Participant) -> None:
    plain.begin_by_hand()
    plain.page.goto(f"{plain.address}end/")
    plain.button("Finish the interview").click()
    plain.page.get_by_text("Menu", exact=True).click()
    plain.button("Read your answers on another device").click()
    expect(plain.page.get_by_text("to read your answers there")).to_be_visible()
