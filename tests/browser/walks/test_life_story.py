"""A life story on the page, from the start page to the researcher's table."""

from playwright.sync_api import Page

from tests.browser.complaints import Complaints
from tests.browser.participant import Participant
from tests.browser.seed import ACCOUNT
from tests.browser.site import Site
from tests.browser.story import Story, the_researcher_reads
from tests.browser.worlds import World

ANSWERS = (
    "In a mill by the canal, since the spring of 2011.",
    "Five in the morning, when the herons stand on the weir.",
    "I would open the lock again, so that the boats come through.",
)


def test_from_the_start_page_to_the_table(
    anna: Participant, site: Site, page: Page, complaints: Complaints
) -> None:
    story = Story(anna, World(site.url, ACCOUNT, None, lambda: site), complaints)
    anna.begin_by_hand()
    for answer in ANSWERS:
        story.say(answer)
    anna.phase("over")
    the_researcher_reads(story, page)
