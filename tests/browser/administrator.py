"""Somebody who runs the study, at the admin."""

import csv
import io
from collections.abc import Mapping

from playwright.sync_api import Page, expect

from tests.browser.participant import PATIENCE


class Administrator:
    """One page of the admin."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        page.set_default_timeout(PATIENCE)

    def log_in(self, account: Mapping[str, str]) -> None:
        """With name and password."""
        self.page.goto(f"{self.url}/admin/")
        self.page.fill("[name=username]", account["name"])
        self.page.fill("[name=password]", account["password"])
        self.page.press("[name=password]", "Enter")
        self.page.wait_for_url("**/admin/")

    def find(self, said: str) -> None:
        """Opens the one interview in which these words were said."""
        self.page.goto(f"{self.url}/admin/interviews/session/")
        self.page.fill("[name=q]", said)
        self.page.press("[name=q]", "Enter")
        found = self.page.locator("#result_list tbody tr")
        expect(found).to_have_count(1)
        found.get_by_role("link").first.click()
        expect(self.page.get_by_role("list", name="Transcript")).to_be_visible()

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
