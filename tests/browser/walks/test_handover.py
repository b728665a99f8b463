"""A handover from the files to the package: uploaded, drafted, asked, put together, downloaded."""

import io
import json
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.administrator import Administrator
from tests.browser.complaints import Complaints
from tests.browser.participant import Participant
from tests.browser.site import Site

FILES = Path(__file__).resolve().parents[3] / "plans/demo/documents"
NAMES = ("prices.xlsx", "order_process.md", "reorder_paper.py")
FACT = "The second shift is paid half as much again."
TOLD = (
    f"{FACT} That came to about a third more for every rush order when we worked it out on paper, "
    "so we wrote it into the workbook and nobody has touched it since then."
)
VAGUE = "It depends."


@pytest.mark.timeout(360)  # a whole way, on a machine that does other things as well
def test_from_the_files_to_the_package(
    quick_site: Site, page: Page, context: BrowserContext, complaints: Complaints
) -> None:
    keeper = Administrator(page, quick_site.url)
    keeper.log_in()
    _made(keeper)
    _uploaded(page)
    asked = _drafted(page)
    _opened(page)

    anna = Participant(context.new_page(), quick_site.url)
    _told_everything(anna)
    assert 2 <= asked <= 10

    _followed(keeper, anna.session_id)
    _in_the_facts(page, quick_site.url)
    _put_together(keeper, anna.session_id)
    assert not complaints


def _made(keeper: Administrator) -> None:
    """A new bot, by its form."""
    page = keeper.page
    page.goto(f"{keeper.url}/admin/plans/bot/add/?protocol=knowledge_transfer")
    page.get_by_label("Title").press_sequentially("Paper and prices")
    expect(page.locator("[name=slug]")).to_have_value("paper-and-prices")
    page.locator("[name=option__project]").fill("the print shop's prices")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("link", name="Documents").first).to_be_visible()


def _uploaded(page: Page) -> None:
    """All three at once, until they are read."""
    page.get_by_role("link", name="Documents").first.click()
    page.locator("#id_files").set_input_files([FILES / name for name in NAMES])
    expect(page.locator("#documents").get_by_text("3 of 3 read")).to_be_visible()
    expect(page.locator("#documents .study-progress")).to_have_count(0)
    expect(page.get_by_role("heading", name="How the work runs")).to_be_visible()


def _drafted(page: Page) -> int:
    """The backlog that the model has drafted; how many of its questions are asked."""
    page.get_by_role("link", name="backlog", exact=True).first.click()
    rows = page.locator("textarea[name$='-text'], input[name$='-text']")
    expect(rows.first).to_be_visible()
    texts = [row.input_value() for row in rows.all()]
    assert any("prices.xlsx" in text for text in texts)
    priorities = page.locator("select[name$='-priority']").all()
    return sum(one.input_value() in ("P0", "P1") for one in priorities)


def _opened(page: Page) -> None:
    """Texts are written, and the bot is live."""
    page.get_by_role("link", name="Back to the bot").click()
    page.wait_for_url("**/change/")
    page.wait_for_load_state()
    page.get_by_role("link", name="Words", exact=True).click()
    page.locator("[name=host]").fill("The print shop")
    page.locator("[name=contact]").fill("ask@example.org")
    for name in ("summary", "consent", "about", "care"):
        page.locator(f"[name=text__en__{name}]").fill(f"About {name}: this is a test.")
    page.get_by_role("link", name="Participants", exact=True).click()
    page.locator("[name=status][value=live]").check()
    page.get_by_role("button", name="Save", exact=True).click()
    row = page.locator("#result_list tbody tr", has_text="Paper and prices")
    expect(row.get_by_text("Live")).to_be_visible()


def _told_everything(anna: Participant) -> None:
    """One vague answer, which is probed once; then whole ones until nothing is left."""
    page = anna.begin_by_hand("paper-and-prices").page
    assert "14" not in anna.texts()[0]
    anna.answer(VAGUE)
    expect(anna.said.last).to_contain_text("When did it last come up?")
    for _ in range(12):
        if page.locator("#state").get_attribute("data-phase") == "over":
            break
        anna.answer(TOLD)
    anna.phase("over")


def _followed(keeper: Administrator, session_id: str) -> None:
    """What became of the backlog, on the interview's page."""
    keeper.page.goto(f"{keeper.url}/admin/interviews/session/{session_id}/change/")
    board = keeper.page.get_by_role("region", name="Backlog")
    expect(board.locator("[data-question^='followup-']")).to_have_count(1)
    expect(board.get_by_text("Answered").first).to_be_visible()


def _in_the_facts(page: Page, url: str) -> None:
    page.goto(f"{url}/admin/interviews/fact/")
    expect(page.locator("#result_list").get_by_text(FACT).first).to_be_visible()


def _put_together(keeper: Administrator, session_id: str) -> None:
    """The package and its files."""
    keeper.open_product("Onboarding package", session_id)
    page = keeper.page
    expect(page.locator(".transfer-document")).to_contain_text(FACT)
    with page.expect_download() as download:
        page.get_by_role("link", name="ZIP").click()
    files = zipfile.ZipFile(io.BytesIO(download.value.path().read_bytes()))
    told = files.read("onboarding.md").decode()
    assert FACT in told.replace("\\", "")
    assert FACT in files.read("onboarding.html").decode()
    assert all(name in files.read("documents.csv").decode() for name in NAMES)
    lines = [json.loads(line) for line in files.read("facts.jsonl").decode().splitlines()]
    assert FACT in {line.get("fact") for line in lines}
