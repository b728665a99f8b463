"""The text box: what is typed stays typed, is sent once, and is shown as typed."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.participant import Participant
from tests.browser.site import Site

ODD = [
    '<b id="state">bold</b> <img src=x onerror="document.title=1"> &amp; <script>alert(1)</script>',
    '<p hx-get="/" hx-trigger="load" hx-swap-oob="true" id="composer">swap me</p>',
    "👩‍👩‍👧 e\u0301 z\u200bw {{ 7*7 }} {% now %}",
    "שלום, אני גר ליד הנהר",
]


def test_enter_sends_and_shift_enter_breaks_the_line(anna: Participant) -> None:
    anna.begin()
    expect(anna.box).to_be_focused()
    anna.page.keyboard.type("By the river,")
    anna.page.keyboard.press("Shift+Enter")
    anna.page.keyboard.type("in a small house.")
    anna.page.keyboard.press("Enter")
    expect(anna.page.locator(".said.you")).to_have_count(1)
    anna.yours()
    assert anna.mine() == ["By the river,\nin a small house."]
    expect(anna.box).to_have_value("")
    expect(anna.box).to_be_focused()


# The page hears once more how the interview stands, as when its connection is back.
HEARD_AGAIN = """async () => {
  const preloaded = [...document.querySelectorAll("link[rel=modulepreload]")];
  const { turnChanged } = await import(preloaded.find((l) => l.href.includes("composer")).href);
  turnChanged([]);
}"""


def test_who_is_at_a_button_stays_there_while_it_is_the_same_turn(anna: Participant) -> None:
    anna.begin()
    for name in ("Dictate", "Pause", "Skip"):
        anna.button(name).focus()
        anna.page.evaluate(HEARD_AGAIN)
        expect(anna.button(name)).to_be_focused()
    anna.page.keyboard.press("Enter")
    anna.yours()
    expect(anna.box).to_be_focused()
    anna.box.blur()
    anna.page.evaluate(HEARD_AGAIN)
    expect(anna.box).to_be_focused()


def test_enter_with_control_or_command_sends_too(anna: Participant) -> None:
    anna.begin()
    sent = {"Control+Enter": "By the river.", "Meta+Enter": "In a small house."}
    for keys, words in sent.items():
        anna.box.fill(words)
        anna.page.keyboard.press(keys)
        expect(anna.page.locator(".said.you .words").last).to_have_text(words)
        anna.yours()
    assert anna.mine() == [*sent.values()]


def test_enter_of_an_input_method_does_not_send(anna: Participant) -> None:
    anna.begin()
    anna.box.fill("に")
    anna.box.evaluate(
        "box => box.dispatchEvent(new KeyboardEvent('keydown',"
        " {key: 'Enter', isComposing: true, bubbles: true, cancelable: true}))"
    )
    anna.page.wait_for_timeout(300)
    assert anna.mine() == []
    expect(anna.box).to_have_value("に")


def test_a_draft_outlives_a_reload(anna: Participant) -> None:
    anna.begin()
    anna.box.press_sequentially("Half a sentence")
    anna.page.reload()
    expect(anna.box).to_have_value("Half a sentence")
    anna.box.press("End")
    anna.page.keyboard.type(", and the rest.")
    anna.page.keyboard.press("Enter")
    expect(anna.page.locator(".said.you .words")).to_have_text(["Half a sentence, and the rest."])
    anna.page.reload()
    expect(anna.box).to_have_value("")
    assert anna.mine() == ["Half a sentence, and the rest."]


def test_the_box_grows_to_about_ten_lines(anna: Participant) -> None:
    anna.begin()
    low = anna.box.bounding_box()["height"]
    anna.box.fill("\n".join("line" for _ in range(6)))
    middle = anna.box.bounding_box()["height"]
    anna.box.fill("\n".join("line" for _ in range(60)))
    high = anna.box.bounding_box()["height"]
    assert low < middle < high <= 0.46 * 860


@pytest.mark.parametrize("size", [(640, 430), (390, 420)], ids=["at 200 %", "above a keyboard"])
def test_the_question_stays_in_sight_while_a_long_answer_is_written(
    anna: Participant, size: tuple[int, int]
) -> None:
    anna.page.set_viewport_size({"width": size[0], "height": size[1]})
    anna.begin()
    anna.box.focus()
    for number in range(12):
        anna.box.press_sequentially(f"line {number}")
        anna.box.press("Shift+Enter")
    question = anna.page.locator("#log .words").last
    expect(question).to_be_in_viewport(ratio=1)
    words, answer = question.bounding_box(), anna.page.locator("#now").bounding_box()
    assert words and answer and words["y"] + words["height"] <= answer["y"]
    assert words["y"] >= anna.page.locator(".top").bounding_box()["height"]


def test_whoever_writes_may_look_further_up_above_a_keyboard(anna: Participant) -> None:
    anna.page.set_viewport_size({"width": 390, "height": 420})
    anna.begin("long")
    for _ in range(3):
        anna.answer("By the river, in a small house. " * 8)
    anna.box.press_sequentially("Half a sentence")
    anna.page.evaluate("scrollTo(0, 0)")
    anna.page.evaluate("visualViewport.dispatchEvent(new Event('scroll'))")  # as on an iPhone
    anna.page.wait_for_timeout(100)
    assert anna.page.evaluate("scrollY") == 0
    anna.box.press("Shift+Enter")
    anna.box.press("Shift+Enter")
    expect(anna.box).to_be_in_viewport()
    assert anna.page.evaluate("scrollY") > 0


def test_what_is_said_is_shown_as_typed(
    anna: Participant, page: Page, complaints: list[str]
) -> None:
    anna.begin("long")
    for text in ODD:
        anna.answer(text)
    shown = list(anna.mine())
    assert [text.replace("\u0301", "") for text in shown] == [
        text.replace("e\u0301", "é").replace("\u0301", "") for text in ODD
    ]
    assert page.locator("#log b, #log img, #log script, #log [hx-get]").count() == 0
    assert page.locator("#state").count() == page.locator("#composer").count() == 1
    hebrew = page.locator(".said.you .words").last
    assert hebrew.evaluate("e => getComputedStyle(e).direction") == "rtl"
    page.reload()
    assert anna.mine() == shown
    assert complaints == []


def test_too_much_is_refused_and_kept(anna: Participant) -> None:
    anna.begin()
    anna.box.fill("words" * 3_100)
    expect(anna.page.locator("#left")).to_have_text("500 characters left")
    anna.box.fill("a" * 25_000)
    expect(anna.page.locator("#left")).to_have_text("9,000 characters too long")
    anna.button("Send").click()
    expect(anna.notice).to_contain_text("too long")
    assert len(anna.box.input_value()) == 25_000
    assert anna.mine() == []
    anna.box.fill("a" * 16_000)
    anna.button("Send").click()
    expect(anna.page.locator(".said.you")).to_have_count(1)
    expect(anna.notice).to_be_empty()


def test_page_and_site_count_the_same(anna: Participant) -> None:
    anna.begin("long")
    for count, sign in enumerate(("a", "🙂", "e\u0301"), start=1):
        text = sign * 16_000
        anna.box.fill(f"{text}e")
        expect(anna.page.locator("#left")).to_have_text("1 character too long")
        anna.button("Send").click()
        expect(anna.notice).to_contain_text("too long")
        anna.box.fill(f" {text}\n")
        expect(anna.page.locator("#left")).to_have_text("0 characters left")
        anna.button("Send").click()
        expect(anna.page.locator(".said.you")).to_have_count(count)
        expect(anna.notice).to_be_empty()
        anna.yours()


def test_a_double_click_sends_once(anna: Participant) -> None:
    anna.begin()
    anna.box.fill("Once.")
    anna.button("Send").dblclick()
    expect(anna.said.filter(has_text="Once.").first).to_be_visible()
    anna.yours()
    anna.page.wait_for_timeout(300)
    assert anna.mine() == ["Once."]


def test_nothing_is_sent_without_words(anna: Participant) -> None:
    anna.begin()
    anna.box.fill("   ")
    anna.button("Send").click()
    anna.page.wait_for_timeout(300)
    assert anna.mine() == []


def test_words_for_a_turn_that_is_not_theirs_stay_in_the_box(slow_anna: Participant) -> None:
    anna = slow_anna.begin()
    anna.box.fill("First.")
    anna.box.press("Enter")
    anna.phase("asking")
    anna.box.fill("Already more.")
    anna.box.press("Enter")
    expect(anna.notice).to_contain_text("still replying")
    anna.yours()
    expect(anna.notice).to_be_empty()
    expect(anna.box).to_have_value("Already more.")
    assert anna.mine() == ["First."]


def test_a_phone_is_not_given_a_keyboard_uncalled(browser: Browser, site: Site) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, locale="en-GB"
    )
    anna = Participant(context.new_page(), site.url).begin()
    expect(anna.box).not_to_be_focused()
    assert anna.page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()


def test_what_was_never_sent_does_not_outlive_the_end(anna: Participant) -> None:
    anna.begin()
    anna.box.fill("Better not said.")
    anna.page.get_by_text("Menu", exact=True).click()
    anna.page.get_by_role("link", name="Finish").click()
    anna.page.get_by_role("dialog").get_by_role("button", name="Finish the interview").click()
    anna.phase("over")
    anna.page.goto(anna.url)
    assert "Better not said." not in anna.page.evaluate("JSON.stringify(localStorage)")
