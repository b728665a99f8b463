"""Somebody who runs the study, at the admin."""

import csv
import io
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.participant import PATIENCE
from tests.browser.seed import ACCOUNT

_cookies: dict[tuple[str, str], list[Any]] = {}


class Administrator:
    """One page of the admin."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        page.set_default_timeout(PATIENCE)

    def log_in(self, account: Mapping[str, str] = ACCOUNT) -> None:
        """With name and password; another browser is given the cookie of the first."""
        key, context = (self.url, account["name"]), self.page.context
        if key in _cookies:
            context.add_cookies(_cookies[key])
            return
        self.page.goto(f"{self.url}/admin/")
        self.page.fill("[name=username]", account["name"])
        self.page.fill("[name=password]", account["password"])
        self.page.press("[name=password]", "Enter")
        self.page.wait_for_url("**/admin/")
        _cookies[key] = list(context.cookies(self.url))

    def find(self, said: str) -> None:
        """Opens the one interview in which these words were said."""
        self.page.goto(f"{self.url}/admin/interviews/session/")
        self.page.fill("[name=q]", said)
        self.page.press("[name=q]", "Enter")
        found = self.page.locator("#result_list tbody tr")
        expect(found).to_have_count(1)
        found.get_by_role("link").first.click()
        expect(self.page.get_by_role("list", name="Transcript")).to_be_visible()

    def open_product(self, title: str, session_id: str) -> None:
        """Opens the one of that interview with this title, made meanwhile."""
        self.page.goto(f"{self.url}/admin/reflections/reflection/?q={session_id}")
        row = self.page.locator("#result_list tbody tr", has_text=title)
        expect(row).to_have_count(1)
        row.get_by_role("link").first.click()

    def read(self) -> list[str]:
        """What was said, as the interview's page shows it."""
        return [text.strip() for text in self.page.locator(".talk-words").all_text_contents()]

    def transcript_csv(self) -> list[dict[str, str]]:
        """The rows of this interview's transcript, downloaded."""
        self.page.get_by_role("link", name="Export this interview").click()
        self.page.select_option("[name=table]", "transcripts")
        self.page.select_option("[name=format]", "csv")
        with self.page.expect_download() as download:
            self.page.get_by_role("button", name="Download").click()
        content = download.value.path().read_bytes().decode("utf-8-sig")
        return list(csv.DictReader(io.StringIO(content, newline=""), strict=True))

    def new_bot(self, kind: str, title: str) -> None:
        """A draft of that kind of interview; its page is open then."""
        self.page.goto(f"{self.url}/admin/plans/bot/add/?protocol={kind}")
        self.page.fill("[name=title]", title)
        self.page.click("[name=_save]")
        self.page.wait_for_url("**/plans/bot/*/change/**")

    def open_action(self, name: str) -> None:
        """A page beside the bot's form, such as Documents."""
        named = re.compile(rf"(^|\s){name}$")  # after the word that its icon is made of
        self.page.get_by_role("link", name=named).first.click()

    def upload(self, *paths: Path) -> None:
        """Hands documents over, at the page of documents; they are on their way then."""
        self.page.set_input_files("#id_files", list(paths))

    def until_read(self, count: int) -> None:
        """Waits until so many documents are read and summed up."""
        listed = self.page.get_by_role("region", name="Documents", exact=True)
        said = re.compile(rf"^\s*{count} of {count} read")
        expect(listed.get_by_role("status")).to_have_text(said)
        expect(listed.get_by_role("progressbar")).to_have_count(0)

    def import_backlog(self, path: Path) -> None:
        """A file of questions, at the page of the backlog: looked at, then applied."""
        self.page.get_by_role("link", name="Import", exact=True).click()
        self.page.set_input_files("[name=file]", path)
        self.page.get_by_role("button", name="Show changes").click()
        self.page.get_by_role("button", name="Apply these changes").click()
        self.page.wait_for_url("**/backlog/")
