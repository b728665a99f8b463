"""One interview from the start page to its end, with everything that happens to people in between.

Each step leaves the page where the next one finds it; `sent` holds what was said on the way.
"""

from itertools import groupby
from operator import itemgetter

from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect

from tests.browser import said
from tests.browser.administrator import Administrator
from tests.browser.complaints import CLOSED_DOOR, OUTAGE, REFUSAL, Complaints
from tests.browser.participant import Participant
from tests.browser.worlds import World
from tests.interviews.exports.reading import unescape_formula
from tests.services.processes import wait_until

BOT, TITLE = "life-story-short", "A short life story"


class Deafness:
    """A page whose websocket is open, but brings nothing until that ends."""

    def __init__(self, page: Page) -> None:
        self.lasts = True
        page.route_web_socket("**/ws/**", self._through)

    def ends(self) -> None:
        """From now on it hears."""
        self.lasts = False

    def _through(self, socket: WebSocketRoute) -> None:
        site = socket.connect_to_server()
        site.on_message(lambda message: None if self.lasts else socket.send(message))


class Story:
    """An interview under way."""

    def __init__(self, anna: Participant, world: World, complaints: Complaints) -> None:
        self.anna = anna
        self.world = world
        self.complaints = complaints
        self.sent: list[str] = []

    def say(self, text: str, plan: dict[str, object] | None = None) -> None:
        """An answer and the reply; the model's plan, if there is a model, is this one."""
        if plan and self.world.provider:
            self.world.provider.reply("LifeStoryLed", plan)
        self.anna.answer(text)
        self.sent.append(text)

    def send(self, text: str) -> None:
        """An answer whose reply isn't waited for."""
        self.anna.box.fill(text)
        self.anna.box.press("Enter")
        self.sent.append(text)

    def pace(self, ttft: float, rate: float) -> None:
        """From now on the model is that quick."""
        if self.world.provider:
            self.world.provider.ttft, self.world.provider.rate = ttft, rate

    # -- the steps

    def begin(self) -> None:
        """From the first page by the start page, with what is agreed to, into the chat."""
        page = self.anna.page
        page.goto(self.world.url)
        page.get_by_role("link", name=TITLE).click()
        page.wait_for_url(f"**/i/{BOT}/")
        page.get_by_text("Read the details", exact=True).click()
        expect(page.get_by_role("heading", name="What you agree to")).to_be_visible()
        expect(page.locator("main")).to_contain_text("can read it while it is under way")
        page.get_by_label("What should we call you? (optional)").fill("Anna")
        self.anna.button("Agree and start").click()
        page.wait_for_url("**/s/**")
        self.anna.yours()
        expect(page.locator(".said.intro")).to_contain_text("Hello, Anna.")

    def answers_of_all_kinds(self) -> None:
        """Short, long, hard, none; markup, signs and letters from right to left."""
        self.say(said.SHORT, said.follow_up("sea"))
        self.say(said.LONG)
        self.say(said.EMOTIONAL, said.moved())
        if self.world.provider:
            assert self.anna.texts()[-1] == f"{said.BRIDGE} {said.DOOR}"
        for unwilling in ("skip", "I'd rather not say."):
            self.say(unwilling)
            expect(self.anna.said.last).to_contain_text("Question")
        self.say(said.HTML, said.follow_up("letters"))
        self.say(said.SIGNS)
        page = self.anna.page
        assert page.locator("#log :is(b, img, script)").count() == 0
        assert page.title() == TITLE
        assert self.anna.mine() == [said.stored(text) for text in self.sent]

    def too_much(self) -> None:
        """Refused and kept; shortened by who wrote it, and sent."""
        self.anna.box.fill(said.TOO_LONG)
        self.anna.button("Send").click()
        expect(self.anna.notice).to_contain_text("too long")
        expect(self.anna.box).to_have_value(said.TOO_LONG)
        self.say(said.SHORTENED)
        expect(self.anna.notice).to_be_empty()

    def reload_in_mid_stream(self) -> None:
        """While the words are coming."""
        self._until_words_come(said.CUT_SHORT, "harbour")
        self.anna.page.reload()
        self.anna.yours()
        self._said_once(said.CUT_SHORT)

    def killed_in_mid_turn(self) -> None:
        """The process that is at work on the reply dies, and is started again afterwards."""
        self._until_words_come(said.KILLED, "lamps")
        site = self.world.at_work()
        with self.complaints.expected(OUTAGE):
            site.kill()
            self.anna.box.fill(said.LATER)
            site.launch()
            self.anna.yours(60_000)
            self._said_once(said.KILLED)
            expect(self.anna.box).to_have_value(said.LATER)
            self.anna.page.reload()  # what is still tried in vain ends here
            self.anna.yours()
        expect(self.anna.box).to_have_value(said.LATER)
        wait_until(site.ready)

    def a_second_window(self, context: BrowserContext) -> None:
        """One that missed what was said in the first: it is told, and keeps its words."""
        stale = Participant(context.new_page(), self.world.url)
        deaf = Deafness(stale.page)
        stale.page.goto(self.anna.address)
        stale.yours()
        self.say("From the first window.")
        stale.box.fill("From the second window.")
        with self.complaints.expected(REFUSAL):
            stale.box.press("Enter")
            expect(stale.notice).to_contain_text("another window")
        expect(stale.box).to_have_value("From the second window.")
        assert stale.texts() == self.anna.texts()
        deaf.ends()
        stale.box.press("Enter")
        self._followed(stale, "From the second window.")

    def in_another_browser(self, context: BrowserContext) -> None:
        """By the personal link."""
        page = self.anna.page
        page.get_by_text("Menu", exact=True).click()
        self.anna.button("Continue on another device").click()
        link = page.locator("#personal-link").input_value()
        page.keyboard.press("Escape")
        elsewhere = Participant(context.new_page(), self.world.url)
        self.complaints.listen(context)
        with self.complaints.expected(CLOSED_DOOR):
            elsewhere.page.goto(link)
            elsewhere.yours()
        assert elsewhere.page.url == self.anna.address
        assert elsewhere.texts() == self.anna.texts()
        elsewhere.box.fill("On my phone it goes on.")
        elsewhere.box.press("Enter")
        self._followed(elsewhere, "On my phone it goes on.")

    def pause(self) -> None:
        """And go on."""
        self.anna.button("Pause").click()
        self.anna.phase("paused")
        self.anna.button("Continue").click()
        self.anna.yours()

    def finish_by_the_button(self) -> None:
        """It asks once."""
        self.anna.page.get_by_text("Menu", exact=True).click()
        self.anna.page.get_by_role("link", name="Finish").click()
        self.anna.page.get_by_role("dialog").get_by_role(
            "button", name="Finish the interview"
        ).click()
        self.anna.phase("over")

    def finish_by_itself(self) -> None:
        """Answers until the interviewer says goodbye."""
        for number in range(40):
            if self.anna.page.locator("#state").get_attribute("data-phase") == "over":
                break
            self.say(f"{said.LONG} {number}")
        self.anna.phase("over")
        expect(self.anna.page.locator(".said.outro")).to_have_count(1)

    def read_again(self) -> list[str]:
        """All that was said, as the participant reads it afterwards."""
        shown = self.anna.texts()
        self.anna.page.locator(".afterwards").get_by_role(
            "link", name="Read your transcript"
        ).click()
        self.anna.page.wait_for_url("**/transcript/*")
        whole = self.anna.texts()
        assert whole[-len(shown) :] == shown
        return whole

    # -- what several steps need

    def _until_words_come(self, text: str, about: str) -> None:
        self.pace(ttft=0.3, rate=12)
        if self.world.provider:
            self.world.provider.reply("LifeStoryLed", said.follow_up(about))
        self.send(text)
        expect(self.anna.page.locator("#draft-words")).not_to_be_empty()
        self.pace(ttft=0.05, rate=400)

    def _said_once(self, text: str) -> None:
        texts = self.anna.texts()
        assert texts.count(text) == 1
        assert texts[-1] != text
        assert len(texts) == len(set(texts))

    def _followed(self, other: Participant, text: str) -> None:
        """What was said on another page stands on the first one too, with its reply."""
        expect(self.anna.page.locator(".said.you").last).to_contain_text(text, timeout=45_000)
        self.sent.append(text)
        self.anna.yours()
        other.yours()
        assert other.texts() == self.anna.texts()
        other.page.close()


def the_researcher_reads(story: Story, page: Page) -> None:
    """In the admin and in the table stands what was said, once each, in order."""
    whole = story.read_again()
    admin = Administrator(page.context.new_page(), story.world.url)
    admin.log_in(story.world.account)
    admin.find(story.sent[0].splitlines()[0])
    assert admin.read() == whole
    assert admin.page.locator(".talk-turns :is(.talk-words *, img, script)").count() == 0
    equals_what_was_said(admin.transcript_csv(), whole, story.sent)
    assert story.complaints == []


def equals_what_was_said(rows: list[dict[str, str]], whole: list[str], sent: list[str]) -> None:
    """Every utterance once, in order; every answer as sent, with exactly one reply."""
    assert [int(row["position"]) for row in rows] == list(range(1, len(rows) + 1))
    assert len({row["session_id"] for row in rows}) == 1
    texts = [unescape_formula(row["text"]) for row in rows]
    assert texts == whole
    answers = [text for text, row in zip(texts, rows, strict=True) if row["role"] == "participant"]
    assert answers == [said.stored(text) for text in sent]
    turns = [list(turn) for _, turn in groupby(rows, key=itemgetter("turn"))]
    assert len(turns) == len({row["turn"] for row in rows})
    assert all(is_one_reply(turn) for turn in turns[1:]), turns


def is_one_reply(turn: list[dict[str, str]]) -> bool:
    """Whether it is an answer and one reply to it; the button's goodbye answers nothing."""
    roles = [row["role"] for row in turn]
    replies = [row["kind"] for row in turn[1:] if row["kind"] != "transition"]
    by_button = [row["kind"] for row in turn] == ["outro"]
    return by_button or (roles.count("participant") == 1 == len(replies) and roles[0] != roles[1])
