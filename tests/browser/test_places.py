"""More than one page of the same interview, here or on another device."""

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.accessible import check
from tests.browser.participant import Participant


def another_window(anna: Participant, context: BrowserContext) -> Participant:
    """The same interview on one more page of the same browser."""
    other = Participant(context.new_page(), anna.url)
    other.page.goto(anna.address)
    other.yours()
    return other


def test_a_stale_tab_is_told_and_keeps_its_words(
    anna: Participant, context: BrowserContext
) -> None:
    anna.begin()
    stale = Participant(context.new_page(), anna.url)
    stale.page.route_web_socket("**/ws/**", lambda socket: None)  # hears nothing
    stale.page.goto(anna.address)
    stale.yours()
    anna.answer("From the first window.")
    stale.box.fill("From the second window.")
    stale.box.press("Enter")
    expect(stale.notice).to_contain_text("another window")
    expect(stale.box).to_have_value("From the second window.")
    assert stale.texts() == anna.texts()
    assert stale.mine() == ["From the first window."]
    stale.box.press("Enter")
    expect(stale.page.locator(".said.you")).to_have_count(2)
    expect(anna.page.locator(".said.you")).to_have_count(2)
    anna.yours()
    stale.yours()
    assert stale.texts() == anna.texts()


def test_two_pages_show_the_same(slow_anna: Participant, context: BrowserContext) -> None:
    anna = slow_anna.begin()
    other = another_window(anna, context)
    anna.answer("The harbour was always loud.")
    other.yours()
    expect(other.said).to_have_count(anna.said.count())
    assert other.texts() == anna.texts()


def test_a_personal_link_opens_the_interview_elsewhere(anna: Participant, new_context) -> None:
    anna.begin()
    anna.answer("Here it began.")
    anna.page.get_by_text("Menu", exact=True).click()
    anna.button("Continue on another device").click()
    link = anna.page.locator("#personal-link").input_value()
    assert link.startswith(anna.address + "#key=")
    anna.button("Copy link").click()
    expect(anna.button("Copied")).to_be_visible()
    elsewhere = Participant(new_context().new_page(), anna.url)
    asked: list[str] = []
    elsewhere.page.on("request", lambda request: asked.append(str(request.all_headers())))
    elsewhere.page.goto(link)
    elsewhere.yours()
    assert elsewhere.page.url == anna.address
    assert elsewhere.texts() == anna.texts()
    elsewhere.answer("And here it goes on.")
    anna.page.keyboard.press("Escape")
    expect(anna.page.locator(".said.you")).to_have_count(2)
    key = link.split("#key=")[1]
    assert not any(key in headers for headers in asked)
    assert next(c for c in elsewhere.page.context.cookies() if c["name"] == "interviewsite")[
        "httpOnly"
    ]


def test_a_personal_link_can_be_read_on_a_phone(anna: Participant) -> None:
    anna.page.set_viewport_size({"width": 360, "height": 740})
    anna.begin()
    anna.page.get_by_text("Menu", exact=True).click()
    anna.button("Continue on another device").click()
    anna.page.locator("#personal-link").wait_for()
    link = anna.page.locator("#personal-link").bounding_box()
    copy = anna.button("Copy link").bounding_box()
    assert link["y"] + link["height"] <= copy["y"] and link["width"] > 200


def test_somebody_elses_link_asks_which_interview_to_continue(
    anna: Participant, new_context
) -> None:
    ben = Participant(new_context().new_page(), anna.url).begin(name="Ben")
    anna.begin()
    mine = anna.address
    anna.page.goto(ben.link)
    anna.page.get_by_role("link", name="Continue the open interview").click()
    anna.yours()
    assert anna.address == mine
    anna.page.goto(ben.link)
    anna.button("Open the interview from your link").click()
    anna.yours()
    assert anna.page.url == ben.address
    anna.page.goto(mine)  # by the key that the browser keeps, and not unasked either
    anna.button("Open the interview from your link").click()
    anna.answer("Here it goes on.")
    assert anna.address == mine


def test_a_wrong_key_says_no_more_than_a_wrong_address(anna: Participant, new_context) -> None:
    anna.begin()
    stranger = new_context().new_page()
    stranger.goto(anna.address + "#key=" + "a" * 22)
    expect(stranger.get_by_role("heading", level=1)).to_have_text("Page not found")
    elsewhere = stranger.request.get(anna.address)
    nowhere = stranger.request.get(anna.url + "/s/00000000-0000-4000-8000-000000000000/")
    assert elsewhere.status == nowhere.status == 404
    assert elsewhere.body() == nowhere.body()


def test_going_on_or_starting_anew(anna: Participant) -> None:
    anna.begin()
    first = anna.address
    anna.answer("The first time.")
    anna.page.goto(f"{anna.url}/i/place/?language=en")
    anna.page.get_by_role("link", name="Continue your interview").click()
    anna.yours()
    assert anna.address == first
    anna.page.goto(f"{anna.url}/i/place/?language=en")
    anna.page.get_by_text("Start again instead").click()
    anna.page.locator("form.begin button[value=agreed]").click()
    anna.page.wait_for_url("**/s/**")
    assert anna.address != first
    anna.page.goto(first)
    anna.phase("over")
    expect(anna.page.get_by_role("heading", name="This interview is closed")).to_be_visible()


def test_earlier_turns_come_in_above_without_moving_the_page(anna: Participant) -> None:
    anna.begin("long")
    anna.page.evaluate(
        """async () => {
          for (let number = 0; number < 22; number++) {
            const form = new FormData(document.getElementById('composer'));
            form.set('message_id', `id-${number}`);
            form.set('text', `Answer ${number}.`);
            form.delete('answering');
            await fetch('answer/', {method: 'POST', body: form});
          }
        }"""
    )
    anna.page.reload()
    anna.yours()
    positions = "all => all.map((e) => Number(e.dataset.position))"
    assert anna.said.evaluate_all(positions) == list(range(7, 47))
    anna.page.evaluate("scrollTo(0, 0)")
    expect(anna.page.locator(".talk [data-position='1']")).to_be_attached()
    assert anna.said.evaluate_all(positions) == list(range(1, 47))
    expect(anna.page.locator(".talk [data-position='7']")).to_be_in_viewport()
    assert anna.page.evaluate("scrollY") > 200


def test_a_window_that_wrote_nothing_takes_no_draft_away(
    anna: Participant, context: BrowserContext
) -> None:
    anna.begin()
    other = another_window(anna, context)
    anna.box.fill("Half a sentence")
    anna.keeps("Half a sentence")
    anna.page.goto("about:blank")
    other.page.reload()
    other.yours()
    expect(other.box).to_have_value("Half a sentence")


def test_words_sent_from_another_window_do_not_come_back(
    anna: Participant, context: BrowserContext
) -> None:
    address = anna.begin().address
    anna.box.fill("By the river.")
    anna.keeps("By the river.")
    other = another_window(anna, context)
    other.box.press("Enter")
    expect(other.said).to_have_count(4)
    expect(anna.said).to_have_count(4)
    anna.page.goto("about:blank")
    late = Participant(context.new_page(), anna.url)
    late.page.goto(address)
    late.yours()
    expect(late.box).to_have_value("")


def test_words_unlike_those_sent_from_another_window_are_kept(
    anna: Participant, context: BrowserContext
) -> None:
    anna.begin()
    other = another_window(anna, context)
    other.box.fill("Something else altogether.")
    other.keeps("altogether")
    anna.answer("By the river.")
    expect(other.said).to_have_count(4)
    anna.page.goto("about:blank")
    other.page.reload()
    expect(other.box).to_have_value("Something else altogether.")


def test_words_sent_from_another_window_leave_the_box(
    anna: Participant, context: BrowserContext
) -> None:
    anna.begin()
    anna.box.fill("By the river.")
    anna.keeps("By the river.")
    other = another_window(anna, context)
    expect(other.box).to_have_value("By the river.")
    other.box.press("Enter")
    expect(anna.said).to_have_count(4)
    expect(anna.box).to_have_value("")


@pytest.mark.parametrize("sent", [False, True], ids=["not sent", "on their way"])
def test_words_not_sent_stay_readable_when_another_window_ends_the_interview(
    anna: Participant, context: BrowserContext, sent: bool
) -> None:
    anna.begin()
    other = another_window(anna, context)
    other.page.set_viewport_size({"width": 390, "height": 844})
    other.box.fill("Half a sentence")
    other.keeps("Half a sentence")
    if sent:
        other.page.route("**/answer/", lambda route: route.abort())
        other.box.press("Enter")
        expect(other.notice).to_contain_text("saved on this device")
    end(anna)
    expect(anna.box).to_be_hidden()
    other.phase("over")
    other.page.unroute("**/answer/")
    expect(other.box).to_be_visible()
    expect(other.box).to_have_value("Half a sentence")
    expect(other.box).not_to_be_editable()
    for part in (other.page.locator("#ending"), other.box):
        expect(part).to_be_in_viewport(ratio=1)
    expect(other.page.get_by_text("ended in another window")).to_be_visible()
    expect(other.button("Send")).to_be_hidden()
    expect(other.button("Skip")).to_be_hidden()
    check(other.page)
    other.box.press("Enter")
    other.page.locator("#heard-4").check()
    other.button("Send rating").click()
    expect(other.page.locator(".rating")).to_contain_text("Your rating is saved")
    expect(other.box).to_have_value("Half a sentence")
    expect(other.page.get_by_text("ended in another window")).to_be_visible()
    other.page.goto(anna.url)
    for storage in ("localStorage", "sessionStorage"):
        assert "Half" not in other.page.evaluate(f"JSON.stringify({storage})")


def end(anna: Participant) -> None:
    anna.page.get_by_text("Menu", exact=True).click()
    anna.page.get_by_role("link", name="Finish").click()
    anna.page.get_by_role("dialog").get_by_role("button", name="Finish the interview").click()
    anna.phase("over")


def test_only_another_window_leaves_words_at_the_end(
    anna: Participant, context: BrowserContext
) -> None:
    anna.begin()
    other = another_window(anna, context)
    anna.box.fill("Better not said.")
    end(anna)
    other.phase("over")
    for window in (anna, other):
        expect(window.box).to_be_hidden()
        expect(window.page.get_by_text("ended in another window")).to_be_hidden()
