"""Documents are handed over in the admin, looked into and put right, and a backlog comes in."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.administrator import Administrator
from tests.browser.site import Site

DEMO = Path(__file__).parents[2] / "plans/demo/documents"
FILES = [DEMO / name for name in ("prices.xlsx", "order_process.md", "reorder_paper.py")]
WATCH = """() => {
  window.seen = new Set();
  const look = () => {
    for (const one of document.querySelectorAll(".kt-count, #uploads b, .kt-state")) {
      window.seen.add(one.textContent.trim());
    }
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}"""


@pytest.fixture
def preparer(page: Page, site: Site) -> Administrator:
    """Somebody at the page of the documents of a new bot."""
    admin = Administrator(page, site.url)
    admin.log_in()
    admin.new_bot("knowledge_transfer", f"A handover {page.evaluate('Date.now()')}")
    admin.open_action("Documents")
    expect(page.locator("#upload[data-quick]")).to_be_visible()
    return admin


def test_documents_are_read_while_somebody_watches(preparer, complaints):
    page = preparer.page
    page.evaluate(WATCH)

    preparer.upload(*FILES)
    preparer.until_read(3)

    seen = page.evaluate("[...window.seen]")
    assert {path.name for path in FILES} <= set(seen)
    assert any(re.match(r"[012] of [123] read", text) for text in seen)
    expect(page.locator("#uploads li")).to_have_count(0)
    expect(page.get_by_role("region", name="Project summary")).to_contain_text("prices.xlsx")
    assert not complaints


def test_files_chosen_before_the_page_is_ready_are_sent_as_well(preparer, complaints):
    page = preparer.page
    held: list[Route] = []
    page.route(re.compile(r"/documents(\.\w+)?\.js"), lambda route: held.append(route))
    page.reload(wait_until="commit")

    preparer.upload(*FILES)
    page.wait_for_function("document.readyState === 'interactive'")
    held[0].continue_()

    preparer.until_read(3)
    assert not complaints


def test_what_is_wrong_stands_beside_its_file_and_the_others_go_on(
    preparer, complaints, tmp_path: Path
):
    page = preparer.page
    files = {
        "tool.exe": b"MZ\x00\x00\x01\x02" * 500,
        "empty.txt": b"",
        "huge.txt": b"a" * (20 * 1024 * 1024 + 1),
        "notes.md": b"# Notes\n\nRush is 1.35.",
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)

    page.set_input_files("#id_files", [tmp_path / name for name in files])
    preparer.until_read(1)

    refused = page.locator("#uploads li")
    expect(refused).to_have_count(3)
    expect(refused.filter(has_text="tool.exe")).to_contain_text("can't be read here")
    expect(refused.filter(has_text="empty.txt")).to_contain_text("The file is empty.")
    expect(refused.filter(has_text="huge.txt")).to_contain_text("The file is too large.")
    refused.first.get_by_role("button", name="Dismiss").click()
    expect(refused).to_have_count(2)
    assert not complaints


def test_a_dropped_file_is_taken_in(preparer, complaints):
    page = preparer.page
    dropped = page.evaluate_handle(
        """() => {
          const carried = new DataTransfer();
          carried.items.add(new File(["Paper comes on Mondays."], "paper.txt"));
          return carried;
        }"""
    )

    page.dispatch_event("#upload", "drop", {"dataTransfer": dropped})

    preparer.until_read(1)
    expect(page.get_by_role("link", name="paper.txt", exact=True)).to_be_visible()
    assert not complaints


def test_a_deep_dive_and_a_summary_are_put_right(preparer, complaints):
    page = preparer.page
    preparer.upload(FILES[2])
    preparer.until_read(1)

    page.get_by_role("link", name="reorder_paper.py", exact=True).click()
    expect(page.get_by_role("region", name="Extracted text")).to_contain_text("SAFETY = 1.17")
    page.fill("[name=thresholds]", "safety 1.17\nat least 250 sheets")
    page.click("[name=_save]")
    expect(page.get_by_text("Ready, edited")).to_be_visible()

    page.get_by_role("link", name="Open", exact=True).click()
    expect(page.get_by_text("Documents have changed since")).to_be_visible()
    page.fill("[name=summary]", "Paper is ordered on **Mondays**.")
    expect(page.locator("#summary-preview strong")).to_have_text("Mondays")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Up to date with the documents")).to_be_visible()
    assert not complaints


def test_a_backlog_comes_in_and_is_put_in_order(preparer, complaints):
    page = preparer.page
    preparer.upload(*FILES)
    preparer.until_read(3)
    page.get_by_role("link", name="backlog").click()

    preparer.import_backlog(DEMO / "backlog.yaml")
    first = page.get_by_role("region", name="P0 Asked first").locator(".backlog-row")
    expect(first).to_have_count(6)
    expect(first.first).to_contain_text("prices.xlsx, “Prices”")
    first.first.locator("[data-study-handle]").focus()
    page.keyboard.press("ArrowDown")
    page.fill("[name=more]", "Who keeps the keys?\nWho knows the alarm?")
    page.get_by_role("button", name="Save").click()

    expect(page.get_by_text("Saved: 2 added.")).to_be_visible()
    texts = first.locator("textarea[name$=-text]").evaluate_all("all => all.map(one => one.value)")
    assert texts[:2] == [
        "What does the correction of 0.985 on every price per sheet make up for?",
        "How did you arrive at a rush factor of 1.35?",
    ]
    after = page.get_by_role("region", name="P1 Asked after that").locator(".backlog-row")
    expect(after).to_have_count(9)
    assert not complaints


def test_without_the_script_files_go_as_one_form(page, site, tmp_path):
    page.route("**/plans/documents.js*", lambda route: route.abort())
    admin = Administrator(page, site.url)
    admin.log_in()
    admin.new_bot("knowledge_transfer", "Without a script")
    admin.open_action("Documents")

    (tmp_path / "empty.txt").touch()
    admin.upload(FILES[1], tmp_path / "empty.txt")
    page.get_by_role("button", name="Upload").click()

    expect(page.get_by_text("1 file was rejected")).to_be_visible()
    expect(page.get_by_role("link", name="order_process.md", exact=True)).to_be_visible()
