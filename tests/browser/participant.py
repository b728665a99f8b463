"""Somebody at the browser: what they do and what they see."""

import re
from urllib.parse import urljoin

from playwright.sync_api import Locator, Page, expect

PATIENCE = 30_000  # milliseconds, on a machine that does other things as well
SESSION = re.compile(r"/s/[0-9a-f-]{36}/")
HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')  # as Django writes them


class Participant:
    """One page of one browser."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        page.set_default_timeout(PATIENCE)

    def begin_by_hand(self, bot: str = "place", **told: str) -> "Participant":
        """From the start page, where more may be told by the names of its fields, to the chat."""
        self.page.goto(f"{self.url}/i/{bot}/?language=en")
        for field, words in {"name": "Anna", **told}.items():
            self.page.locator(f"form.begin [name={field}]").fill(words)
        self.page.locator("form.begin button[value=agreed]").click()
        self.page.wait_for_url(SESSION)
        self.yours()
        return self

    def begin(self, bot: str = "place", name: str = "Anna", language: str = "en") -> "Participant":
        """The same without drawing the start page, which takes a third of the time."""
        start = f"{self.url}/i/{bot}/?language={language}"
        request = self.page.context.request
        given = dict(HIDDEN.findall(request.get(start).text()))
        given |= {"name": name, "decision": "agreed"}
        begun = request.post(start, form=given, max_redirects=0)
        assert begun.status == 303, begun.text()
        self.page.goto(urljoin(start, begun.headers["location"]))
        self.yours()
        return self

    @property
    def address(self) -> str:
        """The chat's address without what stands behind the #."""
        found = SESSION.search(self.page.url)
        assert found, self.page.url
        return self.url + found.group()

    @property
    def session_id(self) -> str:
        return self.address.rstrip("/").rpartition("/")[2]

    @property
    def link(self) -> str:
        """The personal link, by the key that this browser keeps."""
        name = f"interviewsite:key:{self.session_id}"
        key = self.page.evaluate("name => localStorage.getItem(name)", name)
        return f"{self.address}#key={key}"

    @property
    def box(self) -> Locator:
        return self.page.locator("#text")

    @property
    def said(self) -> Locator:
        """Every utterance on the page."""
        return self.page.locator(".talk [data-position]")

    @property
    def notice(self) -> Locator:
        return self.page.locator("#notice")

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def phase(self, phase: str, timeout: float = PATIENCE) -> None:
        """Waits until the page stands so: asking, yours, paused, over."""
        expect(self.page.locator("#state")).to_have_attribute("data-phase", phase, timeout=timeout)
        self.page.wait_for_load_state()  # before its scripts are there, Enter is but a new line

    def yours(self, timeout: float = PATIENCE) -> None:
        self.phase("yours", timeout)

    def answer(self, text: str) -> None:
        """Says something and waits until it is their turn again, or the end."""
        before = self.said.count()
        self.box.fill(text)
        self.box.press("Enter")
        expect(self.said.nth(before + 1)).to_be_visible()
        expect(self.page.locator("#state")).not_to_have_attribute("data-phase", "asking")

    def keeps(self, words: str) -> None:
        """Waits until the browser keeps these words."""
        kept = "words => JSON.stringify(localStorage).includes(words)"
        self.page.wait_for_function(kept, arg=words)

    def texts(self) -> list[str]:
        """What stands on the page, in order."""
        return [
            text.strip()
            for text in self.page.locator(".talk .said:not(#draft) .words").all_text_contents()
        ]

    def mine(self) -> list[str]:
        """The participant's own words on the page."""
        return self.page.locator(".said.you .words").all_text_contents()
