"""What axe finds on a page."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ["color-contrast", "link-in-text-block"]  # axe's rules that look at colours
THERE = "() => typeof window.axe !== 'undefined'"
RUN = "async ([context, options]) => (await window.axe.run(context, options)).violations"


def check(page: Page, without: str = "") -> None:
    """Asserts that it finds nothing; what `without` selects is checked on another page."""
    _check(page, without, runOnly={"type": "tag", "values": RULES})


def check_all_but_colours(page: Page, without: str = "") -> None:
    """The same without the rules about colours, which take two thirds of the time."""
    off = {name: {"enabled": False} for name in COLOURS}
    _check(page, without, runOnly={"type": "tag", "values": RULES}, rules=off)


def check_colours(page: Page, without: str = "") -> None:
    """The same by the rules about colours, for a page that was checked in others already."""
    _check(page, without, runOnly={"type": "rule", "values": COLOURS})


def _check(page: Page, without: str, **options: Any) -> None:
    first = not page.evaluate(THERE)
    if first:
        page.evaluate(Axe().axe_script)
    # Style sheets are the same at each width, and reading all of them takes as long as the rest.
    options |= {"resultTypes": ["violations"], "preload": first}
    context = {"include": ["html"], "exclude": [without] if without else []}
    violations = page.evaluate(RUN, [context, options])
    found = [
        f"{violation['id']}: {node['html'][:120]} {node.get('failureSummary', '')[:200]}"
        for violation in violations
        for node in violation["nodes"]
    ]
    assert not found, "\n".join([page.url, *found])
