"""The admin of studies in a real Chromium: rows dragged and moved, and what follows by itself."""

import json
import sqlite3
import uuid

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.accessible import check_colours
from tests.browser.administrator import Administrator
from tests.browser.site import Site


@pytest.fixture
def writer(page: Page, stocked_site: Site) -> Page:
    """Somebody who may write, at the admin's first page."""
    Administrator(page, stocked_site.url).log_in()
    page.goto(f"{stocked_site.url}/admin/")
    return page


@pytest.fixture
def script(writer: Page, stocked_site: Site) -> Page:
    """The page of a short script."""
    writer.set_viewport_size({"width": 1280, "height": 2400})  # all of it, to drag over
    writer.goto(f"{stocked_site.url}/admin/plans/script/?q=A+short+life+story")
    writer.click("text=A short life story")
    writer.wait_for_selector("[data-total] b")
    return writer


@pytest.fixture
def exploration(writer: Page, stocked_site: Site) -> Page:
    """The page of a bot with six topics."""
    writer.goto(f"{stocked_site.url}/admin/plans/bot/?q=vita-in-quartiere")
    writer.click("text=Vita in quartiere")
    writer.wait_for_url("**/plans/bot/*/change/**")
    return writer


def topics(page: Page) -> list[str]:
    return page.locator("#topics-group .original [name$=-key]").evaluate_all(
        "inputs => inputs.map(input => input.value)"
    )


def questions(page: Page) -> list[list[str]]:
    return page.locator("[data-questions]").evaluate_all(
        "lists => lists.map(list => [...list.querySelectorAll('[name$=-text]')].map(t => t.value))"
    )


def save(page: Page) -> list[list[str]]:
    """Saves, and gives the questions as they stand then."""
    with page.expect_navigation():
        page.click("[name=_continue]")
    page.wait_for_selector("[data-total] b")
    return questions(page)


def drag(page: Page, row: Locator, over: Locator) -> None:
    start, end = row.bounding_box(), over.bounding_box()
    assert start and end
    page.mouse.move(start["x"] + 15, start["y"] + 15)
    page.mouse.down()
    page.mouse.move(start["x"] + 16, start["y"] + 25, steps=4)
    page.mouse.move(end["x"] + 16, end["y"] + 30, steps=12)
    page.wait_for_timeout(200)  # the library animates before it lets go
    page.mouse.up()


def test_a_script_is_written_dragged_and_timed_on_one_page(script, complaints):
    first, second, *rest = questions(script)
    handles = script.locator("[data-question] .script-handle")

    drag(script, handles.nth(0), handles.nth(len(first)))
    assert [len(part) for part in questions(script)[:2]] == [len(first) - 1, len(second) + 1]
    handles.nth(len(first) - 1).focus()
    script.keyboard.press("ArrowUp")  # over the edge of its section, back to the first
    assert questions(script)[0] == [*first[1:], first[0]]

    before = script.inner_text("[data-total] b")
    script.get_by_role("button", name="Add question").nth(0).click()
    script.keyboard.type("What did a Sunday look like?")
    script.locator("[name$=-objective]:visible").fill("One Sunday as a scene.")
    assert script.inner_text("[data-total] b") != before

    first = [*first[1:], first[0], "What did a Sunday look like?"]
    assert save(script) == [first, second, *rest]
    assert complaints == []


def test_a_topic_is_moved_by_the_keyboard(exploration, complaints):
    before = topics(exploration)

    exploration.locator("#topics-group [data-study-handle]").nth(1).focus()
    exploration.keyboard.press("ArrowUp")
    with exploration.expect_navigation():
        exploration.click("[name=_continue]")

    assert topics(exploration) == [before[1], before[0], *before[2:]]
    assert complaints == []


def test_a_place_of_the_form_is_opened_from_the_keyboard_and_by_a_hint(exploration):
    exploration.get_by_role("link", name="Words", exact=True).focus()
    exploration.keyboard.press("Enter")
    expect(exploration.locator("[name=title]")).to_be_visible()

    exploration.get_by_role("link", name="under Interview").first.click()
    expect(exploration.locator("[name=option__manual_guide]")).to_be_visible()


def test_a_form_with_rows_fits_a_phone_that_is_turned(exploration):
    exploration.set_viewport_size({"width": 844, "height": 390})
    exploration.reload()
    expect(exploration.locator("#topics-group")).to_be_visible()
    exploration.set_viewport_size({"width": 390, "height": 844})
    exploration.wait_for_function("document.documentElement.scrollWidth <= 390")


@pytest.mark.parametrize("width", [390, 1280])
def test_the_roles_of_a_user_can_be_read_to_the_end(writer, stocked_site, width):
    writer.set_viewport_size({"width": width, "height": 844})
    writer.goto(f"{stocked_site.url}/admin/auth/user/1/change/")
    assert writer.evaluate("document.documentElement.scrollWidth") <= width
    cut = "spans => spans.filter(span => span.scrollWidth > span.clientWidth).length"
    assert writer.locator("#id_groups span").evaluate_all(cut) == 0


def test_the_open_place_of_the_form_can_be_read_under_the_mouse(exploration):
    exploration.get_by_role("link", name="Words", exact=True).click()
    expect(exploration.locator(".study-places [aria-current=true]")).to_have_text("Words")
    check_colours(exploration)


def test_a_page_without_buttons_has_one_line_above_it(writer, stocked_site):
    writer.goto(f"{stocked_site.url}/admin/plans/script/add/")
    shown, add = writer.locator("#header-inner h1"), writer.locator("#header-inner .addlink")
    assert add.bounding_box()["y"] < shown.bounding_box()["y"] + shown.bounding_box()["height"]


def test_the_budget_follows_the_minutes_as_they_are_typed(exploration, complaints):
    assert "20 turns" in exploration.inner_text("#budget")

    exploration.fill("[name=minutes]", "3")

    exploration.wait_for_selector("#budget >> text=6 topics need 5 minutes")
    assert "4 turns" in exploration.inner_text("#budget")
    assert complaints == []


def test_of_a_rewards_fields_only_its_own_are_shown(exploration):
    exploration.get_by_role("link", name="Ending", exact=True).click()
    for kind, shown in (("pool", set()), ("fixed", {"code"}), ("redirect", {"url"})):
        exploration.select_option("[name=option__reward__kind]", kind)
        for name in ("code", "url"):
            field = exploration.locator(f"[name=option__reward__{name}]")
            assert field.is_visible() == (name in shown)


def test_intelligence_shows_by_itself_when_it_is_there(exploration, stocked_site, complaints):
    place = exploration.url.split("/change/")[0]
    rows = sqlite3.connect(stocked_site.data / "interviewsite.sqlite3", timeout=20)
    content = json.dumps({"arrivo": {"probe_angles": ["un suono"]}})
    with rows:
        claim = uuid.uuid4().hex
        rows.execute("UPDATE plans_intelligence SET status='running', claim=?", [claim])
    exploration.goto(f"{place}/intelligence/")
    assert "A model is preparing 6 topics" in exploration.inner_text("#intelligence-status")

    with rows:
        rows.execute(
            "UPDATE plans_intelligence SET status='ready', claim=NULL, content=?", [content]
        )

    exploration.wait_for_selector("[name=arrivo__probe_angles]")
    assert exploration.input_value("[name=arrivo__probe_angles]") == "un suono"
    assert complaints == []


def test_a_page_prints_without_what_leads_elsewhere(script):
    script.emulate_media(media="print")
    for gone in ("#nav-sidebar", "#header-inner", "#submit-row"):
        expect(script.locator(gone)).to_be_hidden()
    content = script.locator("#content")
    expect(content).to_be_visible()
    assert content.bounding_box()["x"] == 0
