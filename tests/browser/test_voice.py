"""Dictating into the text box, and having questions read aloud."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserType, Page, Route, expect

from tests.browser.accessible import check
from tests.browser.complaints import OUTAGE, Complaints
from tests.browser.participant import Participant
from tests.browser.site import Site
from tests.browser.voices import DEAF, EARS, VOICES, says, spoken
from tests.fake_speech import KEY, MANY, FakeSpeech

MICROPHONE = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
PRESSED = "aria-pressed"


def status(page: Page):
    return page.locator("#voice-status")


def on(page: Page) -> None:
    """The microphone is on, for eyes and for screen readers."""
    expect(status(page)).to_contain_text("The microphone is on")
    expect(page.locator("#dictate")).to_have_attribute(PRESSED, "true")


def off(page: Page, words: str = "The microphone is off") -> None:
    expect(status(page)).to_contain_text(words)
    expect(page.locator("#dictate")).to_have_attribute(PRESSED, "false")


def dictating(anna: Participant) -> None:
    """Switches it on, agreeing to where the sound goes."""
    anna.button("Dictate").click()
    anna.button("Turn on the microphone").click()
    on(anna.page)


@pytest.fixture
def ears(anna: Participant) -> Participant:
    """Anna's browser recognises what a test says."""
    anna.page.add_init_script(EARS)
    return anna.begin("long")


# -- by the browser's own recognition


def test_it_is_off_until_wanted_and_says_where_the_sound_goes(ears: Participant) -> None:
    page = ears.page
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    expect(ears.button("Dictate")).to_have_attribute(PRESSED, "false")
    assert page.evaluate("window.hearing") is None
    ears.button("Dictate").click()
    expect(page.get_by_role("dialog")).to_contain_text("isn’t sent to this site")
    ears.button("Not now").click()
    expect(ears.button("Dictate")).to_have_attribute(PRESSED, "false")
    assert page.evaluate("window.hearing") is None
    dictating(ears)
    assert any(url.endswith("voice/dictation.js") for url in loaded)
    ears.button("Turn off the microphone").click()
    off(page)
    ears.button("Dictate").click()  # told once
    on(page)


def test_what_is_switched_off_while_it_opens_never_listens(ears: Participant) -> None:
    page = ears.page
    held: list[Route] = []
    page.route("**/voice/browser*.js", lambda route: held.append(route))
    ears.button("Dictate").click()
    ears.button("Turn on the microphone").click()
    expect(status(page)).to_contain_text("Turning the microphone on")
    ears.button("Turn off the microphone").click()
    off(page)
    with page.expect_response("**/voice/browser*.js"):
        held[0].continue_()
    page.wait_for_timeout(500)
    assert page.evaluate("window.hearing") is None
    ears.button("Dictate").click()
    on(page)


def test_words_are_shown_at_once_and_land_at_the_cursor(ears: Participant) -> None:
    page = ears.page
    page.evaluate("text.addEventListener('dictated', (e) => (window.told = e.detail.characters))")
    ears.box.fill("Then nothing more.")
    ears.box.evaluate("box => box.setSelectionRange(4, 4)")
    dictating(ears)
    says(page, "we moved to", final=False)
    expect(page.locator("#provisional")).to_have_text("we moved to")
    expect(ears.box).to_have_value("Then nothing more.")
    says(page, "we moved to the sea")
    expect(ears.box).to_have_value("Then we moved to the sea nothing more.")
    expect(page.locator("#provisional")).to_be_empty()
    assert page.evaluate("told") == len("we moved to the sea")
    ears.box.press_sequentially(", and")
    says(page, "stayed there.")
    expect(ears.box).to_have_value("Then we moved to the sea, and stayed there. nothing more.")
    assert ears.mine() == []
    page.wait_for_function("key => localStorage.getItem(key)?.includes('stayed')", arg=draft(ears))


def draft(anna: Participant) -> str:
    """Under which name the page keeps what is not sent."""
    return f"interviewsite:draft:{anna.address.rstrip('/').rsplit('/', 1)[1]}"


def test_marked_text_is_never_written_over(ears: Participant) -> None:
    page = ears.page
    ears.box.fill("By the river")
    dictating(ears)
    ears.box.focus()
    ears.box.evaluate("box => box.setSelectionRange(3, 6)")
    says(page, "in a small house")
    expect(page.locator("#provisional")).to_have_text("in a small house")
    expect(ears.box).to_have_value("By the river")
    ears.box.press("End")
    expect(ears.box).to_have_value("By the river in a small house")


def test_silence_does_not_cut_it_off(ears: Participant) -> None:
    page = ears.page
    dictating(ears)
    says(page, "First,")
    for starts in (2, 3):
        page.evaluate("hearing.fails('no-speech')")
        page.wait_for_function("n => hearing.starts === n && hearing.running", arg=starts)
        on(page)
    says(page, "then more.")
    expect(ears.box).to_have_value("First, then more.")


def test_long_silence_is_said_and_then_ends_it(ears: Participant) -> None:
    page = ears.page
    page.clock.install()
    dictating(ears)
    page.clock.fast_forward(25_000)
    expect(status(page)).to_contain_text("The microphone is still on")
    says(page, "Here I am", final=False)
    on(page)
    page.clock.fast_forward(125_000)
    page.clock.run_for(1_000)
    off(page, "nothing was heard for two minutes")
    expect(ears.box).to_have_value("Here I am")


def test_enter_sends_what_is_seen_and_ends_it(ears: Participant) -> None:
    page = ears.page
    dictating(ears)
    says(page, "By the river,")
    says(page, "in a small house", final=False)
    ears.box.press("Enter")
    ears.yours()
    expect(page.locator(".said.you .words")).to_have_text(["By the river, in a small house"])
    expect(ears.button("Dictate")).to_have_attribute(PRESSED, "false")
    assert page.evaluate("hearing.aborted")
    page.evaluate("hearing.onresult?.({results: []})")
    expect(ears.box).to_have_value("")


def test_nothing_is_sent_by_itself(ears: Participant) -> None:
    page = ears.page
    dictating(ears)
    says(page, "Send. Enter. New line. That is all.")
    page.keyboard.press("Escape")
    off(page)
    expect(ears.box).to_have_value("Send. Enter. New line. That is all.")
    page.reload()
    expect(ears.box).to_have_value("Send. Enter. New line. That is all.")
    assert ears.mine() == []


def test_what_is_said_while_an_answer_is_on_its_way_lands_after_it(ears: Participant) -> None:
    page = ears.page
    sent: list[Route] = []
    page.route("**/answer/", lambda route: sent.append(route))
    ears.box.fill("By the river.")
    ears.box.press("Enter")
    expect(ears.box).not_to_be_editable()
    dictating(ears)
    says(page, "It was warm,")
    says(page, "even in March", final=False)
    expect(page.locator("#provisional")).to_have_text("It was warm, even in March")
    ears.button("Turn off the microphone").click()
    off(page)
    expect(page.locator("#provisional")).to_have_text("It was warm, even in March")
    expect(ears.box).to_have_value("By the river.")
    sent[0].continue_()
    expect(ears.box).to_have_value("It was warm, even in March")
    expect(page.locator("#provisional")).to_be_empty()
    expect(page.locator(".said.you .words")).to_have_text(["By the river."])


def test_words_that_wait_for_an_answer_are_not_lost_with_it(ears: Participant) -> None:
    page = ears.page
    sent: list[Route] = []
    page.route("**/answer/", lambda route: sent.append(route))
    ears.box.fill("By the river.")
    ears.box.press("Enter")
    expect(ears.box).not_to_be_editable()
    dictating(ears)
    says(page, "It was warm.")
    sent[0].fulfill(status=422, body="")
    expect(ears.box).to_have_value("By the river. It was warm.")
    expect(page.locator("#provisional")).to_be_empty()
    on(page)


@pytest.mark.parametrize("button", ["Skip", "Pause"])
def test_leaving_the_question_ends_it(ears: Participant, button: str) -> None:
    dictating(ears)
    says(ears.page, "half a thought", final=False)
    ears.button(button).click()
    expect(ears.page.locator("#dictate")).to_have_attribute(PRESSED, "false")
    assert ears.page.evaluate("hearing.running") is False
    expect(ears.box).to_have_value("half a thought")


def test_leaving_the_page_ends_it_and_keeps_the_words(ears: Participant) -> None:
    page = ears.page
    dictating(ears)
    says(page, "half a thought", final=False)
    page.goto(ears.url)
    page.go_back()
    expect(ears.box).to_have_value("half a thought")
    expect(page.locator("#dictate")).to_have_attribute(PRESSED, "false")


def test_a_page_out_of_sight_hears_nothing(ears: Participant) -> None:
    page = ears.page
    dictating(ears)
    says(page, "half a thought", final=False)
    page.evaluate("""Object.defineProperty(document, 'hidden', {value: true});
      document.dispatchEvent(new Event('visibilitychange'))""")
    off(page, "when you left this page")
    assert page.evaluate("hearing.aborted")
    expect(ears.box).to_have_value("half a thought")
    assert page.evaluate("key => localStorage.getItem(key)", draft(ears)) == "half a thought"


def test_what_fails_is_said_and_costs_no_word(ears: Participant) -> None:
    page = ears.page
    dictating(ears)
    for error, words in {
        "not-allowed": "isn’t allowed to use the microphone",
        "audio-capture": "No microphone was found",
        "network": "isn’t working right now",
        "language-not-supported": "isn’t available in this language",
    }.items():
        says(page, "By the river,")
        says(page, "in a small", final=False)
        page.evaluate("error => hearing.fails(error)", error)
        off(page, words)
        expect(ears.box).to_have_value("By the river, in a small")
        ears.answer("By the river.")
        expect(status(page)).to_be_empty()
        ears.button("Dictate").click()
        on(page)


def test_a_browser_that_recognises_nothing(anna: Participant) -> None:
    anna.page.add_init_script(DEAF)
    anna.begin().button("Dictate").click()
    anna.button("Turn on the microphone").click()
    off(anna.page, "This browser can’t turn speech into text")


def test_without_https(anna: Participant) -> None:
    anna.page.add_init_script("Object.defineProperty(window, 'isSecureContext', {value: false})")
    anna.begin().button("Dictate").click()
    anna.button("Turn on the microphone").click()
    off(anna.page, "secure connection")


def test_by_keyboard_alone_and_accessible(ears: Participant, complaints: Complaints) -> None:
    page = ears.page
    ears.button("Dictate").focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("dialog")).to_be_visible()
    check(page)
    expect(ears.button("Turn on the microphone")).to_be_focused()
    page.keyboard.press("Enter")
    on(page)
    expect(ears.button("Dictate")).to_be_focused()
    assert status(page).get_attribute("role") == "status"
    says(page, "By the river, in a small house", final=False)
    check(page)
    page.emulate_media(color_scheme="dark")
    check(page)
    page.keyboard.press("Escape")
    off(page)
    assert complaints == []


def test_a_phone_has_room_for_it(browser: Browser, site: Site) -> None:
    size = {"width": 360, "height": 740}
    for language in ("en", "ru"):
        context = browser.new_context(viewport=size, has_touch=True, is_mobile=True)
        page = context.new_page()
        page.add_init_script(EARS)
        Participant(page, site.url).begin(language=language)
        page.locator("#dictate").click()
        page.locator("#voice-dialog [data-yes]").click()
        expect(page.locator("#dictate")).to_have_attribute(PRESSED, "true")
        says(page, "far too many words for a line " * 20, final=False)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        for part in ("#dictate", "#voice-stop", "#send"):
            assert page.locator(part).bounding_box()["height"] >= 44
        context.close()


# -- by way of the site


@pytest.fixture(scope="module")
def speech() -> Iterator[FakeSpeech]:
    """What recognises; it hears these words, whatever is said."""
    with FakeSpeech("We lived by the river, in a small house.", "It was warm.") as fake:
        yield fake


@pytest.fixture(scope="module")
def hearing_site(new_site: Callable[..., Site], speech: FakeSpeech) -> Site:
    return new_site(DICTATION_PROVIDER="deepgram", DEEPGRAM_API_KEY=KEY, DEEPGRAM_URL=speech.url)


@pytest.fixture(scope="module")
def with_microphone(browser_type: BrowserType, browser_type_launch_args: dict) -> Iterator[Browser]:
    """A browser whose microphone hums."""
    args = [*browser_type_launch_args["args"], *MICROPHONE]
    browser = browser_type.launch(**{**browser_type_launch_args, "args": args})
    yield browser
    browser.close()


@pytest.fixture
def talker(
    with_microphone: Browser, hearing_site: Site, speech: FakeSpeech
) -> Iterator[Participant]:
    """Somebody with a microphone at a site that listens."""
    speech.fault, speech.holds = "", MANY
    speech.lines.clear()
    context = with_microphone.new_context(locale="en-GB", viewport={"width": 1280, "height": 860})
    yield Participant(context.new_page(), hearing_site.url).begin("long")
    context.close()


def test_sound_goes_to_the_provider_and_words_come_back(
    talker: Participant, speech: FakeSpeech
) -> None:
    page = talker.page
    complaints = Complaints()
    complaints.listen(page.context)
    speech.holds = 3
    talker.button("Dictate").click()
    expect(page.get_by_role("dialog")).to_contain_text("through this site to Deepgram")
    talker.button("Turn on the microphone").click()
    on(page)
    expect(page.locator("#provisional")).to_have_text("We lived by")
    expect(talker.box).to_have_value("")
    speech.holds = MANY
    expect(talker.box).to_have_value("We lived by the river, in a small house. It was warm.")
    check(page)
    talker.button("Turn off the microphone").click()
    off(page)
    assert talker.mine() == []
    assert speech.lines[0].asked["language"] == "en"
    assert speech.lines[0].messages == ["Finalize", "CloseStream"]
    assert complaints == []


def test_stopping_in_the_middle_takes_down_the_last_words(
    talker: Participant, speech: FakeSpeech
) -> None:
    speech.holds = 3
    dictating(talker)
    expect(talker.page.locator("#provisional")).to_have_text("We lived by")
    talker.page.keyboard.press("Escape")
    off(talker.page)
    expect(talker.box).to_have_value("We lived by")


def test_a_provider_that_fails(talker: Participant, speech: FakeSpeech) -> None:
    for fault, words in {
        "unauthorized": "isn’t working right now",
        "cut": "isn’t working right now",
        "error": "isn’t working right now",
        "bad": "isn’t available in this language",
    }.items():
        speech.fault = fault
        talker.box.fill("Already written.")
        talker.button("Dictate").click()
        if fault == "unauthorized":  # who has agreed isn't asked again
            talker.button("Turn on the microphone").click()
        off(talker.page, words)
        expect(talker.box).to_have_value(re.compile(r"^Already written\.( We lived)?$"))
        talker.answer("By hand, then.")
        expect(status(talker.page)).to_be_empty()


def test_a_lost_connection_keeps_what_was_heard(talker: Participant, speech: FakeSpeech) -> None:
    page = talker.page
    speech.holds = 3
    sockets: list = []
    page.route_web_socket(
        re.compile("/voice/$"), lambda socket: sockets.append((socket, socket.connect_to_server()))
    )
    dictating(talker)
    expect(page.locator("#provisional")).to_have_text("We lived by")
    sockets[0][0].close()
    off(page, "The connection was lost")
    expect(talker.box).to_have_value("We lived by")


def test_a_second_window_takes_the_microphone_over(
    talker: Participant, hearing_site: Site, speech: FakeSpeech
) -> None:
    speech.holds = 3
    dictating(talker)
    other = Participant(talker.page.context.new_page(), hearing_site.url)
    other.page.goto(talker.address)
    other.yours()
    other.button("Dictate").click()
    on(other.page)
    off(talker.page, "in another window")
    expect(other.page.locator("#provisional")).not_to_be_empty()


def test_a_microphone_that_is_refused(browser: Browser, hearing_site: Site) -> None:
    context = browser.new_context(locale="en-GB")
    anna = Participant(context.new_page(), hearing_site.url)
    refuse = """navigator.mediaDevices.getUserMedia = () =>
      Promise.reject(new DOMException('no', 'NotAllowedError'))"""
    anna.page.add_init_script(refuse)
    anna.begin().button("Dictate").click()
    anna.button("Turn on the microphone").click()
    off(anna.page, "isn’t allowed to use the microphone")
    context.close()


def test_no_microphone_at_all(browser: Browser, hearing_site: Site) -> None:
    context = browser.new_context(locale="en-GB", permissions=["microphone"])
    anna = Participant(context.new_page(), hearing_site.url).begin()
    anna.button("Dictate").click()
    anna.button("Turn on the microphone").click()
    off(anna.page, "No microphone was found")
    context.close()


# -- reading aloud


@pytest.fixture
def voices(anna: Participant) -> Participant:
    """Anna's device has three voices."""
    anna.page.add_init_script(VOICES)
    return anna.begin()


def settings(anna: Participant) -> None:
    anna.page.get_by_text("Menu", exact=True).click()
    anna.button("Read questions aloud").click()
    expect(anna.page.get_by_role("dialog")).to_contain_text("screen reader")


def test_new_words_are_read_once_and_whole(voices: Participant, complaints: Complaints) -> None:
    page = voices.page
    voices.answer("By the river.")
    assert spoken(page) == []
    settings(voices)
    check(page)
    page.get_by_label("Read new questions aloud").check()
    before = " ".join(text for text, *_ in spoken(page))
    assert before == voices.texts()[-1]
    voices.button("Close").click()
    expect(voices.button("Stop reading")).to_be_visible()
    check(page)
    page.evaluate("spoken.length = 0")
    voices.answer("In the evening, when it is quiet.")
    assert " ".join(text for text, *_ in spoken(page)) == voices.texts()[-1]
    page.evaluate("while (reads.length) readOn()")
    expect(voices.button("Stop reading")).to_be_hidden()
    assert complaints == []


def test_voice_and_speed_are_remembered(voices: Participant) -> None:
    page = voices.page
    settings(voices)
    options = page.get_by_label("Voice").locator("option").all_text_contents()
    assert [option.split(" · ")[0] for option in options] == ["Martha", "Clara", "Nonna"]
    assert options[1].endswith("(online)")
    page.get_by_label("Voice").select_option("far")
    page.get_by_label("Speed").select_option("faster")
    page.get_by_label("Read new questions aloud").check()
    assert spoken(page)[-1][1:] == ["far", 1.25]
    page.reload()
    voices.yours()
    page.wait_for_function(
        "performance.getEntriesByType('resource').some("
        "(one) => one.name.endsWith('aloud.js') && one.responseEnd)"
    )
    assert spoken(page) == []  # what stands there was read before
    voices.answer("By the river.")
    page.wait_for_function("spoken.length > 0")
    assert spoken(page)[-1][1:] == ["far", 1.25]


@pytest.mark.parametrize("way", ["typing", "stop", "escape", "dictating"])
def test_it_falls_silent(voices: Participant, way: str) -> None:
    page = voices.page
    settings(voices)
    page.get_by_label("Read new questions aloud").check()
    voices.button("Close").click()
    expect(voices.button("Stop reading")).to_be_visible()
    match way:
        case "typing":
            voices.box.press_sequentially("W")
        case "stop":
            voices.button("Stop reading").click()
        case "escape":
            page.keyboard.press("Escape")
        case "dictating":
            voices.button("Dictate").click()
            voices.button("Turn on the microphone").click()
    expect(voices.button("Stop reading")).to_be_hidden()
    assert page.evaluate("cancelled > 0 && reads.length === 0")


def test_nothing_is_read_to_a_microphone(voices: Participant) -> None:
    page = voices.page
    page.add_init_script(EARS)
    page.reload()
    settings(voices)
    page.get_by_label("Read new questions aloud").check()
    voices.button("Close").click()
    page.evaluate("while (reads.length) readOn()")
    page.evaluate("spoken.length = 0")
    sent: list[Route] = []
    page.route("**/answer/", lambda route: sent.append(route))
    voices.box.fill("By the river.")
    voices.box.press("Enter")
    dictating(voices)
    sent[0].continue_()
    expect(voices.said).to_have_count(4)
    voices.yours()
    assert spoken(page) == []
    page.keyboard.press("Escape")
    off(page)
    page.unroute("**/answer/")
    voices.answer("The evening.")
    page.wait_for_function("spoken.length > 0")


@pytest.mark.parametrize("voices", ["undefined", "{getVoices: () => [], addEventListener() {}}"])
def test_a_device_without_voices(anna: Participant, voices: str) -> None:
    anna.page.add_init_script(
        f"Object.defineProperty(window, 'speechSynthesis', {{value: {voices}}})"
    )
    settings(anna.begin())
    expect(anna.page.get_by_role("dialog")).to_contain_text("no voices to read aloud with")
    expect(anna.page.get_by_label("Read new questions aloud")).to_be_disabled()
    expect(anna.page.locator("#aloud-voice")).to_be_hidden()


def test_nothing_of_it_is_loaded_before_it_is_wanted(anna: Participant) -> None:
    loaded: list[str] = []
    anna.page.on("request", lambda request: loaded.append(request.url.rsplit("/", 1)[1]))
    anna.begin()
    assert "start.js" in loaded
    assert not {"dictation.js", "aloud.js", "browser.js", "site.js"} & set(loaded)


def test_a_lost_script_is_no_dead_button(anna: Participant, complaints: Complaints) -> None:
    anna.page.route("**/dictation.js", lambda route: route.abort())
    anna.begin()
    with complaints.expected(OUTAGE):
        anna.button("Dictate").click()
        expect(anna.notice).to_contain_text("Please try again")
    assert complaints == []


def test_who_switches_the_microphone_off_by_keyboard_keeps_a_place(ears: Participant) -> None:
    dictating(ears)
    ears.button("Turn off the microphone").focus()
    ears.page.keyboard.press("Enter")
    off(ears.page)
    expect(ears.button("Dictate")).to_be_focused()


def test_who_stops_the_reading_by_keyboard_keeps_a_place(voices: Participant) -> None:
    settings(voices)
    voices.page.get_by_label("Read new questions aloud").check()
    voices.button("Close").click()
    voices.button("Stop reading").focus()
    voices.page.keyboard.press("Enter")
    expect(voices.button("Stop reading")).to_be_hidden()
    expect(voices.page.locator("#menu summary")).to_be_focused()


def test_a_voice_chosen_for_one_language_reads_no_other(anna: Participant) -> None:
    anna.page.add_init_script(VOICES.replace("it-IT", "ru-RU"))
    settings(anna.begin())
    anna.page.get_by_label("Voice").select_option("far")
    anna.page.get_by_label("Read new questions aloud").check()
    anna.page.context.clear_cookies()
    anna.begin(language="ru")
    expect(anna.page.locator("#aloud-voice")).to_have_value("nonna")
