"""Every state of every page of participants: accessible at three widths, in light and dark.

Colours are looked at on a desktop, and at the other widths in `make test-long` only.
With PICTURES=folder in the environment each is photographed as well.
"""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.accessible import check, check_all_but_colours, check_colours
from tests.browser.complaints import CLOSED_DOOR, OUTAGE, REFUSAL, Complaints
from tests.browser.participant import Participant
from tests.browser.site import Site
from tests.browser.states import STATES, State
from tests.examples import LONG

WIDTHS = {
    "desktop": {"width": 1280, "height": 860},
    "phone": {"width": 390, "height": 844},
    "zoomed": {"width": 320, "height": 430},  # 1280 by 1024 at 400 %; last, as the narrowest
}
DOUBLED = {"width": 640, "height": 430}  # the desktop at 200 %
TOO_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
pictures = os.environ.get("PICTURES", "")


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.name)
def test_state(
    state: State, page: Page, complaints: Complaints, request: pytest.FixtureRequest
) -> None:
    site: Site = request.getfixturevalue("slow_site" if state.site == "slow" else "site")
    with (
        complaints.expected(OUTAGE),
        complaints.expected(CLOSED_DOOR),
        complaints.expected(REFUSAL),
    ):
        state.reach(Participant(page, site.url))
        _look(state, page)
    assert complaints == []


def _look(state: State, page: Page) -> None:
    for name, size in WIDTHS.items():
        page.set_viewport_size(size)
        in_colour = LONG or name == "desktop"
        page.emulate_media(color_scheme="light")
        (check if in_colour else check_all_but_colours)(page)
        if pictures:
            photograph(page, f"{state.name}-{name}-light")
        if in_colour or pictures:
            page.emulate_media(color_scheme="dark")
        if in_colour:
            check_colours(page)
        if pictures:
            photograph(page, f"{state.name}-{name}-dark")
    assert not page.evaluate(TOO_WIDE), f"{state.name} is wider than a narrow screen"
    if pictures:
        page.emulate_media(color_scheme="light")
        page.set_viewport_size(DOUBLED)
        photograph(page, f"{state.name}-doubled-light")


def photograph(page: Page, name: str) -> None:
    folder = Path(pictures)
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=folder / f"{name}.png", animations="disabled")
