"""What was sent too often isn't lost: it stays in the box, and the page sends it again in time."""

import re

from playwright.sync_api import BrowserContext, Route, expect

from tests.browser.participant import Participant


def test_words_refused_for_haste_are_kept_and_sent_again_when_the_site_says(
    anna: Participant, context: BrowserContext
) -> None:
    anna.begin()
    refused: list[str] = []

    def answer(route: Route) -> None:
        if len(refused) < 2:
            refused.append(route.request.post_data or "")
            route.fulfill(status=429, headers={"Retry-After": "1"}, body="")
        else:
            route.continue_()

    context.route(re.compile("/answer/"), answer)
    anna.box.fill("Said in great haste.")
    anna.box.press("Enter")
    expect(anna.notice).to_contain_text("in a short time")
    expect(anna.page.locator(".said.you")).to_have_count(1)
    anna.yours()
    expect(anna.notice).to_be_empty()
    expect(anna.box).to_have_value("")
    assert anna.mine() == ["Said in great haste."]
    ids = {re.search(r"message_id=([\w-]+)", sent)[1] for sent in refused}  # type: ignore[index]
    assert len(ids) == 1
