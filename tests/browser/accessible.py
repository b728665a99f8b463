"""What axe finds on a page."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def check(page: Page) -> None:
    """Asserts that it finds nothing."""
    options = {"runOnly": {"type": "tag", "values": RULES}}
    results: dict[str, Any] = Axe().run(page, options=options).response
    found = [
        f"{violation['id']}: {node['html'][:120]} {node.get('failureSummary', '')[:200]}"
        for violation in results["violations"]
        for node in violation["nodes"]
    ]
    assert found == [], page.url
