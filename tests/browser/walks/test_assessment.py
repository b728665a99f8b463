"""A technical assessment on the page, and the review of its report."""

import json
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.administrator import Administrator
from tests.browser.complaints import Complaints
from tests.browser.participant import Participant
from tests.browser.site import Site

GOOD = (
    "A generator saves memory, because it reads the large file line by line and never holds more "
    "than one. For example, I had an export of two gigabytes that a list could not hold."
)
OWN = "Six years of Python, mostly at a shop."


def test_an_interview_and_the_review_of_its_report(
    quick_site: Site, page: Page, context: BrowserContext, complaints: Complaints, tmp_path: Path
) -> None:
    candidate = _interviewed(Participant(page, quick_site.url))
    _nothing_of_the_report(candidate)

    reviewer = Administrator(context.new_page(), quick_site.url)
    reviewer.log_in()
    _opened(reviewer, candidate.session_id)
    _evidence_leads_to_the_answer(reviewer.page)
    _printed(reviewer.page, tmp_path)
    _amended(reviewer.page)
    _downloaded(reviewer.page)

    candidate.page.reload()
    _nothing_of_the_report(candidate)
    assert not complaints


def _interviewed(anna: Participant) -> Participant:
    """Six turns, of which two are strong, one asks back and is not counted."""
    page = anna.begin_by_hand("assessed", experience=OWN).page
    assert "Backend developer" in anna.texts()[-1]
    anna.answer(GOOD)
    before = page.locator("#progress").inner_text()
    anna.answer("Could you rephrase the question?")
    assert page.locator("#progress").inner_text() == before
    for answer in (GOOD, "I don't know.", "I have never studied it.", GOOD, GOOD, GOOD):
        anna.answer(answer)
        if page.locator("#state").get_attribute("data-phase") == "over":
            break
    anna.phase("over")
    return anna


def _nothing_of_the_report(candidate: Participant) -> None:
    shown = candidate.page.content()
    assert not any(word in shown for word in ("EXPECTED", "Hire", "correctness", "Junior"))


def _opened(reviewer: Administrator, session_id: str) -> None:
    """From the list to the report."""
    reviewer.open_product("Report", session_id)
    expect(reviewer.page.get_by_text("Advice to a human reviewer")).to_be_visible()
    expect(reviewer.page.get_by_text(OWN)).to_be_visible()


def _evidence_leads_to_the_answer(page: Page) -> None:
    link = page.locator(".report-topic .report-places a").first
    place = link.get_attribute("href") or ""
    link.click()
    expect(page.locator(f"{place}:target")).to_be_in_viewport()


def _printed(page: Page, folder: Path) -> None:
    """On paper: the report and the answers, none of the admin around them."""
    page.emulate_media(media="print")
    expect(page.locator("#report")).to_be_visible()
    expect(page.locator("#review")).to_be_hidden()
    expect(page.locator("#nav-sidebar, #nav-sidebar-apps").first).to_be_hidden()
    assert page.pdf(path=folder / "report.pdf", format="A4").startswith(b"%PDF")
    page.emulate_media(media="screen")


def _amended(page: Page) -> None:
    page.get_by_text("Amend instead").click()
    page.get_by_label("Recommendation").select_option("No Hire")
    page.get_by_label("Comment").fill("Three answers say the same.")
    page.get_by_role("button", name="Save your version").click()
    expect(page.locator(".report-head")).to_contain_text("Amended")
    expect(page.locator(".report-head")).to_contain_text("Three answers say the same.")
    expect(page.locator(".report-call")).to_contain_text("No Hire")


def _downloaded(page: Page) -> None:
    with page.expect_download() as download:
        page.get_by_role("link", name="JSON", exact=True).click()
    assert "No Hire" in json.dumps(json.loads(download.value.path().read_text(encoding="utf-8")))
