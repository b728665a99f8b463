"""Somebody who was invited by name: from the link to the end, on more than one device."""

import csv
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.accessible import check
from tests.browser.complaints import REFUSAL, Complaints
from tests.browser.participant import SESSION, Participant
from tests.browser.site import Site
from tests.services.processes import environment, python, run

ROW = "from interviews.models import Invitation; from django.utils import timezone; "
ANSWER = "By the river, in a house with a blue door."


def told(site: Site, *args: str) -> None:
    """A command of the site, as people give it."""
    done = run(python("manage.py", *args), environment(site.data))
    assert done.returncode == 0, done.stderr


def link_to(site: Site, bot: str, tmp_path: Path, row: str = "language\nen") -> str:
    """One person is invited; their link."""
    people, links = tmp_path / "people.csv", tmp_path / "links.csv"
    reference = tmp_path.name
    head, cells = row.split("\n")
    people.write_text(f"reference,{head}\n{reference},{cells}\n")
    told(site, "invite", bot, str(people), "-o", str(links), "--site", site.url)
    return next(csv.DictReader(links.open()))["link"]


def change(site: Site, tmp_path: Path, change: str) -> None:
    """Something happens to that invitation."""
    rows = f"Invitation.objects.filter(reference='{tmp_path.name}')"
    told(site, "shell", "-c", f"{ROW}{rows}.update({change})")


def opened(anna: Participant, link: str) -> Participant:
    """The bot's own page, by the link."""
    anna.page.goto(link)
    anna.page.wait_for_url("**/i/**")
    return anna


def begun(anna: Participant) -> Participant:
    anna.page.locator("#name").fill("Anna")
    anna.page.locator("button[name=decision][value=agreed]").click()
    anna.page.wait_for_url(SESSION)
    anna.yours()
    return anna


@pytest.fixture
def elsewhere(new_context, site: Site) -> Participant:
    """Another device."""
    page = new_context().new_page()
    page.set_viewport_size({"width": 390, "height": 844})
    return Participant(page, site.url)


def test_from_the_link_to_the_end_with_a_change_of_device(
    anna: Participant,
    elsewhere: Participant,
    context: BrowserContext,
    complaints: Complaints,
    site: Site,
    tmp_path: Path,
) -> None:
    link = link_to(site, "place", tmp_path)
    key = link.partition("#key=")[2]
    asked: list[str] = []
    context.on("request", lambda one: asked.append(f"{one.url} {one.headers}"))
    opened(anna, link)
    assert key not in anna.page.url
    expect(anna.page.get_by_role("heading", level=1)).to_have_text("A place to live")
    begun(anna)
    anna.answer(ANSWER)
    anna.button("Pause").click()
    anna.phase("paused")

    elsewhere.page.goto(link)
    elsewhere.page.wait_for_url(SESSION)
    elsewhere.phase("paused")
    assert elsewhere.address == anna.address
    assert elsewhere.mine() == [ANSWER]
    elsewhere.page.locator("#go-on").click()
    elsewhere.yours()
    elsewhere.answer("In the morning.")
    elsewhere.answer("Nothing at all.")
    elsewhere.phase("over")

    anna.phase("over")
    anna.page.goto(link)
    anna.page.wait_for_url(SESSION)
    anna.phase("over")
    assert anna.mine() == [ANSWER, "In the morning.", "Nothing at all."]
    assert len(asked) > 10
    assert not any(key in one for one in asked)
    cookies = {one["name"]: one for one in context.cookies()}
    assert cookies["interviewsite"]["httpOnly"]
    assert complaints == []


def test_programs_that_look_at_links_use_nothing_up(
    anna: Participant, site: Site, tmp_path: Path
) -> None:
    link = link_to(site, "place", tmp_path)
    for _ in range(10):
        assert anna.page.request.get(link.partition("#")[0]).ok
    begun(opened(anna, link))


def test_where_links_are_not_shared_the_second_browser_is_told_so(
    anna: Participant, elsewhere: Participant, site: Site, tmp_path: Path
) -> None:
    told(
        site,
        "shell",
        "-c",
        "from plans.models import Bot; Bot.objects.filter(slug='long').update("
        "invitation_reuse='refuse')",
    )
    link = link_to(site, "long", tmp_path)
    begun(opened(anna, link))
    elsewhere.page.goto(link)
    heading = elsewhere.page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Your invitation is open in another browser")
    check(elsewhere.page)
    anna.page.goto(link)
    anna.page.wait_for_url(SESSION)
    anna.yours()


def test_words_are_kept_when_the_invitation_is_revoked_meanwhile(
    anna: Participant, complaints: Complaints, site: Site, tmp_path: Path
) -> None:
    link = link_to(site, "place", tmp_path)
    begun(opened(anna, link))
    anna.answer(ANSWER)
    change(site, tmp_path, "revoked_at=timezone.now()")
    anna.box.fill("And one thing more.")
    with complaints.expected(REFUSAL):
        anna.box.press("Enter")
        expect(anna.notice).to_contain_text("Your invitation is no longer valid")
        expect(anna.box).to_have_value("And one thing more.")
        anna.page.reload()
        expect(anna.box).to_have_value("And one thing more.")
        assert anna.mine() == [ANSWER]
        anna.page.goto(link)
        heading = anna.page.get_by_role("heading", level=1)
        expect(heading).to_have_text("This invitation is no longer valid")
        check(anna.page)
    assert complaints == []


def test_without_a_script_the_link_is_pasted(site: Site, tmp_path: Path, new_context) -> None:
    link = link_to(site, "place", tmp_path)
    plain = new_context(java_script_enabled=False).new_page()
    plain.goto(link)
    expect(plain.get_by_role("heading", level=1)).to_have_text("You’re invited to an interview")
    plain.get_by_label("Your personal link").fill(link)
    plain.get_by_role("button", name="Open invitation").click()
    expect(plain.get_by_role("heading", level=1)).to_have_text("A place to live")


def test_the_page_of_an_invitation_is_open_to_all(
    anna: Participant, site: Site, tmp_path: Path
) -> None:
    link = link_to(site, "place", tmp_path)
    anna.page.goto(link.partition("#")[0])
    field = anna.page.get_by_label("Your personal link")
    expect(field).to_be_visible()
    check(anna.page)
    field.fill(link)
    field.press("Enter")
    anna.page.wait_for_url("**/i/place/**")


def test_a_wrong_secret_opens_nothing(anna: Participant, site: Site, tmp_path: Path) -> None:
    link = link_to(site, "place", tmp_path)
    anna.page.goto(link[:-4] + "AAAA")
    heading = anna.page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Page not found")
    opened(anna, link)
