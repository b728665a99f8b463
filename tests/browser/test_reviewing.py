"""An expert's reflection is read beside the interview, amended, and exported as it was amended."""

import csv
import io

from playwright.sync_api import Page, expect

from tests.browser.administrator import Administrator
from tests.browser.complaints import Complaints
from tests.browser.site import Site
from tests.reflections.telling import ACROSS, BEES, LEFT

OWN = "Care was learned from a grandmother."
NEW = "Hope comes by smell."
SMELL = "The smell of wax still makes me hopeful"


def test_from_a_quote_to_the_export(stocked_site: Site, page: Page, complaints: Complaints) -> None:
    reviewer = Administrator(page, stocked_site.url)
    reviewer.log_in()
    _opened(reviewer)
    _quotes_are_lit(page)
    _and_lead_back(page)
    _a_wrong_quote_is_refused(page)
    _amended(page)
    _exported(reviewer)
    assert not complaints


def _opened(reviewer: Administrator) -> None:
    page = reviewer.page
    page.goto(f"{reviewer.url}/admin/reflections/reflection/?name=expert:psychologist")
    row = page.locator("#result_list tbody tr", has_text="Reflection: Psychologist")
    row.get_by_role("link").first.click()
    expect(page.get_by_text("What somebody leans on.")).to_be_visible()
    expect(page.locator("mark.is-lit")).to_have_count(0)


def _quotes_are_lit(page: Page) -> None:
    """Each in its very words, also where two overlap; the other one's remainder stays as it is."""
    for words in (ACROSS, LEFT, BEES):
        page.locator(".told-quote a", has_text=words).click()
        lit = page.locator("mark.is-lit")
        expect(lit.first).to_be_in_viewport()
        assert "".join(lit.all_text_contents()) == words


def _and_lead_back(page: Page) -> None:
    page.locator("#e5").get_by_role("link", name="Statement 3").click()
    expect(page.locator("#s3:target")).to_be_in_viewport()


def _a_wrong_quote_is_refused(page: Page) -> None:
    page.get_by_text("Amend instead").click()
    page.locator("[name=told-0-text]").fill(OWN)
    page.locator("[name=told-1-keep]").uncheck()
    expect(page.locator("[name=told-1-text]")).to_be_hidden()
    page.locator("[name=told-3-text]").fill(NEW)
    page.locator("[name=told-3-more]").fill("7 the smell of honey")
    page.get_by_label("Comment").fill("Closer to the words.")
    page.get_by_role("button", name="Save your version").click()
    expect(page.get_by_text("No answer contains “the smell of honey”")).to_be_visible()
    expect(page.locator("[name=told-0-text]")).to_have_value(OWN)
    expect(page.locator("[name=told-1-keep]")).not_to_be_checked()
    expect(page.locator("[name=told-3-text]")).to_have_value(NEW)
    expect(page.locator("[name=told-3-more]")).to_have_value("7 the smell of honey")
    expect(page.get_by_label("Comment")).to_have_value("Closer to the words.")


def _amended(page: Page) -> None:
    page.locator("[name=told-3-more]").fill(f"7 {SMELL}")
    page.get_by_role("button", name="Add another statement").click()
    page.locator("[name=told-4-text]").fill("Bees come first.")
    _taken(page, "#e3 .report-words", "the smoker for her")
    expect(page.locator("[name=told-4-more]")).to_have_value("3 the smoker for her")
    page.get_by_role("button", name="Save your version").click()
    expect(page.locator(".report-head")).to_contain_text("Amended by admin")
    told = page.locator(".told-text")
    expect(told).to_have_text([OWN, "Loss is told without complaint.", NEW, "Bees come first."])
    page.get_by_role("link", name="The original").click()
    expect(told.first).to_have_text("Care was learned beside an older woman.")


def _taken(page: Page, place: str, words: str) -> None:
    """Selects words in an answer, and takes them over as a quote of the last statement."""
    page.locator(place).evaluate(
        """(place, words) => {
          const text = place.lastChild, start = text.data.indexOf(words), range = new Range();
          range.setStart(text, start);
          range.setEnd(text, start + words.length);
          getSelection().removeAllRanges();
          getSelection().addRange(range);
        }""",
        words,
    )
    page.get_by_role("button", name="Add selected words").last.click()


def _exported(reviewer: Administrator) -> None:
    page = reviewer.page
    page.goto(f"{reviewer.url}/admin/interviews/session/export/")
    page.select_option("[name=table]", "reflections")
    page.select_option("[name=format]", "csv")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    content = download.value.path().read_bytes().decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(content, newline=""), strict=True))
    assert [one["change"] for one in rows] == ["amended", "kept", "new", "new"]
    assert {(one["final"], one["review"], one["reviewer"]) for one in rows} == {
        ("true", "amended", "admin")
    }
    assert (rows[0]["statement"], rows[0]["quotes"], rows[0]["positions"]) == (OWN, BEES, "3")
    assert rows[0]["original"] == "Care was learned beside an older woman."
    assert (rows[2]["statement"], rows[2]["quotes"]) == (NEW, SMELL)
    assert (rows[3]["quotes"], rows[3]["positions"]) == ("the smoker for her", "3")
