"""How an answer is written is counted by the page, and what was written stays out of it."""

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.measures import AWAY, measured
from tests.browser.participant import Participant
from tests.browser.site import Site


def kept(anna: Participant) -> dict[str, Any]:
    """What this browser keeps of the measures until the answer is sent."""
    name = f"interviewsite:paradata:{anna.address.rstrip('/').rsplit('/', 1)[1]}"
    found = anna.page.evaluate("(name) => localStorage.getItem(name)", name)
    return json.loads(found or "null")


def test_typing_is_no_edit(anna: Participant, site: Site) -> None:
    anna.begin()
    anna.box.press_sequentially("Near the sea, in a white house.")
    anna.box.press("Enter")
    expect(anna.said).to_have_count(4)
    (row,) = measured(site, anna)
    assert (row["edits"], row["pastes"], row["pasted_characters"]) == (0, 0, 0)
    assert (row["focus_losses"], row["away_ms"], row["dictated"]) == (0, 0, 0)
    assert 0 <= row["first_key_ms"] <= row["response_ms"] + 1_000


def test_deleting_replacing_and_pasting_are_counted(anna: Participant, site: Site) -> None:
    anna.begin()
    box = anna.box
    box.press_sequentially("a grey house")
    box.press("Backspace")
    box.press("Backspace")  # two deletions
    box.press("Shift+Home")
    box.press("x")  # one replacement
    box.press("ControlOrMeta+a")
    box.press("ControlOrMeta+x")  # cut: one more deletion
    for _ in range(3):
        box.press("ControlOrMeta+v")
    expect(box).to_have_value("xxx")
    box.press("Enter")
    expect(anna.said).to_have_count(4)
    (row,) = measured(site, anna)
    assert (row["edits"], row["pastes"], row["pasted_characters"]) == (4, 3, 3)


def test_each_answer_is_counted_by_itself(anna: Participant, site: Site) -> None:
    anna.begin()
    anna.box.press_sequentially("onee")
    anna.box.press("Backspace")
    anna.box.press("Enter")
    expect(anna.said).to_have_count(4)
    anna.yours()
    anna.box.press_sequentially("two")
    anna.box.press("Enter")
    expect(anna.said).to_have_count(6)
    assert [row["edits"] for row in measured(site, anna)] == [1, 0]


def test_being_away_is_counted_once_and_measured(anna: Participant, site: Site) -> None:
    anna.page.clock.install()
    anna.begin()
    anna.box.press_sequentially("I was ")
    anna.page.evaluate(AWAY, True)
    anna.page.clock.fast_forward(30_000)
    anna.page.evaluate(AWAY, False)
    anna.page.evaluate("() => dispatchEvent(new Event('focus'))")
    anna.box.press_sequentially("away.")
    anna.box.press("Enter")
    expect(anna.said).to_have_count(4)
    (row,) = measured(site, anna)
    assert row["focus_losses"] == 1
    assert 30_000 <= row["away_ms"] < 90_000
    assert row["first_key_ms"] < 30_000  # written before she left


def test_the_time_of_a_pause_counts_for_nothing(anna: Participant, site: Site) -> None:
    anna.page.clock.install()
    anna.begin()
    anna.button("Pause").click()
    anna.phase("paused")
    anna.page.evaluate(AWAY, True)
    anna.page.clock.fast_forward("10:00")
    anna.page.evaluate(AWAY, False)
    anna.button("Continue").click()
    anna.yours()
    anna.answer("Back again.")
    (row,) = measured(site, anna)
    assert (row["focus_losses"], row["away_ms"]) == (0, 0)
    assert row["first_key_ms"] < 500_000


def test_a_reload_keeps_the_measures_with_the_draft(anna: Participant, site: Site) -> None:
    anna.begin()
    anna.box.press_sequentially("A draaft")
    anna.box.press("Backspace")
    anna.page.reload()
    anna.yours()
    expect(anna.box).to_have_value("A draaf")
    assert kept(anna)["words"]["edits"] == 1
    anna.box.press("End")
    anna.box.press("Backspace")
    anna.box.press("Enter")
    expect(anna.said).to_have_count(4)
    (row,) = measured(site, anna)
    assert row["edits"] == 2
    assert row["focus_losses"] == 0  # loading the page again is no leaving
    assert row["first_key_ms"] is not None
    assert kept(anna) is None or kept(anna)["words"]["edits"] == 0


def test_a_page_closed_for_long_was_left(anna: Participant, site: Site) -> None:
    anna.page.clock.install()
    anna.begin()
    anna.box.press_sequentially("To be ")
    address = anna.address
    anna.page.goto("about:blank")
    anna.page.clock.fast_forward("05:00")
    anna.page.goto(address)
    anna.yours()
    anna.box.press("End")
    anna.box.press_sequentially("continued")
    anna.box.press("Enter")
    expect(anna.said).to_have_count(4)
    (row,) = measured(site, anna)
    assert row["focus_losses"] == 1
    assert 300_000 <= row["away_ms"] < 600_000


def test_a_second_tab_takes_the_draft_with_its_measures(
    anna: Participant, site: Site, context: BrowserContext
) -> None:
    anna.begin()
    anna.box.press_sequentially("Firstt")
    anna.box.press("Backspace")
    anna.keeps('"edits')
    other = Participant(context.new_page(), site.url)
    other.page.goto(anna.address)
    other.yours()
    expect(other.box).to_have_value("First")
    other.box.press("Enter")
    expect(other.said).to_have_count(4)
    (row,) = measured(site, anna)
    assert row["edits"] == 1
    anna.phase("yours")
    expect(anna.said).to_have_count(4)


def test_dictated_words_are_neither_typed_nor_pasted(anna: Participant, site: Site) -> None:
    anna.begin()
    anna.box.evaluate(
        """(box) => {
          box.value = "Spoken, not written.";
          box.dispatchEvent(new CustomEvent("dictated", { detail: { characters: 20 } }));
          box.dispatchEvent(new Event("input", { bubbles: true }));
        }"""
    )
    anna.box.press("Enter")
    expect(anna.said).to_have_count(4)
    (row,) = measured(site, anna)
    assert row["dictated"] == 1
    assert (row["edits"], row["pastes"], row["pasted_characters"]) == (0, 0, 0)
    assert row["first_key_ms"] is not None


def test_a_skip_is_measured_too(anna: Participant, site: Site) -> None:
    anna.begin()
    anna.button("Skip").click()
    expect(anna.said).to_have_count(4)
    (row,) = measured(site, anna)
    assert row["response_ms"] is not None
    assert row["focus_losses"] == 0


def test_what_is_written_beside_a_button_goes_with_the_words(anna: Participant, site: Site) -> None:
    anna.begin()
    anna.answer("Please stop the interview.")
    anna.box.press_sequentially("A draftt")
    anna.box.press("Backspace")
    anna.button("Continue").click()
    expect(anna.said.get_by_text("Where do you live now?")).to_have_count(2)
    anna.yours()
    anna.box.press("Enter")
    expect(anna.page.locator(".said.you").last).to_contain_text("A draft")
    assert [row["edits"] for row in measured(site, anna)[1:]] == [0, 1]


def test_what_is_deleted_before_a_skip_goes_with_the_skip(anna: Participant, site: Site) -> None:
    anna.begin()
    anna.box.press_sequentially("No")
    anna.box.press("Backspace")
    anna.box.press("Backspace")
    anna.button("Skip").click()
    expect(anna.said).to_have_count(4)
    anna.yours()
    anna.answer("The evening.")
    assert [row["edits"] for row in measured(site, anna)] == [2, 0]


def test_nothing_is_measured_where_nothing_is_kept(anna: Participant, site: Site) -> None:
    sent: list[str] = []
    anna.page.on("request", lambda request: sent.append(request.post_data or ""))
    anna.begin("unmeasured")
    anna.box.press_sequentially("Nothing of thiss")
    anna.box.press("Backspace")
    anna.box.press("Enter")
    expect(anna.said).to_have_count(4)
    assert measured(site, anna) == []
    assert kept(anna) is None
    assert not any("edits" in body for body in sent)


def test_keys_and_words_are_not_among_the_measures(anna: Participant) -> None:
    sent: list[str] = []
    anna.page.on("request", lambda request: sent.append(request.post_data or ""))
    anna.begin()
    anna.box.press_sequentially("Xylophone")
    anna.page.reload()
    anna.yours()
    assert "ylophone" not in json.dumps(kept(anna))
    anna.box.press("Enter")
    expect(anna.said).to_have_count(4)
    (body,) = (one for one in sent if "paradata" in one and "ylophone" in one)
    assert body.count("ylophone") == 1


def test_without_a_script_the_server_s_clock_remains(
    site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    page: Page = new_context(java_script_enabled=False).new_page()
    page.goto(f"{site.url}/i/place/?language=en")
    page.locator("#name").fill("Anna")
    page.locator("form.begin button[value=agreed]").click()
    page.locator("#text").fill("Without any script.")
    page.locator("#send").click()
    expect(page.locator(".said.you")).to_have_count(1)
    (row,) = measured(site, Participant(page, site.url))
    assert row["response_ms"] > 0
    assert row["first_key_ms"] is None
    assert row["edits"] is None
