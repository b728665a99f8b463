"""The way in, as a browser sees it: agreeing and declining, panels' links, and closed doors."""

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.complaints import Complaints
from tests.browser.participant import SESSION, Participant
from tests.browser.site import Site
from tests.fake_provider import FakeProvider

Change = Callable[..., None]
AGREE, DECLINE = "Agree and start", "No, thanks"
OUTCOMES = {
    "declined": {"code": "NO-41", "url": "https://panel.example.org/no?p={PROLIFIC_PID}"},
    "full": {"code": "FULL-7"},
    "closed": {"url": "https://panel.example.org/closed?p={PROLIFIC_PID}"},
}
PHONE = {"width": 390, "height": 844}
PARAMS = [{"name": "PANELIST", "aliases": ["pid"], "required": True}]


@pytest.fixture(scope="module")
def own_site(new_site: Callable[..., Site]) -> Site:
    """A site whose bots the tests here may change."""
    return new_site()


@pytest.fixture
def ben(page: Page, own_site: Site) -> Participant:
    return Participant(page, own_site.url)


def rows(site: Site, query: str, *values: object) -> list[tuple[object, ...]]:
    """Reads or writes the site's database beside it."""
    with closing(sqlite3.connect(site.data / "interviewsite.sqlite3", timeout=20)) as db, db:
        return db.execute(query, values).fetchall()


@pytest.fixture
def change(own_site: Site) -> Change:
    """Changes the bot `place` as its admin would."""

    def changed(**fields: object) -> None:
        plain = {
            **{"status": "live", "quota": None, "opens_at": None, "closes_at": None},
            **{"hours_from": None, "hours_to": None, "time_zone": "UTC", "link_params": []},
            **{"outcomes": OUTCOMES},
        }
        stored = {k: json.dumps(v) if isinstance(v, list | dict) else v for k, v in plain.items()}
        stored |= {k: json.dumps(v) if isinstance(v, list | dict) else v for k, v in fields.items()}
        names = ", ".join(f"{name} = ?" for name in stored)
        rows(own_site, f"UPDATE plans_bot SET {names} WHERE slug = 'place'", *stored.values())

    changed()
    return changed


def open_start(ben: Participant, query: str = "language=en") -> Page:
    ben.page.goto(f"{ben.url}/i/place/?{query}")
    return ben.page


def test_enter_does_not_agree(ben: Participant, own_site: Site, change: Change) -> None:
    before = rows(own_site, "SELECT count(*) FROM interviews_session")
    page = open_start(ben)
    page.locator("#name").fill("Ben")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    page.locator("#name").press("Enter")
    page.locator("#name").press("Tab")
    expect(ben.button(AGREE)).to_be_focused()
    assert sent == []
    assert rows(own_site, "SELECT count(*) FROM interviews_session") == before
    ben.button(AGREE).press("Enter")
    page.wait_for_url(SESSION)


@pytest.mark.parametrize("phone", [False, True])
def test_what_to_know_before_fits_on_a_screen(
    ben: Participant, change: Change, phone: bool
) -> None:
    ben.page.set_viewport_size(PHONE if phone else {"width": 1280, "height": 800})
    page = open_start(ben)
    bottom = page.locator(".choices").bounding_box()
    assert bottom
    assert bottom["y"] + bottom["height"] <= (1.5 * PHONE["height"] if phone else 800)
    expect(page.get_by_text("kept on this server")).to_be_hidden()
    page.get_by_text("Read the details", exact=True).click()
    expect(page.get_by_text("kept on this server")).to_be_visible()


def test_declining_gives_the_code_and_a_way_back(
    ben: Participant, own_site: Site, change: Change, complaints: Complaints
) -> None:
    before = rows(own_site, "SELECT count(*) FROM interviews_session")
    page = open_start(ben, "language=en&prolific_pid=5f%26x")
    agree, decline = ben.button(AGREE).bounding_box(), ben.button(DECLINE).bounding_box()
    assert agree and decline
    assert (agree["width"], agree["height"]) == (decline["width"], decline["height"])
    ben.button(DECLINE).click()
    expect(page.get_by_role("heading", name="You’ve chosen not to take part")).to_be_visible()
    for _ in range(2):
        expect(page.get_by_label("Your code for the panel that sent you")).to_have_value("NO-41")
        way = page.get_by_role("link", name="Back to the panel that sent you")
        expect(way).to_have_attribute("href", "https://panel.example.org/no?p=5f%26x")
        change(outcomes={"declined": {"code": "NO-42"}})
        page.reload()
    assert rows(own_site, "SELECT count(*) FROM interviews_session") == before
    page.get_by_role("link", name="I’ve changed my mind").click()
    ben.button(AGREE).click()
    page.wait_for_url(SESSION)
    ben.yours()
    assert rows(own_site, "SELECT params FROM interviews_session ORDER BY started_at DESC")[0] == (
        '{"PROLIFIC_PID": "5f&x"}',
    )
    assert not complaints


def test_a_panels_link_in_other_spellings_arrives(
    ben: Participant, own_site: Site, change: Change
) -> None:
    change(link_params=PARAMS)
    page = open_start(ben, "language=en&wave=2")
    expect(page.get_by_text("This link is incomplete")).to_be_visible()
    expect(page.get_by_text("PANELIST", exact=True)).to_be_visible()
    expect(page.locator("form")).to_have_count(0)
    open_start(ben, "language=en&PID=7a&Prolific_Pid=5f&wave=2")
    ben.button(AGREE).click()
    page.wait_for_url(SESSION)
    (params, found_by), *_ = rows(
        own_site, "SELECT params, language_source FROM interviews_session ORDER BY started_at DESC"
    )
    assert json.loads(str(params)) == {"PANELIST": "7a", "PROLIFIC_PID": "5f", "wave": "2"}
    assert found_by == "link"


def test_words_that_were_changed_in_between_are_read_again(
    ben: Participant, own_site: Site, change: Change
) -> None:
    page = open_start(ben)
    page.locator("#name").fill("Ben")
    (words,), *_ = rows(
        own_site,
        "SELECT consent FROM plans_bottext WHERE language = 'en' AND bot_id = "
        "(SELECT id FROM plans_bot WHERE slug = 'place')",
    )
    update = (
        "UPDATE plans_bottext SET consent = ? WHERE language = 'en' AND bot_id = "
        "(SELECT id FROM plans_bot WHERE slug = 'place')"
    )
    rows(own_site, update, "From now on it is kept for ten years.")
    ben.button(AGREE).click()
    expect(page.get_by_role("alert")).to_contain_text("has changed")
    expect(page.get_by_text("kept for ten years")).to_be_visible()
    expect(page.locator("#name")).to_have_value("Ben")
    ben.button(AGREE).click()
    page.wait_for_url(SESSION)
    newest = "SELECT text FROM interviews_consenttext ORDER BY id DESC"
    assert str(rows(own_site, newest)[0][0]).startswith("From now on it is kept for ten years.")
    rows(own_site, update, words)


def test_a_language_that_was_clicked_is_a_choice(
    ben: Participant, own_site: Site, change: Change
) -> None:
    page = open_start(ben, "language=en&STUDY_ID=s")
    page.get_by_role("link", name=re.compile("Русский", re.IGNORECASE)).click()
    page.locator("form.begin button[value=agreed]").click()
    page.wait_for_url(SESSION)
    newest = (
        "SELECT language, language_source, params FROM interviews_session ORDER BY started_at DESC"
    )
    assert rows(own_site, newest)[0] == ("ru", "choice", '{"STUDY_ID": "s"}')


def test_closed_doors_say_why_and_what_to_do(
    ben: Participant, change: Change, complaints: Complaints
) -> None:
    soon = datetime.now(UTC) + timedelta(hours=3)
    later = soon + timedelta(hours=2)
    hours = {"hours_from": f"{soon:%H:00:00}", "hours_to": f"{later:%H:00:00}"}
    tomorrow = f"{datetime.now(UTC) + timedelta(days=1):%Y-%m-%d 12:00:00}"
    doors: list[tuple[dict[str, object], str, str]] = [
        (
            {"status": "closed"},
            "This interview is closed.",
            "https://panel.example.org/closed?p=5f",
        ),
        ({"opens_at": tomorrow}, "It opens on", ""),
        (hours, "This interview is closed right now.", ""),
        ({"quota": 1}, "All places in this interview are taken", "FULL-7"),
    ]
    Participant(ben.page, ben.url).begin()
    ben.page.context.clear_cookies()
    for fields, said, given in doors:
        change(**fields)
        page = open_start(ben, "language=en&PROLIFIC_PID=5f")
        expect(page.get_by_text(said)).to_be_visible()
        expect(page.locator("form")).to_have_count(0)
        shown = page.locator("#outcome-code, main a.button")
        expect(shown).to_have_count(1 if given else 0)
        if given:
            assert given in (shown.get_attribute("href"), shown.get_attribute("value"))
    assert not complaints


def test_when_it_opens_is_told_by_the_devices_clock(
    new_context: Callable[..., BrowserContext], own_site: Site, change: Change
) -> None:
    change(opens_at="2099-01-01 22:30:00")
    page = new_context(timezone_id="Asia/Tokyo").new_page()
    page.goto(f"{own_site.url}/i/place/?language=en")
    expect(page.get_by_text("It opens on Jan. 1, 2099, 10:30 p.m. (UTC)")).to_be_visible()
    expect(page.locator("#here")).to_have_text(re.compile("January 2, 2099.+7:30.AM"))
    page = new_context(timezone_id="Africa/Accra").new_page()  # which is UTC by another name
    page.goto(f"{own_site.url}/i/place/?language=en", wait_until="networkidle")
    expect(page.locator("#here")).to_be_hidden()


def test_who_has_begun_goes_on_through_a_closed_door(ben: Participant, change: Change) -> None:
    ben.begin()
    change(quota=1, status="closed")
    page = open_start(ben)
    page.get_by_role("link", name="Continue your interview").click()
    ben.answer("By the canal, near the old mill.")
    assert ben.mine() == ["By the canal, near the old mill."]


def test_one_long_word_widens_no_page(ben: Participant, own_site: Site) -> None:
    title = "Arbeitsplatzzufriedenheitsbefragung"
    contact = "arbeitszufriedenheit-befragung@institut-fuer-sozialforschung.example.org"
    update = "UPDATE plans_bot SET title = ?, contact = ? WHERE slug = 'curious'"
    rows(own_site, update, title, contact)
    page = ben.page
    page.set_viewport_size({"width": 320, "height": 430})
    ben.begin("curious")
    for path in (f"{ben.url}/i/curious/", ben.address, f"{ben.address}transcript/"):
        page.goto(path)
        expect(page.get_by_role("heading", name=title)).to_be_attached()
        assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_the_chat_opens_at_once_and_the_first_question_streams_in(
    page: Page, slow_site: Site, provider: FakeProvider
) -> None:
    provider.ttft, usual = 3.0, provider.ttft
    try:
        page.goto(f"{slow_site.url}/i/explored/?language=en")
        page.locator("button[value=agreed]").click()
        page.wait_for_url(SESSION)
        ben = Participant(page, slow_site.url)
        ben.phase("asking")
        expect(page.locator(".said.intro")).to_be_visible()
        expect(page.locator("#dots")).to_be_visible()
        expect(page.locator("#draft-words")).not_to_be_empty()
        ben.phase("asking")
        ben.yours()
        assert len(ben.texts()) == 2
    finally:
        provider.ttft = usual


def test_without_a_script_the_first_question_is_waited_for_on_the_chat_page(
    browser: Browser, slow_site: Site
) -> None:
    context = browser.new_context(java_script_enabled=False, locale="en-GB")
    page = context.new_page()
    page.goto(f"{slow_site.url}/i/explored/?language=en")
    page.locator("button[value=agreed]").dblclick()
    page.wait_for_url(SESSION)
    expect(page.locator("#log .said")).to_have_count(2)  # the page asks again by itself
    context.close()
