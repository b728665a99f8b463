"""Puts photographs of pages onto sheets, for people to look through and for the docs.

`make sheets` takes the photographs and makes the sheets. Pages load no fonts, so install some for
the pictures (Debian: fonts-noto-core).
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import CHROMIUM

GAP, WIDTH = 16, 1560  # pixels: between photographs, and of a sheet
IN = (
    *("home", "start", "incomplete-link", "invitation", "by-invitation", "by-night"),
    *("full", "closed", "declined", "start-again", "not-found", "another-open"),
)
THROUGH = (
    *("first-question", "talking", "menu", "personal-link", "dictating", "thinking"),
    *("offline", "too-long", "paused", "care", "stop-asked", "talking-russian"),
)
OUT = (
    *("finish-asked", "completed", "rated", "rewarded", "panel", "pool-empty"),
    *("put-aside", "transcript", "withdraw", "withdrawn", "stopped", "given-already"),
)
MAIN = (
    *("home", "start", "first-question", "talking", "care", "paused", "completed", "transcript"),
    *("withdraw", "closed", "declined", "not-found"),
)
ARABIC = ("start-arabic", "full-arabic", "talking-arabic", "care-arabic", "ended-arabic")
ADMIN = (
    *("first", "bots", "bot", "bot-new", "script", "section", "sessions", "session"),
    *("reflection", "exports", "invitations", "site"),
)


FIELDWORK = (
    *("setup", "experiment-setup", "first", "overview"),
    *("overview-dark", "overview-phone", "experiment", "prolific"),
)


@dataclass(frozen=True)
class Sheet:
    """Photographs side by side: which states, in which kind of window, in how many columns."""

    name: str
    states: Sequence[str]
    kind: str
    columns: int = 6


SHEETS = (
    *(
        Sheet(f"pages-{name}-{scheme}", states, f"phone-{scheme}")
        for name, states in (("in", IN), ("through", THROUGH), ("out", OUT))
        for scheme in ("light", "dark")
    ),
    *(
        Sheet(f"{name}-desktop-{scheme}", states, f"desktop-{scheme}", columns=3)
        for name, states in (("pages", MAIN), ("admin", [f"admin-{state}" for state in ADMIN]))
        for scheme in ("light", "dark")
    ),
    Sheet("admin-phone", [f"admin-{state}" for state in ADMIN], "phone-light"),
    Sheet("pages-arabic", ARABIC, "phone-light", columns=5),
    Sheet("pages-200-percent", MAIN, "doubled-light", columns=3),
    Sheet("coding", ["admin-coding"], "desktop-light", columns=1),
    Sheet("fieldwork", FIELDWORK, "fieldwork", columns=4),
)


def make(browser: Browser, sheet: Sheet, folder: Path, to: Path) -> None:
    width = (WIDTH - GAP) // sheet.columns - GAP
    style = (
        f"body {{ margin: {GAP}px; background: #8a8680; display: grid; gap: {GAP}px; "
        f"grid-template-columns: repeat({sheet.columns}, {width}px); }} img {{ display: block; }}"
    )
    pictures = [folder / f"{state}-{sheet.kind}.png" for state in sheet.states]
    shown = "".join(f"<img width={width} src='{picture.as_uri()}'>" for picture in pictures)
    html = folder / "sheet.html"
    html.write_text(f"<style>{style}</style>{shown}")
    page = browser.new_page(viewport={"width": WIDTH, "height": 400})
    page.goto(html.as_uri(), wait_until="networkidle")
    page.screenshot(path=to / f"{sheet.name}.jpg", full_page=True, type="jpeg", quality=82)
    page.close()


def main(folder: Path, to: Path) -> None:
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for sheet in SHEETS:
            make(browser, sheet, folder, to)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute(), Path(sys.argv[2]).absolute())
