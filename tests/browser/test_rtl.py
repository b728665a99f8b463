"""An interview in Arabic: from the right to the left, with what is Latin in its place."""

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.participant import Participant
from tests.browser.site import Site

MIXED = "أعيش في Bremen منذ 2019، في شارع Hauptstraße 12، الطابق 3 🙂."
LATIN = "In the evening, by the river (about 18:30)."


def direction(place: Locator) -> str:
    """As the browser has computed it."""
    found: str = place.evaluate("e => getComputedStyle(e).direction")
    return found


def left(place: Locator) -> float:
    box = place.bounding_box()
    assert box
    return box["x"]


def right(place: Locator) -> float:
    box = place.bounding_box()
    assert box
    return box["x"] + box["width"]


def reads_from_the_right(page: Page) -> None:
    """The page is in Arabic, from the right, and nothing sticks out of it at either side."""
    html = page.locator("html")
    expect(html).to_have_attribute("dir", "rtl")
    expect(html).to_have_attribute("lang", "ar")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.fixture(params=[(1280, 860), (390, 844)], ids=["desktop", "phone"])
def layla(anna: Participant, request: pytest.FixtureRequest) -> Participant:
    """Somebody who speaks Arabic, at a desk and on the way."""
    width, height = request.param
    anna.page.set_viewport_size({"width": width, "height": height})
    return anna


def test_an_interview_in_arabic_reads_from_the_right(layla: Participant) -> None:
    page = layla.page
    layla.begin(name="ليلى", language="ar")
    reads_from_the_right(page)
    expect(layla.box).to_have_attribute("placeholder", "الكتابة هنا")
    assert direction(layla.box) == "rtl"  # though it is empty yet

    # the interviewer stands at the right, one's own words at the left, sending at the left end
    layla.answer(MIXED)
    mine, theirs = page.locator(".said.you").first, page.locator(".said.interviewer").first
    assert left(mine) < left(theirs) + 1 and right(mine) < right(theirs)
    assert left(layla.button("إرسال")) < left(layla.button("تخطي"))
    assert right(page.locator("#menu summary")) < left(page.locator(".top h1")) + 1

    # words stay as they were typed, each paragraph from the side of its own script
    layla.box.fill(LATIN)
    assert direction(layla.box) == "ltr"
    layla.box.press("Enter")
    expect(page.locator(".said.you")).to_have_count(2)
    layla.yours()
    assert layla.mine() == [MIXED, LATIN]
    assert [direction(one) for one in page.locator(".said.you .words").all()] == ["rtl", "ltr"]

    layla.answer("لا شيء، كل شيء جميل (100%).")
    layla.phase("over")
    expect(page.locator("#ending")).to_have_text("انتهت المقابلة")
    reads_from_the_right(page)


def test_progress_grows_from_the_right(layla: Participant) -> None:
    layla.begin(name="ليلى", language="ar")
    layla.answer(MIXED)
    expect(layla.page.locator("#progress")).to_contain_text("2 من 3")
    assert direction(layla.page.locator("#progress")) == "rtl"


def test_the_pages_around_it_read_from_the_right_too(layla: Participant) -> None:
    page = layla.page
    page.goto(f"{layla.url}/i/place/?language=ar")
    reads_from_the_right(page)
    assert direction(page.locator("#agreeing")) == "rtl"
    layla.begin(name="ليلى", language="ar")
    layla.answer(MIXED)
    page.goto(f"{layla.address}transcript/")
    reads_from_the_right(page)
    expect(page.get_by_text(MIXED)).to_be_visible()
    page.goto(f"{layla.address}withdraw/")
    reads_from_the_right(page)


def test_a_latin_title_begins_where_the_page_begins_and_is_cut_at_its_end(
    layla: Participant,
) -> None:
    page = layla.page
    ends = "e => { const r = document.createRange(); r.selectNodeContents(e);"
    ends += " return r.getBoundingClientRect().right }"
    page.goto(f"{layla.url}/i/place/?language=ar")
    title = page.get_by_role("heading", name="A place to live")
    assert title.evaluate(ends) == pytest.approx(right(page.locator("#agreeing")), abs=1)
    layla.begin(name="ليلى", language="ar")
    assert direction(title) == "ltr"
    page.goto(f"{layla.address}transcript/")
    assert title.evaluate(ends) == pytest.approx(right(page.locator(".talk")), abs=1)


def test_a_card_reads_from_one_side(browser: Browser, site: Site) -> None:
    arabic = browser.new_context(locale="ar")
    page = arabic.new_page()
    page.goto(site.url)
    for card in page.locator(".card").all():
        sides = {direction(place) for place in card.locator("h3, p").all()}
        assert len(sides) == 1, card.text_content()
    arabic.close()


def test_pages_of_nobody_follow_the_browser(browser: Browser, site: Site) -> None:
    arabic = browser.new_context(locale="ar")
    page = arabic.new_page()
    for address in ("/", "/nothing-here/", "/join/"):
        page.goto(f"{site.url}{address}")
        reads_from_the_right(page)
    arabic.close()
