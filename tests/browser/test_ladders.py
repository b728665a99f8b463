"""Writing concepts and methodologies in a real Chromium: problems lead to their lines."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.administrator import Administrator
from tests.browser.site import Site

SELECTED = "area => area.value.slice(area.selectionStart, area.selectionEnd)"


@pytest.fixture
def methodology(page: Page, stocked_site: Site) -> Page:
    """The page of a methodology, by somebody who may write."""
    Administrator(page, stocked_site.url).log_in()
    page.goto(f"{stocked_site.url}/admin/plans/laddermethodology/")
    page.click("text=Means-end chain")
    page.wait_for_url("**/laddermethodology/*/change/**")
    page.get_by_role("link", name="YAML", exact=True).click()
    return page


def test_lines_are_numbered_and_the_tab_key_goes_on(methodology: Page) -> None:
    area = methodology.locator("[name=source]")
    count = area.input_value().count("\n") + 1

    assert methodology.locator(".ladder-lines > *").count() == count
    area.press("End")
    area.press("Enter")
    assert methodology.locator(".ladder-lines > *").count() == count + 1
    area.press("Tab")
    expect(area).not_to_be_focused()


def test_a_problem_leads_to_its_line_and_a_mended_text_is_saved(methodology: Page) -> None:
    area = methodology.locator("[name=source]")
    text = area.input_value()
    broken = text.replace("technique: contrast", "techniqe: contrast # mine", 1)
    area.fill(broken)
    methodology.click("[name=_continue]")

    problems = methodology.get_by_role("alert").filter(has_text="problems")
    expect(problems).to_contain_text("did you mean “technique”?")
    assert area.input_value() == broken
    line = broken[: broken.index("techniqe")].count("\n") + 1
    expect(methodology.locator(".ladder-lines b", has_text=str(line))).to_be_visible()
    problems.get_by_role("button", name=f"Line {line}").click()
    expect(area).to_be_focused()
    assert area.evaluate(SELECTED).strip() == "techniqe: contrast # mine"

    methodology.keyboard.insert_text("    technique: contrast # mine")
    methodology.click("[name=_continue]")
    expect(methodology.get_by_text("was changed successfully")).to_be_visible()
    assert area.input_value() == text.replace("technique: contrast", "technique: contrast # mine")


def test_text_and_problems_fit_a_phone(methodology: Page) -> None:
    methodology.set_viewport_size({"width": 360, "height": 740})
    methodology.locator("[name=source]").fill("id: [")
    methodology.click("[name=_continue]")
    expect(methodology.get_by_role("alert").filter(has_text="Fix")).to_be_visible()
    assert methodology.evaluate("document.documentElement.scrollWidth <= innerWidth")
