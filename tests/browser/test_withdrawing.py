"""Withdrawing in the browser: every page says so, and nothing stays behind."""

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Route, WebSocket, expect

from tests.browser.complaints import CLOSED_DOOR, Complaints
from tests.browser.participant import PATIENCE, Participant

CANARY = "Kumquatvogel"
DELETED = "Withdraw and delete my answers"
SOCKET = re.compile(r"/ws/s/")


def withdraw(page: Page) -> None:
    """By the menu, asked once."""
    page.get_by_text("Menu", exact=True).click()
    page.locator("#menu").get_by_role("link", name="Withdraw").click()
    page.get_by_role("button", name=DELETED).click()
    expect(page.get_by_role("heading", name="You have withdrawn")).to_be_visible()


def left_in(page: Page) -> list[str]:
    """All that the browser keeps of this site, names and contents."""
    kept: list[str] = page.evaluate(
        "[localStorage, sessionStorage].flatMap((area) => Object.entries(area).flat())"
    )
    return kept


def opened(page: Page, address: str) -> None:
    """Opens it and waits until its websocket is heard: one that comes too late finds nothing."""
    heard: list[str | bytes] = []

    def listen(socket: WebSocket) -> None:
        if SOCKET.search(socket.url):
            socket.on("framereceived", lambda frame: heard.append(frame))

    page.on("websocket", listen)
    page.goto(address)
    until = time.monotonic() + PATIENCE / 1000
    while not heard and time.monotonic() < until:
        page.wait_for_timeout(50)
    assert heard
    page.remove_listener("websocket", listen)


def second_window(anna: Participant) -> Participant:
    other = Participant(anna.page.context.new_page(), anna.url)
    opened(other.page, anna.address)
    return other


def second_device(anna: Participant, new_context: Callable[..., BrowserContext]) -> Participant:
    anna.page.get_by_text("Menu", exact=True).click()
    anna.button("Continue on another device").click()
    link = anna.page.locator("#personal-link").input_value()
    anna.page.keyboard.press("Escape")
    phone = Participant(new_context().new_page(), anna.url)
    opened(phone.page, link)
    return phone


def test_in_the_middle(anna: Participant, new_context, complaints: Complaints) -> None:
    anna.begin()
    anna.answer(f"My neighbour {CANARY} keeps bees.")
    window, phone = second_window(anna), second_device(anna, new_context)
    for other in (anna, window, phone):
        other.yours()
        other.box.fill(f"And {CANARY} sings.")
    withdraw(anna.page)
    for other in (window, phone):
        expect(other.page.get_by_role("heading", name="You have withdrawn")).to_be_visible()
    for page in (anna.page, window.page, phone.page):
        assert left_in(page) == []
        assert CANARY not in page.content()
    assert complaints == []
    with complaints.expected(CLOSED_DOOR):
        anna.page.go_back()
        expect(anna.page.locator("#gone")).to_be_visible()
        anna.page.goto(window.url + "/")
    assert left_in(anna.page) == []


def test_after_the_end(anna: Participant, new_context) -> None:
    anna.begin("pool")
    anna.answer(f"{CANARY} lives upstairs.")
    phone = second_device(anna, new_context)
    anna.page.goto(f"{anna.address}end/")
    anna.button("Finish the interview").click()
    anna.phase("over")
    phone.phase("over")
    anna.page.locator(".apart").get_by_role("link", name="Withdraw").click()
    anna.button(DELETED).click()
    for page in (anna.page, phone.page):
        expect(page.get_by_role("heading", name="You have withdrawn")).to_be_visible()
        assert left_in(page) == []


def test_on_a_line_so_slow_that_the_page_comes_before_its_script(anna: Participant) -> None:
    def late(route: Route) -> None:
        anna.page.wait_for_timeout(700)
        route.continue_()

    anna.begin()
    anna.answer(f"{CANARY} lives upstairs.")
    anna.page.route(re.compile("withdraw.*\\.js"), late)
    withdraw(anna.page)
    assert left_in(anna.page) == []


def test_what_is_kept_of_the_interview_before_starting_again_goes_too(anna: Participant) -> None:
    anna.begin()
    first = anna.address
    anna.box.fill(f"{CANARY} sings.")
    anna.page.goto(f"{anna.url}/i/place/?language=en")
    anna.page.get_by_text("Start again instead").click()
    anna.page.locator("form.begin button[value=agreed]").click()
    anna.page.wait_for_url("**/s/**")
    anna.yours()
    assert anna.address != first
    withdraw(anna.page)
    assert left_in(anna.page) == []


@pytest.mark.parametrize("over", [False, True], ids=["in the middle", "after the end"])
def test_a_page_that_only_asks_now_and_then_learns_of_it(
    anna: Participant, new_context, over: bool
) -> None:
    anna.begin()
    anna.answer(f"{CANARY} lives upstairs.")
    phone = second_device(anna, new_context)
    link = phone.address
    phone.page.route_web_socket(SOCKET, lambda socket: socket.close(code=1008))
    if over:
        anna.page.goto(f"{anna.address}end/")
        anna.button("Finish the interview").click()
        anna.phase("over")
    phone.page.clock.install()
    phone.page.goto(link)
    expect(phone.page.locator("#state")).to_have_attribute(
        "data-phase", "over" if over else "yours"
    )
    if not over:
        phone.box.fill(f"And {CANARY} sings.")
    withdraw(anna.page)
    phone.page.clock.run_for(35_000)
    expect(phone.page.get_by_role("heading", name="has been deleted")).to_be_visible()
    assert CANARY not in phone.page.content()
    assert left_in(phone.page) == []


@pytest.mark.parametrize("sends", [False, True], ids=["by asking", "by sending"])
def test_another_window_of_the_browser_learns_of_it(anna: Participant, sends: bool) -> None:
    anna.begin()
    anna.answer(f"{CANARY} lives upstairs.")
    window = Participant(anna.page.context.new_page(), anna.url)
    window.page.route_web_socket(SOCKET, lambda socket: socket.close(code=1008))
    window.page.clock.install()
    window.page.goto(anna.address)
    window.yours()
    window.box.fill(f"And {CANARY} sings.")
    withdraw(anna.page)
    if sends:
        window.page.get_by_role("button", name="Send").click()
    else:
        window.page.clock.run_for(35_000)
    expect(window.page.get_by_role("heading", name="You have withdrawn")).to_be_visible()
    assert left_in(window.page) == []


def test_a_page_that_slept_meanwhile_finds_it_gone(anna: Participant, new_context) -> None:
    anna.begin()
    phone = second_device(anna, new_context)
    phone.yours()
    address = phone.address
    phone.page.close()
    withdraw(anna.page)
    page = phone.page.context.new_page()
    page.goto(address)
    expect(page.get_by_role("heading", name="has been deleted")).to_be_visible()
    assert left_in(page) == []


def test_a_key_that_never_opened_anything_here_says_no_such_thing(anna: Participant) -> None:
    anna.begin()
    address = anna.address
    anna.page.context.clear_cookies()
    anna.page.evaluate("localStorage.clear()")
    anna.page.goto(anna.url)
    anna.page.goto(f"{address}#key=wrong")
    expect(anna.page.get_by_role("heading", name="Page not found")).to_be_visible()
    expect(anna.page.locator("#gone")).to_be_hidden()
