"""From a panel's link through the whole interview back to the panel."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.panel import Panel, panel_server
from tests.browser.participant import Participant
from tests.browser.site import Site
from tests.services.databases import Database

PID, OTHER_PID = "5f8d0b2c9e", "6a9e1c3daf"
STUDY, VISIT = "65a1c0ffee", "66b2&x=1 #é"
QUERY = "STUDY_ID=65a1c0ffee&SESSION_ID=66b2%26x%3D1%20%23%C3%A9"


@pytest.fixture
def panel(site: Site) -> Iterator[Panel]:
    """The bot `panel` sends people back to it."""
    with panel_server() as server:
        _lead_to(site, server.url)
        yield server


def _lead_to(site: Site, url: str) -> None:
    rows = Database(site.data)
    ((stored,),) = rows.rows("SELECT options FROM plans_bot WHERE slug='panel'")
    options = json.loads(stored)
    for name in ("url", "early_url"):
        options["reward"][name] = url + "/done?" + options["reward"][name].split("?", 1)[1]
    rows.change("UPDATE plans_bot SET options=? WHERE slug='panel'", json.dumps(options))


def link(pid: str) -> str:
    return f"/i/panel/?PROLIFIC_PID={pid}&{QUERY}"


def arrive(anna: Participant, pid: str = PID) -> None:
    anna.page.goto(anna.url + link(pid))
    anna.page.locator("form.begin button[value=agreed]").click()
    anna.page.wait_for_url("**/s/**")
    anna.yours()


def test_from_the_link_to_the_panel(anna: Participant, panel: Panel, new_context) -> None:
    page = anna.page
    arrive(anna)
    for words in ("By the river.", "The early morning.", "Nothing at all."):
        anna.answer(words)
    anna.phase("over")
    page.wait_for_load_state("networkidle")
    assert panel.visits == []  # nobody is sent anywhere by the page
    expect(page.get_by_role("heading", name="You’re done")).to_be_in_viewport()
    confirm = page.get_by_role("link", name="Confirm")
    expect(confirm).to_be_in_viewport()
    page.reload()
    expect(confirm).to_be_in_viewport()
    confirm.click()
    page.wait_for_url(f"{panel.url}/**")
    (visit,) = panel.visits
    assert visit.path == "/done"
    assert visit.params == {"pid": PID, "study": STUDY, "s": VISIT, "c": "WHOLE"}
    assert "Referer" not in visit.headers
    assert "Cookie" not in visit.headers
    page.go_back()
    expect(confirm).to_be_visible()
    _by_the_personal_link(anna, new_context, confirm.get_attribute("href"))
    _by_the_panels_link_again(anna, new_context)


def _by_the_personal_link(anna: Participant, new_context, href: str | None) -> None:
    """Later, on another device, it is the same one."""
    anna.page.get_by_text("Menu", exact=True).click()
    anna.button("Read your answers on another device").click()
    link = anna.page.locator("#personal-link").input_value()
    other: Page = new_context().new_page()
    other.goto(link)
    expect(other.get_by_role("link", name="Confirm")).to_have_attribute("href", href or "")


def _by_the_panels_link_again(anna: Participant, new_context) -> None:
    """It leads back to the end of this one and begins no other, in no browser."""
    given = "You’ve already taken part in this interview. Thank you."
    anna.page.goto(anna.url + link(PID))
    expect(anna.page.get_by_text(given)).to_be_visible()
    anna.page.get_by_role("link", name="Open your finished interview").click()
    expect(anna.page.get_by_role("link", name="Confirm")).to_be_visible()
    other: Page = new_context().new_page()
    other.goto(anna.url + link(PID))
    expect(other.get_by_text(given)).to_be_visible()
    expect(other.locator("form.begin")).to_have_count(0)


def test_who_ends_early_goes_back_with_another_code(anna: Participant, panel: Panel) -> None:
    arrive(anna, OTHER_PID)
    anna.answer("By the river.")
    anna.page.goto(f"{anna.address}end/")
    anna.button("Finish the interview").click()
    anna.phase("over")
    expect(anna.page.get_by_role("heading", name="You’re done")).to_be_visible()
    anna.page.get_by_role("link", name="Confirm").press("Enter")
    anna.page.wait_for_url(f"{panel.url}/**")
    assert panel.visits[-1].params["c"] == "EARLY"
    assert panel.visits[-1].params["pid"] == OTHER_PID
