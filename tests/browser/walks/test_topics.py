"""A topic exploration on the page, through all of its phases to the reward."""

import json
import sqlite3
from datetime import datetime, timedelta

from playwright.sync_api import expect

from tests.browser.participant import Participant
from tests.browser.site import Site

RICH = (
    "In 2019 we moved from Leeds, which was a real problem for the five of us, and I was so angry "
    "about the noise that I got up at four every day for a year to have an hour of peace."
)


def test_all_phases_to_the_reward(anna: Participant, site: Site, complaints: list[str]) -> None:
    anna.begin_by_hand("explored")
    assert "Let's begin with your home." in anna.texts()[-1]
    anna.answer(RICH)
    _an_hour_passes(site, anna)
    anna.answer("There is a bakery below.")
    assert "Would you like to continue" in anna.texts()[-1]
    anna.answer("Yes, please")
    assert "your way" in anna.texts()[-1]
    for _ in range(6):
        if "May I ask you for them" in anna.texts()[-1]:
            break
        anna.answer(RICH)
    assert "e-mail address" in anna.texts()[-1]
    anna.answer("Yes")
    anna.answer("It is anna@example.org")
    anna.phase("over")
    expect(anna.page.locator("#reward-code")).to_have_value("EXPLORED-5")
    anna.page.reload()
    expect(anna.page.locator("#reward-code")).to_have_value("EXPLORED-5")
    assert "anna@example.org" not in anna.page.content()
    assert "[e-mail]" in anna.mine()[-1]
    assert not complaints


def _an_hour_passes(site: Site, anna: Participant) -> None:
    """The planned time runs out: the interview's clock is set back in the database."""
    session = anna.session_id.replace("-", "")
    with sqlite3.connect(site.data / "interviewsite.sqlite3", timeout=20) as database:
        (text,) = database.execute(
            "SELECT state FROM interviews_session WHERE id = ?", (session,)
        ).fetchone()
        state = json.loads(text)
        begun = datetime.fromisoformat(state["clock_started_at"])
        state["clock_started_at"] = (begun - timedelta(hours=1)).isoformat()
        database.execute(
            "UPDATE interviews_session SET state = ? WHERE id = ?", (json.dumps(state), session)
        )
