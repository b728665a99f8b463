"""The admin's main pages: accessible at three widths, in light and dark.

Some of it in `make test-long` only: colours at other widths than a desktop's, the phone's width,
the navigation on more than two pages, and lists and forms without a template of ours.
With PICTURES=folder in the environment each is photographed as well.
"""

import re
import sqlite3

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from tests.browser.accessible import check, check_all_but_colours, check_colours
from tests.browser.administrator import Administrator
from tests.browser.participant import Participant
from tests.browser.site import Site
from tests.browser.test_states import WIDTHS, photograph, pictures
from tests.examples import LONG

HANDED_OVER = "SELECT id FROM plans_bot WHERE slug = 'handed-over'"
MAPPED = "SELECT id FROM plans_bot WHERE slug = 'mapped'"
GRAPH = f"SELECT id FROM interviews_session WHERE bot_id = ({MAPPED})"  # a uuid without hyphens
CODED = "SELECT session_id FROM reflections_excerpt"
OF_CODES = "SELECT bot_id FROM reflections_codebookcode"
NAVIGATION = "#nav-sidebar"
PAGES = {  # {...}: the first id that it finds
    "first": "",
    "site": "plans/siteidentity/",
    "bots": "plans/bot/",
    "bot-kinds": "plans/bot/add/",
    "bot-new": "plans/bot/add/?protocol=life_story",
    "bot": "plans/bot/{SELECT id FROM plans_bot}/change/",
    "bot-preview": "plans/bot/{SELECT id FROM plans_bot}/preview/",
    "bot-links": "plans/bot/{SELECT id FROM plans_bot}/links/",
    "bot-batch": "reflections/batch/bot/{SELECT id FROM plans_bot}/",
    "documents": f"plans/bot/{{{HANDED_OVER}}}/documents/",
    "backlog": f"plans/bot/{{{HANDED_OVER}}}/backlog/",
    "scripts": "plans/script/",
    "script": "plans/script/{SELECT id FROM plans_script}/change/",
    "script-new": "plans/script/add/",
    "concept": "plans/ladderconcept/{SELECT id FROM plans_ladderconcept}/change/",
    "methodology": "plans/laddermethodology/{SELECT id FROM plans_laddermethodology}/change/",
    "sessions": "interviews/session/",
    "session": "interviews/session/{SELECT id FROM interviews_session ORDER BY id}/change/",
    "graph": f"interviews/session/{{{GRAPH}}}/graph/",
    "ladders": f"interviews/session/ladders/?bot={{{MAPPED}}}",
    "codes": f"interviews/session/codes/?bot={{{MAPPED}}}",
    "coding": f"interviews/session/{{{CODED}}}/coding/",
    "findings": f"interviews/session/findings/{{{OF_CODES}}}/?by=language",
    "study-report": f"interviews/session/findings/{{{OF_CODES}}}/report/",
    "search": "interviews/transcriptentry/?q=the",
    "exports": "interviews/session/export/",
    "export-tokens": "interviews/exporttoken/",
    "export-token-new": "interviews/exporttoken/add/",
    "webhooks": "interviews/webhook/",
    "webhook-new": "interviews/webhook/add/",
    "webhook-deliveries": "interviews/webhookdelivery/",
    "invitations": "interviews/invitation/",
    "invitation-new": "interviews/invitation/add/",
    "facts": "interviews/fact/",
    "e-mails": "interviews/mail/",
    "reflections": "reflections/reflection/",
    "reflection": "reflections/reflection/{SELECT id FROM reflections_reflection}/change/",
    "experts": "reflections/expert/",
    "calibrations": "reflections/calibration/",
    "model-calls": "llm/llmcall/",
    "prices": "llm/llmprice/",
    "health": "health/",
    "data-protection": "data-protection/",
    "users": "auth/user/",
    "user": "auth/user/{SELECT id FROM auth_user}/change/",
}
PLAIN = {  # lists and forms as Unfold makes them, for which those of webhooks stand
    *("webhook-deliveries", "e-mails", "experts", "calibrations"),
    *("model-calls", "prices", "users", "user"),
}
ON_A_PUSH = {
    ("light", "desktop"): check,
    ("light", "zoomed"): check_all_but_colours,
    ("dark", "desktop"): check_colours,
}

# Do what the admin's theme switch does, and wait for the colours. Other pages follow the system.
SWITCH = """async scheme => {
  if (!window.Alpine) return;
  Alpine.$data(document.documentElement).adminTheme = scheme;
  await Alpine.nextTick();
  const changes = document.getAnimations().filter((one) => one instanceof CSSTransition);
  await Promise.allSettled(changes.map((one) => one.finished));
}"""


@pytest.fixture(scope="module")
def signed_in(browser: Browser, stocked_site: Site) -> BrowserContext:
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    Participant(page, stocked_site.url).begin()
    Administrator(page, stocked_site.url).log_in()
    page.close()
    return context


def first_id(site: Site, query: str) -> str:
    with sqlite3.connect(site.data / "interviewsite.sqlite3") as database:
        [found] = database.execute(f"{query} LIMIT 1").fetchone()
    return str(found)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.long] * (n in PLAIN)) for n in PAGES]
)
def test_page(name: str, signed_in: BrowserContext, stocked_site: Site) -> None:
    path, _, rest = PAGES[name].partition("{")
    if rest:
        query, _, end = rest.partition("}")
        path += first_id(stocked_site, query) + end
    page = signed_in.new_page()
    try:
        _look(page, name, f"{stocked_site.url}/admin/{path}")
    finally:
        page.close()


def test_signing_in(page: Page, stocked_site: Site) -> None:
    _look(page, "sign-in", f"{stocked_site.url}/admin/login/")


def test_words_are_coded_by_mouse_and_by_keys(
    signed_in: BrowserContext, stocked_site: Site
) -> None:
    page = signed_in.new_page()
    page.goto(
        f"{stocked_site.url}/admin/interviews/session/{first_id(stocked_site, CODED)}/coding/"
    )
    page.evaluate("document.querySelector('#e6 .coding-words').scrollIntoView({block: 'center'})")
    page.locator("#e7 .coding-words").dblclick(position={"x": 2, "y": 12})
    form = page.get_by_role("form", name="Code the selection")
    expect(form).to_contain_text("“I”")
    form.get_by_label("Code").fill("Self")
    form.get_by_label("Memo").fill("Now.")
    form.get_by_role("button", name="Add code").click()
    expect(page.locator("#e7 .coding-list")).to_contain_text("Self “I” Now.")
    expect(page.locator("#e7 .coding-words")).to_be_focused()
    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(form).to_contain_text("“rent two”")
    expect(form.get_by_label("Code")).to_be_focused()
    page.keyboard.type("Rooms")
    page.keyboard.press("Enter")
    expect(page.locator("#e7 .coding-list")).to_contain_text("Rooms “rent two”")
    expect(page.locator("#e7 .coding-words")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(form).to_contain_text("And then?")
    page.keyboard.press("Escape")
    expect(form).to_be_hidden()
    expect(page.locator("#e6 .coding-words")).to_be_focused()
    page.get_by_role("button", name="Accept “Objects of memory”").click()
    expect(page.locator("#codebook")).to_contain_text("Objects of memory 1")
    page.close()


def test_what_is_being_written_outlives_what_is_coded_meanwhile(
    signed_in: BrowserContext, stocked_site: Site
) -> None:
    page = signed_in.new_page()
    new = _new_code(page, stocked_site, "Hunger")
    new.get_by_label("What belongs under it").fill("Meals that there weren’t.")
    _code_by_keys(page, "#e4", "Asked")
    expect(new.get_by_label("What belongs under it")).to_have_value("Meals that there weren’t.")
    new.get_by_role("button", name="Create code").click()
    expect(page.locator("#codebook")).to_contain_text("Hunger 0")
    expect(page.locator("#codebook form").last.get_by_label("Name")).to_have_value("")


def test_codes_that_nobody_writes_stay_closed_while_another_one_is_written(
    signed_in: BrowserContext, stocked_site: Site
) -> None:
    page = signed_in.new_page()
    page.route("**/coding/", _without_suggestions)
    _new_code(page, stocked_site, "Thirst")
    _code_by_keys(page, "#e6", "Said")
    expect(page.locator("#codebook details[open] > summary")).to_have_text(["New code"])
    page.close()


def _new_code(page: Page, site: Site, name: str) -> Locator:
    """Begin to write a code on the coding page, and return its form."""
    page.goto(f"{site.url}/admin/interviews/session/{first_id(site, CODED)}/coding/")
    page.get_by_text("New code").click()
    new = page.locator("#codebook form").last
    new.get_by_label("Name").fill(name)
    return new


def _code_by_keys(page: Page, entry: str, code: str) -> None:
    page.locator(f"{entry} .coding-words").focus()
    page.keyboard.press("Enter")
    page.keyboard.type(code)
    page.keyboard.press("Enter")
    expect(page.locator(f"{entry} .coding-list")).to_contain_text(code)


def _without_suggestions(route: Route) -> None:
    answer = route.fetch()
    section = r'<section class="study-panel" id="suggestions".*?</section>'
    route.fulfill(response=answer, body=re.sub(section, "", answer.text(), flags=re.S))


def test_what_is_ticked_stays_ticked_while_a_model_reads_on(
    signed_in: BrowserContext, stocked_site: Site
) -> None:
    page = signed_in.new_page()
    bot = first_id(stocked_site, OF_CODES)
    page.goto(f"{stocked_site.url}/admin/interviews/session/findings/{bot}/")
    box = page.get_by_label("“Leaving” below “What others decide”")
    box.check()
    page.evaluate("document.querySelector('.stages-list').dataset.old = ''")
    page.evaluate("htmx.ajax('GET', '?part=stages', {target: '#stages', swap: 'outerHTML'})")
    expect(page.locator("[data-old]")).to_have_count(0)
    expect(box).to_be_checked()
    expect(box).to_be_focused()
    page.close()


def test_an_overview_is_not_refreshed_under_the_keyboard(
    signed_in: BrowserContext, stocked_site: Site
) -> None:
    page = signed_in.new_page()
    page.clock.install()
    bot = first_id(stocked_site, "SELECT bot_id FROM interviews_session WHERE NOT preview")
    page.goto(f"{stocked_site.url}/admin/interviews/session/overview/{bot}/")
    link = page.locator("#overview a").first
    link.focus()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.run_for(16_000)
    page.wait_for_load_state("networkidle")
    expect(link).to_be_focused()
    assert asked == []
    link.blur()
    with page.expect_response("**/overview/*/"):
        page.clock.run_for(16_000)
    page.close()


def _look(page: Page, name: str, url: str) -> None:
    response = page.goto(url)
    assert response is not None
    assert response.status == 200
    page.wait_for_selector("main, [role=main]")  # the last thing that a script adds
    known = "" if LONG or name in ("first", "bots") else NAVIGATION
    for scheme, look in {"light": check, "dark": check_colours}.items():
        page.emulate_media(color_scheme=scheme)
        page.evaluate(SWITCH, scheme)
        for width, size in WIDTHS.items():
            found = look if LONG else ON_A_PUSH.get((scheme, width))
            if not found and not pictures:
                continue
            page.set_viewport_size(size)
            if pictures:
                photograph(page, f"admin-{name}-{width}-{scheme}")
            if found:
                found(page, known)
