"""The end of an interview: what is given, how it was, and what was said to read and to keep."""

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.accessible import check
from tests.browser.participant import Participant
from tests.browser.site import Site
from tests.services.databases import Database

TOLD = "it's ann.canary@example.org"


def test_an_address_is_masked_and_a_code_is_given(anna: Participant) -> None:
    anna.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    anna.begin("thankful")
    anna.page.get_by_text("Menu", exact=True).click()
    anna.page.get_by_role("link", name="Finish").click()
    anna.page.get_by_role("dialog").get_by_role("button", name="Finish the interview").click()
    expect(anna.said.last).to_contain_text("e-mail address")
    anna.yours()
    anna.answer("Yes, that's fine")
    anna.answer(TOLD)
    anna.phase("over")
    assert anna.mine() == ["Yes, that's fine", "it's [e-mail]"]
    code = anna.page.get_by_label("Your reward code")
    expect(code).to_have_value("THANKS-7")
    anna.button("Copy code").click()
    expect(anna.button("Copied")).to_be_visible()
    assert anna.page.evaluate("navigator.clipboard.readText()") == "THANKS-7"
    anna.page.reload()
    expect(code).to_have_value("THANKS-7")
    assert "canary" not in anna.page.content()
    assert "canary" not in str(anna.page.evaluate("JSON.stringify(localStorage)"))


def test_on_a_phone(anna: Participant) -> None:
    anna.page.set_viewport_size({"width": 360, "height": 740})
    anna.begin("thankful")
    anna.page.goto(f"{anna.address}end/")
    anna.page.get_by_role("button", name="Finish the interview").click()
    anna.yours()
    anna.answer("no")
    anna.phase("over")
    code = anna.page.get_by_label("Your reward code")
    code.evaluate("e => { e.value = 'QUARTIERE-L8VBE23XKQ-7' }")
    cut = "e => e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight"
    assert not code.evaluate(cut)  # or it can't be written down
    wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    assert not anna.page.evaluate(wide)


def whole(anna: Participant, bot: str = "pool", language: str = "en") -> None:
    """An interview that went through to its end."""
    anna.begin(bot, language=language)
    for words in ("By the river.", "The early morning.", "Nothing at all."):
        anna.answer(words)
    anna.phase("over")


def test_long_words_of_a_scale_stay_in_its_frame_on_a_phone(anna: Participant) -> None:
    page = anna.page
    page.set_viewport_size({"width": 360, "height": 740})
    whole(anna, "place")
    for word in page.locator(".scale small").all():
        word.evaluate("e => { e.textContent = 'moltissimo' }")  # as in Italian
    frame = page.locator(".rating").bounding_box()
    last = page.locator(".scale small").last.bounding_box()
    assert last["x"] + last["width"] < frame["x"] + frame["width"] - 4
    marks = [page.locator(f"#heard-{mark}").bounding_box()["x"] for mark in (1, 2, 4, 5)]
    assert marks[1] - marks[0] == pytest.approx(marks[3] - marks[2], abs=1)


def wait_for(page: Page, done: Callable[[], bool]) -> None:
    until = time.monotonic() + 30
    while not done() and time.monotonic() < until:
        page.wait_for_timeout(50)
    assert done()


def test_how_it_was_by_keyboard_alone(anna: Participant, complaints: list[str]) -> None:
    page = anna.page
    whole(anna)
    check(page)
    page.get_by_role("radio", name="1 not at all").first.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "Tab", "Space", "Tab", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(".rating")).to_contain_text("Your rating is saved")
    expect(page.get_by_role("status").filter(has_text="saved")).to_be_attached()
    expect(page.locator("#rate")).to_be_focused()
    for mark in ("heard-4", "ease-1"):
        expect(page.locator(f"#{mark}")).to_be_checked()
    check(page)
    page.reload()
    page.get_by_role("group", name="what mattered").get_by_label("5 very much").check()
    anna.button("Change rating").click()
    expect(page.get_by_role("status").filter(has_text="saved")).to_be_attached()
    page.reload()
    for mark in ("heard-4", "ease-5"):
        expect(page.locator(f"#{mark}")).to_be_checked()
    assert complaints == []


def test_what_is_chosen_outlives_a_lost_connection(anna: Participant) -> None:
    page = anna.page
    opened: list[WebSocketRoute] = []
    heard: list[str | bytes] = []

    def through(socket: WebSocketRoute) -> None:
        opened.append(socket)
        server = socket.connect_to_server()
        server.on_message(lambda message: (heard.append(message), socket.send(message)))

    page.route_web_socket("**/ws/**", through)
    whole(anna)
    page.locator("#heard-2").check()
    before = len(heard)
    opened[-1].close(code=1011, reason="test")
    wait_for(page, lambda: len(heard) > before)
    expect(page.locator("#heard-2")).to_be_checked()
    anna.button("Send rating").click()
    expect(page.locator(".rating")).to_contain_text("Your rating is saved")
    page.reload()
    expect(page.locator("#heard-2")).to_be_checked()


def test_how_it_was_without_script(new_context, site: Site) -> None:
    anna = Participant(new_context(java_script_enabled=False).new_page(), site.url)
    anna.begin("pool")
    anna.page.goto(f"{anna.address}end/")
    anna.button("Finish the interview").click()
    anna.phase("over")
    expect(anna.page.get_by_label("Your reward code")).to_be_visible()
    expect(anna.button("Copy code")).to_be_hidden()
    anna.page.get_by_role("group", name="listened").get_by_label("4").check()
    anna.button("Send rating").click()
    expect(anna.page.locator(".rating")).to_contain_text("Your rating is saved")
    expect(anna.page.locator("#heard-4")).to_be_checked()


def test_the_same_code_through_a_killed_server_and_on_another_device(
    new_site: Callable[..., Site], page: Page, new_context
) -> None:
    site = new_site()
    anna = Participant(page, site.url)
    whole(anna)
    code = page.get_by_label("Your reward code").input_value()
    page.get_by_text("Menu", exact=True).click()
    expect(anna.button("Continue on another device")).to_have_count(0)
    anna.button("Read your answers on another device").click()
    dialog = page.get_by_role("dialog", name="Read your answers on another device")
    expect(dialog).to_contain_text("to read your answers there")
    link = page.locator("#personal-link").input_value()
    site.kill()
    site.start()
    page.reload()
    expect(page.get_by_label("Your reward code")).to_have_value(code)
    other: Page = new_context().new_page()
    other.goto(link)
    expect(other.get_by_label("Your reward code")).to_have_value(code)
    drawn = "SELECT code FROM plans_rewardcode WHERE drawn_for IS NOT NULL"
    assert Database(site.data).rows(drawn) == [(code,)]


def test_read_again_from_right_to_left(anna: Participant) -> None:
    page = anna.page
    whole(anna, language="ar")
    expect(page.get_by_role("radio").first).to_be_in_viewport(ratio=0)
    one, five = (page.locator(f"#heard-{mark}").bounding_box() for mark in (1, 5))
    assert one["x"] > five["x"]
    page.goto(f"{anna.address}transcript/")
    check(page)
    mine = page.locator(".said.you").first.bounding_box()
    theirs = page.locator(".said.interviewer .label").first.bounding_box()
    assert mine["x"] < theirs["x"] + theirs["width"] / 2
    with page.expect_download() as download:
        page.locator("a[download]").click()
    text = download.value.path().read_text("utf-8")
    assert text.startswith("\u200f")
    assert "By the river." in text


def test_a_transcript_tells_the_times_of_the_readers_zone(new_context, site: Site) -> None:
    anna = Participant(new_context(timezone_id="America/Guyana").new_page(), site.url).begin()
    anna.page.get_by_text("Menu", exact=True).click()
    anna.page.get_by_role("link", name="Read your transcript").click()
    expect(anna.page.get_by_text("America/Guyana")).to_be_visible()
    for place in ("transcript/", "withdraw/"):
        anna.page.goto(f"{anna.address}{place}")
        with anna.page.expect_download() as download:
            anna.page.locator("a[download]").click()
        assert "(America/Guyana)" in download.value.path().read_text("utf-8")


def test_it_fits_on_paper(anna: Participant) -> None:
    whole(anna)
    page = anna.page
    page.emulate_media(color_scheme="dark", media="print")
    page.goto(f"{anna.address}transcript/")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(251, 249, 246)"
    expect(page.locator("a[download]")).to_be_hidden()
    assert page.pdf(format="A4").startswith(b"%PDF")
    page.emulate_media(media="screen")
    expect(page.locator("a[download]")).to_be_visible()


def test_a_rating_without_a_choice_is_told_what_is_missing(anna: Participant) -> None:
    whole(anna)
    anna.button("Send rating").click()
    expect(anna.notice).to_contain_text("Choose an answer first")
    told, rest = anna.notice.bounding_box(), anna.page.locator(".afterwards").bounding_box()
    assert told["y"] + told["height"] < rest["y"]  # beside the button, not at the page's end
