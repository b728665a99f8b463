"""Every state that participants meet, and how each comes about."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from uuid import uuid4

from playwright.sync_api import Route, expect

from tests.browser.participant import Participant
from tests.browser.voices import EARS, says

LONG = (
    "By the river, in a house with a blue door. In the morning the boats go out before it is "
    "light, and one hears the engines long before one sees them.\n\nIn winter nothing moves."
)
Reach = Callable[[Participant], None]


@dataclass(frozen=True)
class State:
    """A state by its name; `reach` leads a fresh browser there, on the site of that name."""

    name: str
    reach: Reach
    site: str = "quick"


def _path(path: str) -> Reach:
    def reach(anna: Participant) -> None:
        anna.page.goto(anna.url + path)

    return reach


def _begun(anna: Participant) -> None:
    anna.begin()


def _talking(anna: Participant) -> None:
    anna.begin()
    anna.answer(LONG)
    anna.button("Skip").click()
    expect(anna.page.locator(".said.you")).to_have_count(2)
    anna.yours()


def _start_again(anna: Participant) -> None:
    anna.begin()
    anna.page.goto(f"{anna.url}/i/place/?language=en")


def _menu(anna: Participant) -> None:
    _talking(anna)
    anna.page.get_by_text("Menu", exact=True).click()


def _link(anna: Participant) -> None:
    _menu(anna)
    anna.button("Continue on another device").click()
    expect(anna.page.locator("#personal-link")).to_be_visible()


def _finish(anna: Participant) -> None:
    _menu(anna)
    anna.page.get_by_role("link", name="Finish").click()
    expect(anna.page.get_by_role("dialog")).to_be_visible()


def _of_session(part: str) -> Reach:
    def reach(anna: Participant) -> None:
        _talking(anna)
        anna.page.goto(f"{anna.address}{part}/")

    return reach


def _speaking(anna: Participant) -> None:
    anna.begin()
    anna.box.fill(LONG)
    anna.box.press("Enter")
    expect(anna.page.locator("#draft-words")).not_to_be_empty()


def _thinking(anna: Participant) -> None:
    anna.begin()
    anna.page.route_web_socket("**/ws/**", lambda socket: None)
    anna.page.route(re.compile("/(answer|state)/"), _never)
    anna.box.fill(LONG)
    anna.box.press("Enter")
    expect(anna.page.locator("#send")).to_have_attribute("aria-disabled", "true")


def _never(route: Route) -> None:
    """The request stays under way."""


def _offline(anna: Participant) -> None:
    _begun(anna)
    anna.box.fill("By the river.")
    anna.page.context.set_offline(True)
    expect(anna.notice).to_contain_text("You’re offline")


def _too_long(anna: Participant) -> None:
    _begun(anna)
    anna.box.fill("By the river. " * 1_300)
    anna.button("Send").click()
    expect(anna.notice).to_contain_text("too long")


def _paused(anna: Participant) -> None:
    _talking(anna)
    anna.button("Pause").click()
    anna.phase("paused")


def _stopped(anna: Participant) -> None:
    _talking(anna)
    anna.page.goto(f"{anna.address}end/")
    anna.button("Finish the interview").click()
    anna.phase("over")


def _completed(anna: Participant) -> None:
    anna.begin()
    for _ in range(3):
        anna.answer(LONG)
    anna.phase("over")


def _rewarded(anna: Participant) -> None:
    anna.begin("thankful")
    anna.page.goto(f"{anna.address}end/")
    anna.button("Finish the interview").click()
    anna.yours()
    anna.answer("no")
    anna.phase("over")


def _put_aside(anna: Participant) -> None:
    _talking(anna)
    first = anna.address
    anna.page.goto(f"{anna.url}/i/place/?language=en")
    anna.page.get_by_text("Start again instead", exact=True).click()
    anna.button("Agree and start again").click()
    anna.yours()
    anna.page.goto(first)
    anna.phase("over")


def _withdrawn(anna: Participant) -> None:
    _of_session("withdraw")(anna)
    anna.button("Withdraw and delete my answers").click()
    anna.page.wait_for_url("**/withdrawn/**")


def _declined(anna: Participant) -> None:
    anna.page.goto(f"{anna.url}/i/place/?language=en")
    anna.button("No, thanks").click()
    anna.page.wait_for_url("**/declined/**")


def _from_a_panel(anna: Participant) -> str:
    """Begun with a number of its own; gives the link."""
    link = f"{anna.url}/i/place/?language=en&PROLIFIC_PID={uuid4().hex}"
    anna.page.goto(link)
    anna.button("Agree and start").click()
    anna.yours()
    return link


def _given_already(anna: Participant) -> None:
    link = _from_a_panel(anna)
    anna.page.goto(f"{anna.address}end/")
    anna.button("Finish the interview").click()
    anna.phase("over")
    anna.page.goto(link)
    expect(anna.page.get_by_role("link", name="Open your finished interview")).to_be_visible()


def _begun_elsewhere(anna: Participant) -> None:
    link = _from_a_panel(anna)
    anna.page.context.clear_cookies()
    anna.page.goto(link)
    expect(anna.page.get_by_text("in another browser")).to_be_visible()


def _another_open(anna: Participant) -> None:
    link = anna.begin().link
    anna.page.context.clear_cookies()
    anna.begin(name="Ben")
    anna.page.goto(link)
    expect(anna.button("Open the interview from your link")).to_be_visible()


def _start_of_another(anna: Participant) -> None:
    _from_a_panel(anna)
    anna.page.goto(f"{anna.url}/i/place/?language=en&PROLIFIC_PID={uuid4().hex}")
    expect(anna.page.get_by_text("Another interview is open")).to_be_visible()


def _stopped_with(bot: str) -> Reach:
    """Ended early, where a reward is due by that bot's ways."""

    def reach(anna: Participant) -> None:
        anna.begin(bot)
        anna.answer(LONG)
        anna.page.goto(f"{anna.address}end/")
        anna.button("Finish the interview").click()
        anna.phase("over")

    return reach


def _rated(anna: Participant) -> None:
    _completed(anna)
    anna.page.locator("#heard-4").check()
    anna.page.locator("#rate").click()
    expect(anna.page.locator("#rate")).to_have_text("Change rating")


def _dictating(anna: Participant) -> None:
    anna.page.add_init_script(EARS)
    anna.begin()
    anna.button("Dictate").click()
    anna.button("Turn on the microphone").click()
    says(anna.page, "we moved to the", final=False)
    expect(anna.page.locator("#voice-status")).to_contain_text("The microphone is on")


def _care(anna: Participant) -> None:
    anna.begin()
    anna.answer("I don't want to live any more.")
    expect(anna.page.locator(".said.care")).to_be_visible()


def _care_in_arabic(anna: Participant) -> None:
    anna.begin(language="ar")
    anna.answer("أريد أن أموت.")
    expect(anna.page.locator(".said.care")).to_be_visible()


def _stop_asked(anna: Participant) -> None:
    anna.begin()
    anna.answer(LONG)
    anna.answer("Please stop the interview.")
    expect(anna.button("End the interview")).to_be_visible()


def _ended_in_arabic(anna: Participant) -> None:
    anna.begin(language="ar")
    for _ in range(3):
        anna.answer("قرب النهر، في بيت صغير.")
    anna.phase("over")


def _in(language: str, words: str) -> Reach:
    def reach(anna: Participant) -> None:
        anna.begin(language=language)
        anna.answer(words)

    return reach


STATES = (
    State("home", _path("/")),
    State("start", _path("/i/place/?language=en")),
    State("start-again", _start_again),
    State("closed", _path("/i/closed/")),
    State("early", _path("/i/early/")),
    State("not-found", _path("/nowhere/")),
    State("first-question", _begun),
    State("talking", _talking),
    State("menu", _menu),
    State("personal-link", _link),
    State("finish-asked", _finish),
    State("end", _of_session("end")),
    State("withdraw", _of_session("withdraw")),
    State("transcript", _of_session("transcript")),
    State("speaking", _speaking, site="slow"),
    State("thinking", _thinking),
    State("offline", _offline),
    State("too-long", _too_long),
    State("paused", _paused),
    State("stopped", _stopped),
    State("completed", _completed),
    State("rewarded", _rewarded),
    State("put-aside", _put_aside),
    State("withdrawn", _withdrawn),
    State("by-night", _path("/i/by-night/?language=en")),
    State("full", _path("/i/full/?language=en")),
    State("incomplete-link", _path("/i/panelists/?language=en")),
    State("by-invitation", _path("/i/invited/?language=en")),
    State("invitation", _path("/join/0b6f6f5e-6a53-4c63-9d53-0b6b2f3a9c11/")),
    State("declined", _declined),
    State("given-already", _given_already),
    State("begun-elsewhere", _begun_elsewhere),
    State("another-open", _another_open),
    State("start-of-another", _start_of_another),
    State("panel", _stopped_with("panel")),
    State("pool", _stopped_with("pool")),
    State("pool-empty", _stopped_with("empty")),
    State("rated", _rated),
    State("dictating", _dictating),
    State("care", _care),
    State("care-arabic", _care_in_arabic),
    State("stop-asked", _stop_asked),
    State("ended-arabic", _ended_in_arabic),
    State("full-arabic", _path("/i/full/?language=ar")),
    State("start-arabic", _path("/i/place/?language=ar")),
    State("talking-arabic", _in("ar", "قرب النهر، في بيت صغير.")),
    State("talking-russian", _in("ru", "У реки, в маленьком доме.")),
)
