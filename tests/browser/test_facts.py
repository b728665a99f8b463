"""An admin watches the backlog while somebody hands over, then works on the facts."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.administrator import Administrator
from tests.browser.complaints import Complaints
from tests.browser.participant import Participant
from tests.browser.site import Site
from tests.fake_provider import FakeProvider

RICH = (
    "In 2019 we measured forty orders: two machines have to be set up anew, ninety minutes each, "
    "and the night shift costs a third more. Divided by the 45 orders of a day that gave 1.35, "
    "because Brigitte wanted the small customers not to pay for the large ones."
)
VAGUE = "It depends."
EDITED = "The rush factor of 1.35 pays for two machines that are set up anew at night."


@pytest.fixture(scope="module")
def quick_model() -> Iterator[FakeProvider]:
    with FakeProvider() as fake:
        yield fake


@pytest.fixture(scope="module")
def watched(new_site: Callable[..., Site], quick_model: FakeProvider) -> Site:
    """A site with a model, which alone finds facts, and somebody who may see and change them."""
    return new_site(
        LLM_PROVIDER="anthropic", ANTHROPIC_API_KEY="test", ANTHROPIC_BASE_URL=quick_model.url
    )


def test_the_backlog_is_watched_and_facts_are_edited_and_merged(
    watched: Site, page: Page, context: BrowserContext, complaints: Complaints
) -> None:
    admin = Administrator(context.new_page(), watched.url)
    admin.log_in()
    anna = Participant(page, watched.url).begin("handed-over")
    _opened(admin)

    _follows_the_answers(anna, admin.page)
    _follows_to_the_end(anna, admin.page)
    _leads_to_the_answer(admin.page)

    _edited(admin.page)
    _merged(admin.page)
    _taken_apart(admin.page)
    assert not complaints


def _opened(admin: Administrator) -> None:
    admin.page.goto(f"{admin.url}/admin/interviews/session/")
    admin.page.locator("#result_list tbody tr").get_by_role("link").first.click()
    expect(_question(admin.page, "rush-factor")).to_contain_text("Asked now")
    expect(admin.page.locator("#backlog-counts")).to_contain_text("4 open")


def _question(page: Page, key: str) -> Locator:
    return page.locator(f'#backlog-rows [data-question="{key}"]')


def _follows_the_answers(anna: Participant, page: Page) -> None:
    """Nobody reloads the page, and what was scrolled to stays in sight."""
    page.evaluate("window.stillHere = true")
    expect(page.locator("#backlog-facts")).to_contain_text("No facts yet")
    box = page.get_by_role("region", name="Questions")
    box.evaluate("box => { box.style.maxHeight = '120px'; box.scrollTop = 40; }")
    anna.answer(RICH)
    expect(_question(page, "rush-factor")).to_contain_text("Answered")
    expect(_question(page, "rush-factor")).to_contain_text("In 2019 we measured")
    expect(_question(page, "safety")).to_contain_text("Asked now")
    expect(page.locator("#backlog-facts li").first).to_be_visible()
    assert box.evaluate("box => box.scrollTop") == 40
    anna.answer(VAGUE)
    expect(_question(page, "followup-1")).to_contain_text("Asked now")
    expect(page.locator('[data-question="safety"] + [data-question="followup-1"]')).to_be_attached()
    assert page.evaluate("window.stillHere")


def _follows_to_the_end(anna: Participant, page: Page) -> None:
    for _ in range(9):
        if anna.page.locator("#state").get_attribute("data-phase") == "over":
            break
        anna.answer(RICH.replace("2019", f"20{_ + 10}"))
    anna.phase("over")
    expect(page.locator("#backlog-poll")).to_contain_text("The interview has ended.")
    assert page.locator("#backlog-poll").get_attribute("hx-get") is None
    expect(page.locator("#backlog-counts")).to_contain_text("0 open")
    expect(page.locator("#talk-badges")).to_contain_text("Completed")
    expect(_question(page, "recycled")).to_contain_text("Not asked")
    assert page.evaluate("window.stillHere")


def _leads_to_the_answer(page: Page) -> None:
    _question(page, "rush-factor").get_by_role("link", name="answer 3").click()
    expect(page.locator("#e3:target")).to_be_in_viewport()
    expect(page.locator("#e3")).to_contain_text(RICH)


def _edited(page: Page) -> None:
    page.locator("#backlog-facts").get_by_role("link", name=re.compile("facts? of this")).click()
    rows = page.locator("#result_list tbody tr")
    expect(rows.first).to_be_visible()
    assert rows.count() >= 2
    rows.last.get_by_role("link").first.click()
    original = page.locator("[name=text]").input_value()
    page.locator("[name=text]").fill(EDITED)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(page.locator("[name=text]")).to_have_value(EDITED)
    expect(page.locator(".fact-main")).to_contain_text("Original")
    expect(page.locator(".fact-main")).to_contain_text(original)
    expect(page.locator(".talk-about")).to_contain_text("by admin")


def _merged(page: Page) -> None:
    page.goto(re.sub(r"\d+/change/.*", "?o=-1", page.url))
    for row in page.locator("#result_list tbody tr").all()[:2]:
        row.locator(".action-select").check()
    page.locator("select[name=action]").select_option(label="Merge")
    page.locator("button[name=index], [name=index]").first.click()
    expect(page.get_by_role("heading", name="Merge 2 facts")).to_be_visible()
    page.locator("[name=text]").fill("Both in one.")
    page.get_by_role("button", name="Merge").click()
    expect(page.get_by_text("2 facts merged into one.")).to_be_visible()
    expect(page.locator(".fact-merged li")).to_have_count(1)


def _taken_apart(page: Page) -> None:
    page.get_by_role("button", name="Undo merge").click()
    expect(page.get_by_text("Merge undone: 1 fact restored.")).to_be_visible()
    expect(page.locator(".fact-merged")).to_have_count(0)
