"""The admin of studies in a real Chromium: rows dragged and moved, and what follows by itself."""

import json
import sqlite3
import uuid
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.site import Site
from tests.services.processes import python, run

HANDLES = r".form-group.original [x-sort\:handle]"
PASSWORD = "only-for-tests"


@pytest.fixture(scope="module")
def staffed(new_site: Callable[..., Site]) -> Site:
    """A site with the shipped scripts and somebody who may write."""
    site = new_site()
    made = run(python("manage.py", "setup"), site.env | {"ADMIN_PASSWORD": PASSWORD})
    assert made.returncode == 0, made.stderr
    return site


@pytest.fixture
def writer(page: Page, staffed: Site) -> Page:
    """Somebody who may write, at the admin's first page."""
    page.goto(f"{staffed.url}/admin/login/")
    page.fill("[name=username]", "admin")
    page.fill("[name=password]", PASSWORD)
    page.press("[name=password]", "Enter")
    page.wait_for_url("**/admin/")
    return page


@pytest.fixture
def section(writer: Page, staffed: Site) -> Page:
    """The page of a section with three questions."""
    page = writer
    page.goto(f"{staffed.url}/admin/plans/script/?q=A+short+life+story")
    page.click("text=A short life story")
    page.locator("tr", has=page.locator("[value=early-years]")).locator("a.study-link").click()
    page.wait_for_url("**/plans/section/**")
    page.wait_for_selector("[data-study-handle]")
    return page


@pytest.fixture
def exploration(writer: Page, staffed: Site) -> Page:
    """The page of a bot with six topics."""
    writer.goto(f"{staffed.url}/admin/plans/bot/?q=vita-in-quartiere")
    writer.click("text=Vita in quartiere")
    writer.wait_for_url("**/plans/bot/*/change/**")
    return writer


def topics(page: Page) -> list[str]:
    return page.locator("#topics-group .original [name$=-key]").evaluate_all(
        "inputs => inputs.map(input => input.value)"
    )


def questions(page: Page) -> list[str]:
    return page.locator(".form-group.original h3 strong").all_inner_texts()


def save(page: Page) -> list[str]:
    """Saves, and gives the questions as they stand then."""
    with page.expect_navigation():
        page.click("[name=_continue]")
    page.wait_for_selector("[data-study-handle]")
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


def test_a_dragged_question_stays_where_it_was_put(section, complaints):
    before = questions(section)
    rows = section.locator(HANDLES)

    drag(section, rows.nth(0), rows.nth(2))

    assert save(section) == [before[1], before[2], before[0], *before[3:]]
    assert complaints == []


def test_a_question_is_moved_by_the_keyboard(section, complaints):
    before = questions(section)

    section.locator(HANDLES).nth(2).focus()
    section.keyboard.press("ArrowUp")

    assert save(section) == [before[0], before[2], before[1], *before[3:]]
    assert complaints == []


def test_a_new_question_is_open_and_ready_to_be_written(section):
    before = questions(section)

    section.click(".add-row")
    new = f"questions-{len(before)}"
    section.wait_for_function(f"document.activeElement.name == '{new}-text'")
    section.keyboard.type("What did a Sunday look like?")
    section.fill(f"[name={new}-objective]", "One Sunday as a scene.")

    assert save(section) == [*before, "What did a Sunday look like?"]


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


def test_intelligence_shows_by_itself_when_it_is_there(exploration, staffed, complaints):
    place = exploration.url.split("/change/")[0]
    rows = sqlite3.connect(staffed.data / "interviewsite.sqlite3", timeout=20)
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
