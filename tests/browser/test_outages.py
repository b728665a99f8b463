"""Whatever breaks: nothing is lost, nothing is doubled, and the page comes back by itself."""

import re
import time
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, WebSocketRoute, expect
from playwright.sync_api import Error as PlaywrightError

from tests.browser.measures import AWAY, measured
from tests.browser.participant import Participant
from tests.browser.site import Site
from tests.fake_provider import FakeProvider
from tests.readings import follows_up

SOCKET = re.compile(r"/ws/s/")
FOLLOW_UP = follows_up(
    "You mention the harbour, and that you lived beside it for so many years. "
    "Which sounds from it could you hear in your bed?"
)


def test_offline_words_are_kept_and_sent_later(anna: Participant, context: BrowserContext) -> None:
    anna.begin()
    context.set_offline(True)
    anna.box.fill("Said in a tunnel.")
    anna.box.press("Enter")
    expect(anna.notice).to_contain_text("saved")
    expect(anna.box).to_have_value("Said in a tunnel.")
    expect(anna.page.locator("#send")).to_have_text("Waiting to send")
    context.set_offline(False)
    expect(anna.page.locator(".said.you")).to_have_count(1)
    anna.yours()
    expect(anna.notice).to_be_empty()
    expect(anna.page.locator("#send")).to_have_text("Send")
    assert anna.mine() == ["Said in a tunnel."]
    anna.page.reload()
    assert anna.mine() == ["Said in a tunnel."]


def test_only_what_was_sent_is_promised_to_be_sent(
    anna: Participant, context: BrowserContext
) -> None:
    anna.begin()
    anna.box.fill("Not sent yet.")
    context.set_offline(True)
    expect(anna.notice).to_contain_text("you can send it when you’re back")
    anna.box.press_sequentially(" More.")
    expect(anna.notice).to_contain_text("you can send it when you’re back")
    anna.button("Skip").click()
    expect(anna.notice).to_contain_text("That didn’t work")
    anna.box.press("Enter")
    expect(anna.notice).to_contain_text("will be sent")
    context.set_offline(False)
    expect(anna.page.locator(".said.you")).to_have_count(1)
    anna.yours()
    expect(anna.notice).to_be_empty()
    context.set_offline(True)
    expect(anna.notice).to_contain_text("you can send it when you’re back")
    context.set_offline(False)
    expect(anna.notice).to_be_empty()


@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_notice_on_several_lines_begins_each_where_reading_begins(
    anna: Participant, context: BrowserContext, language: str
) -> None:
    anna.page.set_viewport_size({"width": 390, "height": 844})
    anna.begin(language=language)
    context.set_offline(True)
    expect(anna.notice).not_to_be_empty()
    lines = anna.notice.locator("span").evaluate(
        "e => [...e.getClientRects()].map((l) => l.toJSON())"
    )
    side = "right" if language == "ar" else "left"
    assert len(lines) > 1
    assert max(line[side] for line in lines) - min(line[side] for line in lines) < 1


def test_after_the_end_being_offline_is_no_news(anna: Participant, context: BrowserContext) -> None:
    anna.begin()
    anna.page.goto(f"{anna.address}end/")
    anna.button("Finish the interview").click()
    anna.phase("over")
    anna.page.locator("#heard-4").check()
    context.set_offline(True)
    anna.page.wait_for_function("() => !navigator.onLine")
    expect(anna.notice).to_be_empty()
    anna.button("Send rating").click()
    expect(anna.notice).to_have_text("That didn’t work. Please try again.")
    context.set_offline(False)
    anna.button("Send rating").click()
    expect(anna.page.locator(".rating")).to_contain_text("Your rating is saved")


def test_a_reload_while_offline_loses_nothing(anna: Participant, context: BrowserContext) -> None:
    anna.begin()
    context.route(re.compile("/answer/"), lambda route: route.abort())
    anna.box.fill("Not yet there.")
    anna.box.press("Enter")
    expect(anna.notice).to_contain_text("saved")
    context.unroute(re.compile("/answer/"))
    anna.page.reload()
    expect(anna.page.locator(".said.you")).to_have_count(1)
    anna.yours()
    assert anna.mine() == ["Not yet there."]
    expect(anna.box).to_have_value("")


def test_a_lost_reply_does_not_double_the_answer(
    anna: Participant, context: BrowserContext
) -> None:
    anna.begin()
    sent: list[str] = []

    def lose(route) -> None:
        sent.append(route.request.post_data or "")
        if len(sent) == 1:
            route.fetch()  # it arrives …
            route.abort()  # … but nobody hears of it
        else:
            route.continue_()

    context.route(re.compile("/answer/"), lose)
    anna.box.fill("Once and for all.")
    anna.box.press("Enter")
    expect(anna.box).to_have_value("")
    anna.yours()
    anna.page.wait_for_timeout(1_500)
    assert len(sent) == 2
    ids = {re.search(r"message_id=([^&]+)", body).group(1) for body in sent}
    assert len(ids) == 1
    assert anna.mine() == ["Once and for all."]


def test_reload_in_mid_stream(slow_anna: Participant) -> None:
    anna = slow_anna.begin()
    anna.box.fill("We lived beside the harbour for many years.")
    anna.box.press("Enter")
    expect(anna.page.locator("#draft-words")).not_to_be_empty()
    anna.page.reload()
    anna.yours()
    texts = anna.texts()
    assert texts[2] == "We lived beside the harbour for many years."
    assert len(texts) == len(set(texts)) >= 4
    anna.page.reload()
    assert anna.texts() == texts


def test_the_final_words_stand_where_the_draft_stood(
    slow_anna: Participant, provider: FakeProvider
) -> None:
    anna = slow_anna.begin("curious")
    provider.reply("LifeStoryLed", FOLLOW_UP)
    anna.page.evaluate(
        """() => {
          window.seen = [];
          const look = () => {
            const draft = document.querySelector('#draft-words');
            const last = document.querySelector('#log').lastElementChild.querySelector('.words');
            const shown = draft.textContent ? draft : last;
            window.seen.push([shown.getBoundingClientRect().top + scrollY, shown.textContent]);
            requestAnimationFrame(look);
          };
          look();
        }"""
    )
    anna.answer("We lived beside the harbour for many years.")
    anna.page.wait_for_timeout(200)
    seen = anna.page.evaluate("window.seen")
    final = seen[-1]
    drafts = [place for place, text in seen if text and final[1].startswith(text)]
    assert len({text for _, text in seen if final[1].startswith(text)}) > 3  # it came bit by bit
    assert max(drafts) - min(drafts) < 1.5


DRAFT = '<div hx-swap-oob="innerHTML:#draft-words">{}</div>'


def test_words_that_are_replaced_move_nothing(slow_anna: Participant, page: Page) -> None:
    sockets: list[WebSocketRoute] = []

    def through(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        socket.connect_to_server().on_message(lambda message: None)  # drafts are the test's own

    anna = slow_anna.begin()
    page.route_web_socket(SOCKET, through)
    page.route(re.compile("/state/"), lambda route: None)
    page.reload()
    anna.box.fill("We lived beside the harbour for many years.")
    anna.box.press("Enter")
    anna.phase("asking")
    heights = []
    for words in ("You lived beside the harbour. " * 12, "", "And the harbour?"):
        sockets[-1].send(DRAFT.format(words))
        expect(page.locator("#draft-words")).to_have_text(words.strip())
        heights.append(round(page.locator("#draft").bounding_box()["height"]))
    assert len(set(heights)) == 1


def test_server_killed_in_mid_turn(fragile_site: Site, page: Page) -> None:
    anna = Participant(page, fragile_site.url).begin()
    anna.box.fill("The house stood near the harbour.")
    anna.box.press("Enter")
    anna.phase("asking")
    page.wait_for_timeout(300)
    fragile_site.kill()
    anna.box.fill("a thought for later")
    page.wait_for_timeout(500)
    fragile_site.start()
    anna.yours()
    texts = anna.texts()
    assert texts.count("The house stood near the harbour.") == 1
    assert len(texts) == len(set(texts)) >= 4
    expect(anna.box).to_have_value("a thought for later")


def test_server_down_when_the_answer_is_sent(fragile_site: Site, page: Page) -> None:
    anna = Participant(page, fragile_site.url).begin()
    fragile_site.kill()
    anna.box.fill("Is anybody there?")
    anna.box.press("Enter")
    expect(anna.notice).to_contain_text("saved")
    fragile_site.start()
    expect(page.locator(".said.you")).to_have_count(1)
    anna.yours()
    assert anna.mine() == ["Is anybody there?"]
    expect(anna.notice).to_be_empty()


def test_the_websocket_comes_back(anna: Participant, page: Page) -> None:
    opened: list[WebSocketRoute] = []

    def through(socket: WebSocketRoute) -> None:
        opened.append(socket)
        socket.connect_to_server()

    def wait_for(count: int) -> None:
        until = time.monotonic() + 10
        while len(opened) < count and time.monotonic() < until:
            page.wait_for_timeout(50)
        assert len(opened) == count

    page.route_web_socket(SOCKET, through)
    anna.begin()
    for count, code in enumerate((1000, 1011, 3000), start=1):
        wait_for(count)
        opened[-1].close(code=code, reason="test")
    wait_for(4)
    anna.answer("Still here.")


@pytest.mark.parametrize("way", ["refused", "missing"])
def test_without_any_websocket(slow_anna: Participant, page: Page, way: str) -> None:
    if way == "missing":
        page.add_init_script("delete window.WebSocket")
    else:
        page.route_web_socket(SOCKET, lambda socket: socket.close(code=1008))
    anna = slow_anna.begin()
    anna.box.fill("By the slow way.")
    anna.box.press("Enter")
    anna.phase("asking")
    anna.yours()
    assert len(anna.texts()) >= 4


def test_a_clock_that_is_set_back_in_mid_turn(slow_anna: Participant, page: Page) -> None:
    page.route_web_socket(SOCKET, lambda socket: socket.close(code=1008))
    anna = slow_anna.begin()
    anna.box.fill("By the slow way.")
    anna.box.press("Enter")
    anna.phase("asking")
    page.evaluate("{ const now = Date.now; Date.now = () => now() - 3_600_000; }")
    anna.yours()
    assert len(anna.texts()) >= 4


def test_words_that_came_another_way_end_the_reconnecting(
    slow_anna: Participant, page: Page
) -> None:
    asks = re.compile("/state/")
    page.route_web_socket(SOCKET, lambda socket: socket.close(code=1008))
    page.clock.install()
    anna = slow_anna.begin()
    page.route(asks, lambda route: route.abort())
    anna.box.fill("By the slow way.")
    anna.box.press("Enter")
    anna.phase("asking")
    page.clock.run_for(30_000)
    expect(anna.notice).to_contain_text("Reconnecting")
    page.unroute(asks)
    anna.yours()
    expect(anna.notice).to_be_empty()


def test_words_that_take_longer_than_a_try_arrive_all_the_same(anna: Participant) -> None:
    def late(route: Route) -> None:
        anna.page.wait_for_timeout(700)
        with suppress(PlaywrightError):  # the page has given this try up
            route.continue_()

    anna.begin()
    anna.page.evaluate("htmx.config.timeout = 300")  # for 20 seconds
    anna.page.route(re.compile("/answer/"), late)
    anna.box.fill("By a very slow line.")
    anna.box.press("Enter")
    expect(anna.page.locator(".said.you")).to_have_count(1)
    expect(anna.notice).to_be_empty()
    anna.yours()
    assert anna.mine() == ["By a very slow line."]


STRANGE = {  # replies in the site's place: of a network that wants a log-in, of a proxy alone
    "a log-in": {"status": 200, "body": "<h1>Welcome on board</h1>", "content_type": "text/html"},
    "a proxy": {"status": 404, "body": "404 page not found", "content_type": "text/plain"},
}


def test_a_page_that_is_not_the_sites_takes_no_words_away(
    anna: Participant, context: BrowserContext
) -> None:
    anna.begin()
    anna.page.evaluate("window.stayed = true")
    said = [f"Said through {whose}." for whose in STRANGE]
    for words, reply in zip(said, STRANGE.values(), strict=True):
        context.route(re.compile("/answer/"), partial(_fulfil, reply), times=1)
        anna.box.fill(words)
        anna.box.press("Enter")
        expect(anna.notice).to_contain_text("saved")
        expect(anna.page.locator(".said.you .words").last).to_have_text(words)
        anna.yours()
    assert anna.mine() == said
    assert anna.page.evaluate("window.stayed")


def _fulfil(reply: dict[str, Any], route: Route) -> None:
    route.fulfill(**reply)


def test_the_cookie_gone_the_page_finds_its_key(anna: Participant, context: BrowserContext) -> None:
    anna.begin()
    context.clear_cookies(name="interviewsite")
    anna.page.goto(anna.address)
    anna.yours()
    assert len(anna.texts()) == 2


@pytest.mark.parametrize("sends", [False, True], ids=["by asking", "by sending"])
def test_all_data_cleared_the_page_still_knows_its_key_and_words(
    anna: Participant, context: BrowserContext, sends: bool
) -> None:
    anna.page.route_web_socket(SOCKET, lambda socket: socket.close(code=1008))
    address = anna.begin().address
    anna.box.fill("Half a sentence")
    anna.keeps("Half")
    context.clear_cookies()
    anna.page.evaluate("localStorage.clear()")
    if sends:
        anna.box.press("Enter")
        anna.notice.get_by_role("link", name="out of date").click()
        expect(anna.page.locator(".said.you .words")).to_have_text(["Half a sentence"])
    else:
        anna.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        anna.keeps("key")
        anna.yours()
        expect(anna.box).to_have_value("Half a sentence")
    assert anna.address == address


def test_a_clock_that_is_set_back_does_not_hide_the_key(anna: Participant) -> None:
    anna.begin()
    name = f"interviewsite:key:{anna.address.rstrip('/').rpartition('/')[2]}:tried"
    anna.page.evaluate("name => sessionStorage.setItem(name, Date.now() + 3_600_000)", name)
    anna.page.context.clear_cookies(name="interviewsite")
    anna.page.goto(anna.address)
    anna.yours()


# -- an outage in the middle of an answer


def test_a_minute_offline_in_mid_answer(
    anna: Participant, site: Site, context: BrowserContext
) -> None:
    anna.page.clock.install()
    anna.begin()
    anna.box.press_sequentially("The bridge was clsoed")
    context.set_offline(True)
    for _ in range(4):
        anna.box.press("Backspace")
    anna.box.press_sequentially("osed, ")  # typing goes on
    anna.page.clock.fast_forward("01:00")
    anna.box.press_sequentially("so we walked.")
    anna.box.press("Enter")
    expect(anna.notice).to_contain_text("saved")
    context.set_offline(False)
    expect(anna.page.locator(".said.you")).to_have_count(1)
    anna.yours()
    expect(anna.notice).to_be_empty()
    expect(anna.box).to_have_value("")
    assert anna.mine() == ["The bridge was closed, so we walked."]
    (row,) = measured(site, anna)
    assert row["text"] == "The bridge was closed, so we walked."
    assert (row["edits"], row["pastes"]) == (4, 0)
    assert row["first_key_ms"] < 60_000  # the first half came before the outage


def test_retries_of_a_minute_bring_one_answer_with_the_first_measures(
    anna: Participant, site: Site, context: BrowserContext
) -> None:
    anna.page.clock.install()
    anna.begin()
    context.route(re.compile("/answer/"), lambda route: route.abort())
    anna.box.press_sequentially("Againn")
    anna.box.press("Backspace")
    anna.box.press("Enter")
    expect(anna.notice).to_contain_text("saved")
    anna.page.evaluate(AWAY, True)  # while the words wait, nothing is measured any more
    for _ in range(3):
        anna.page.clock.fast_forward(20_000)
    anna.page.evaluate(AWAY, False)
    context.unroute(re.compile("/answer/"))
    anna.page.clock.fast_forward(20_000)
    expect(anna.page.locator(".said.you")).to_have_count(1)
    anna.yours()
    (row,) = measured(site, anna)
    assert (row["text"], row["edits"], row["focus_losses"]) == ("Again", 1, 0)


def test_a_reload_in_the_offline_minute(
    anna: Participant, site: Site, context: BrowserContext
) -> None:
    anna.begin()
    address = anna.address
    anna.box.press_sequentially("Half an answerr")
    anna.box.press("Backspace")
    anna.keeps("Half an answer")
    context.set_offline(True)
    with pytest.raises(PlaywrightError):
        anna.page.goto(address)  # the browser has no page to show
    context.set_offline(False)
    anna.page.goto(address)
    anna.yours()
    expect(anna.box).to_have_value("Half an answer")
    anna.box.press("End")
    anna.box.press_sequentially(", and the other half.")
    anna.box.press("Enter")
    expect(anna.page.locator(".said.you")).to_have_count(1)
    anna.yours()
    assert anna.mine() == ["Half an answer, and the other half."]
    (row,) = measured(site, anna)
    assert row["edits"] == 1


def test_sent_offline_then_the_page_is_opened_anew(
    anna: Participant, site: Site, context: BrowserContext
) -> None:
    anna.begin()
    address = anna.address
    anna.box.press_sequentially("Sent into the voidd")
    anna.box.press("Backspace")
    context.set_offline(True)
    anna.box.press("Enter")
    expect(anna.notice).to_contain_text("saved")
    with pytest.raises(PlaywrightError):
        anna.page.goto(address)
    context.set_offline(False)
    anna.page.goto(address)
    expect(anna.page.locator(".said.you")).to_have_count(1)
    anna.yours()
    assert anna.mine() == ["Sent into the void"]
    (row,) = measured(site, anna)
    assert (row["text"], row["edits"]) == ("Sent into the void", 1)


def test_the_server_is_started_anew_in_mid_answer(fragile_site: Site, page: Page) -> None:
    anna = Participant(page, fragile_site.url).begin()
    anna.box.press_sequentially("Before and afterr")
    anna.box.press("Backspace")
    fragile_site.kill()
    anna.box.press_sequentially(" it fell")
    anna.box.press("Enter")
    expect(anna.notice).to_contain_text("saved")
    fragile_site.start()
    expect(page.locator(".said.you")).to_have_count(1)
    anna.yours()
    assert anna.mine() == ["Before and after it fell"]
    (row,) = measured(fragile_site, anna)
    assert (row["text"], row["edits"]) == ("Before and after it fell", 1)
    page.reload()
    assert anna.mine() == ["Before and after it fell"]
