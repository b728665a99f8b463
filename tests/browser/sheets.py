"""Puts photographs of states onto sheets, for people to look through and for the docs.

PICTURES=/tmp/pictures python -m pytest tests/browser/test_states.py
python -m tests.browser.sheets /tmp/pictures docs/images
"""

import sys
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import CHROMIUM

WIDTH, GAP, COLUMNS = 240, 16, 6  # pixels
KINDS = ("phone-light", "phone-dark")
SHEETS = {
    "in": (
        *("home", "start", "incomplete-link", "invitation", "by-invitation", "by-night"),
        *("full", "closed", "declined", "start-again", "start-arabic", "full-arabic"),
    ),
    "through": (
        *("first-question", "talking", "menu", "personal-link", "dictating", "thinking"),
        *("offline", "too-long", "paused", "care", "talking-arabic", "talking-russian"),
    ),
    "out": (
        *("finish-asked", "completed", "rated", "rewarded", "panel", "pool-empty"),
        *("put-aside", "transcript", "withdraw", "withdrawn", "not-found", "ended-arabic"),
    ),
}
STYLE = (
    f"body {{ margin: {GAP}px; background: #8a8680; display: grid; gap: {GAP}px; "
    f"grid-template-columns: repeat({COLUMNS}, {WIDTH}px); }} img {{ display: block; }}"
)


def sheet(browser: Browser, pictures: list[Path], to: Path) -> None:
    """One PNG of all of them, in rows."""
    shown = "".join(f"<img width={WIDTH} src='{one.as_uri()}'>" for one in pictures)
    made = to.with_suffix(".html")
    made.write_text(f"<style>{STYLE}</style>{shown}")
    width = COLUMNS * (WIDTH + GAP) + GAP
    page = browser.new_page(viewport={"width": width, "height": 400})
    page.goto(made.absolute().as_uri(), wait_until="networkidle")
    page.screenshot(path=to, full_page=True)
    page.close()
    made.unlink()


def main(folder: Path, to: Path) -> None:
    """Every sheet, in the light and in the dark."""
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name, states in SHEETS.items():
            for kind in KINDS:
                pictures = [folder / f"{state}-{kind}.png" for state in states]
                sheet(browser, pictures, to / f"pages-{name}-{kind.split('-')[1]}.png")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute(), Path(sys.argv[2]).absolute())
