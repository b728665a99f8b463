"""A laddering from the start page to its end, and what a researcher then sees of it."""

import re

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.administrator import Administrator
from tests.browser.complaints import Complaints
from tests.browser.participant import Participant
from tests.browser.site import Site

MOST = 12  # answers; the bot asks fewer
ANSWERS = (
    "The light is warm and low, because that lets me read for longer, so that I feel calm.",
    "It has no cable, which means I can take it to the balcony, and that makes me feel free.",
    "The price was fair, which means I save money, so that I worry less about the month.",
    "It dims by itself, so that I fall asleep over the book, and that makes me feel at home.",
    "Feeling calm matters to me because my health depends on it.",
    "It matters because being independent is what a good life comes down to for me.",
)


@pytest.mark.timeout(240)  # a whole way, on a machine that does other things as well
def test_from_the_start_page_to_the_value_map(
    site: Site, page: Page, context: BrowserContext, complaints: Complaints
) -> None:
    anna = Participant(page, site.url)
    told = _told_everything(anna)

    researcher = Administrator(context.new_page(), site.url)
    researcher.log_in()
    researcher.find(told[0])
    chain = _graph_of_the_interview(researcher.page, told)
    _ladders_of_the_bot(researcher.page, chain)
    _from_the_page_of_the_bot(researcher, chain)
    assert not complaints


def _told_everything(anna: Participant) -> list[str]:
    """Answers until the interview is over; those that were given."""
    state = anna.begin_by_hand("laddered").page.locator("#state")
    for number in range(MOST):
        if state.get_attribute("data-phase") == "over":
            break
        before = anna.texts()[-1]
        anna.answer(ANSWERS[number % len(ANSWERS)])
        assert anna.texts()[-1] != before, "nothing is asked twice in a row"
    anna.phase("over")
    return anna.mine()


def _graph_of_the_interview(page: Page, told: list[str]) -> tuple[str, str]:
    """From the transcript to the graph, to what was said, and back; two nodes that are tied."""
    page.get_by_role("link", name=re.compile("Graph$")).first.click()
    expect(page.locator(".graph-node").nth(4)).to_be_visible()
    assert page.locator(".graph-edge").count() >= 3
    for place in _places(page):
        _opened(page, page.locator(".graph-node").nth(place))
        if page.locator(".graph-details:target .graph-ties").count():
            break
    lower, upper = _tied(page)
    _to_what_was_said_and_back(page, told)
    return lower, upper


def _places(page: Page) -> range:
    return range(page.locator(".graph-node").count())


def _opened(page: Page, node: Locator) -> None:
    """A click opens it, with its words and all that was said of it."""
    words = (node.get_attribute("aria-label") or "").partition(". ")[0]
    node.click()
    expect(_title(page)).to_have_text(words)
    expect(node).to_have_attribute("aria-current", "true")
    expect(page.locator(".graph-details:target .graph-quotes li").first).to_be_visible()


def _title(page: Page) -> Locator:
    return page.get_by_role("region", name="Selected node").get_by_role("heading", level=2)


def _tied(page: Page) -> tuple[str, str]:
    """The node that stands open and one that it leads to, or that leads to it, lower one first."""
    here = _title(page).inner_text()
    heading = page.locator(".graph-details:target h3").first.inner_text()
    there = page.locator(".graph-details:target .graph-ties a").first.inner_text()
    return (here, there) if heading == "Leads to" else (there, here)


def _to_what_was_said_and_back(page: Page, told: list[str]) -> None:
    """From a node to its utterance in the transcript, and from there to the node."""
    words = _title(page).inner_text()
    quote = page.locator(".graph-details:target .graph-quotes li").first
    said = quote.locator("p").inner_text()
    assert said in told
    quote.get_by_role("link").click()
    answer = page.locator(".talk-entry:target")
    expect(answer).to_be_in_viewport()
    expect(answer.locator(".talk-words")).to_have_text(said)
    answer.get_by_role("link", name=words, exact=True).click()
    expect(_title(page)).to_have_text(words)


def _ladders_of_the_bot(page: Page, chain: tuple[str, str]) -> None:
    """Both stand in the value map, tied, and in the matrix."""
    page.get_by_role("link", name="All ladders of this bot").click()
    lower, upper = chain
    for words in chain:
        expect(_drawn(page, words)).to_be_visible()
    _drawn(page, lower).click()
    expect(_title(page)).to_have_text(lower)
    ties = page.locator(".graph-details:target .graph-ties")
    expect(ties.get_by_role("link", name=upper, exact=True).first).to_be_visible()
    row = page.locator(".graph-matrix tbody tr").filter(has=page.get_by_text(lower, exact=True))
    expect(row.get_by_text("1.00").first).to_be_visible()
    expect(page.locator(".graph-matrix thead").get_by_text(upper, exact=True)).to_be_visible()


def _drawn(page: Page, words: str) -> Locator:
    """A code in the drawing."""
    return page.locator(f'.graph-node[aria-label^="{words}. "]').first


def _from_the_page_of_the_bot(researcher: Administrator, chain: tuple[str, str]) -> None:
    """The page of a bot leads to its ladders."""
    page = researcher.page
    page.goto(f"{researcher.url}/admin/plans/bot/?q=laddered")
    page.locator("#result_list tbody tr").get_by_role("link", name="A reading lamp").click()
    page.get_by_role("link", name="Ladders", exact=True).click()
    expect(page.get_by_role("heading", name="Hierarchical value map")).to_be_visible()
    expect(_drawn(page, chain[0])).to_be_visible()
