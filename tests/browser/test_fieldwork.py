"""A study as a fieldwork manager runs it: 300 people of a panel, two arms, quotas by cell.

Everything is set up at the admin's pages. People come by the link, over HTTP, and are answered by
rules; a third of them leaves. With PICTURES=folder in the environment the pages are photographed.
"""

import asyncio
import csv
import io
import random
import re
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path

import aiohttp
import pytest
from playwright.sync_api import Page, expect

from tests.browser.administrator import Administrator
from tests.browser.site import Site
from tests.browser.test_states import pictures
from tests.services.databases import Database
from tests.services.processes import python, run

PEOPLE, DAYS, AT_ONCE = 300, 5, 12
DROP = 0.3
QUOTA = {("f", "en"): 55, ("f", "it"): 40, ("m", "en"): 55, ("m", "it"): 40}
NAMED = {"f": "Women", "m": "Men", "en": "English", "it": "Italian"}
ASKED = {
    "en": ("How do you get to work?", "Which morning went wrong?", "What would you change?"),
    "it": ("Come va al lavoro?", "Quale mattina è andata male?", "Che cosa cambierebbe?"),
}
SAID = {
    "en": (
        "By bus and then on foot, about forty minutes, and I read on the way if I get a seat.",
        "In the snow two winters ago nothing ran, and I walked for an hour and a half in the dark.",
        "More buses in the evening. The last one leaves before my shift is over.",
        "I cycle.",
    ),
    "it": (
        "Con il treno e poi a piedi, quasi un'ora, e di solito leggo o guardo fuori.",
        "Una mattina di sciopero sono tornata a casa e ho lavorato dalla cucina.",
        "Vorrei partire più tardi, quando i treni sono mezzi vuoti.",
        "In bicicletta, quando non piove.",
    ),
}
CONSENT = "Answers are stored for two years and read by the study’s team. You can stop at any time."
SCRIPT = """\
format: interviewsite/script
version: 1
name: Commuting
language: {language}
intro: {intro}
outro: {outro}
sections:
  - key: way
    title: The way to work
    questions:
{questions}
"""


class Manager(Administrator):
    """Sets the study up and watches it."""

    bots: list[str]  # addresses of both arms' forms

    def script(self, language: str) -> None:
        hello = {"en": "Hello. I am an AI interviewer.", "it": "Buongiorno. Sono un'IA."}
        bye = {"en": "Thank you. Goodbye.", "it": "Grazie. Arrivederci."}
        questions = "\n".join(
            f"      - {{key: q{number}, text: '{text}', objective: 'The answer {number}.'}}"
            for number, text in enumerate(ASKED[language])
        )
        text = SCRIPT.format(
            language=language, intro=hello[language], outro=bye[language], questions=questions
        )
        self.page.goto(f"{self.url}/admin/plans/script/import/")
        self.page.fill("[name=text]", text)
        self.page.select_option("[name=format]", "yaml")
        self.page.get_by_role("button", name="Show changes").click()
        self.page.get_by_role("button", name="Create").click()
        self.page.wait_for_url("**/plans/script/*/change/**")

    def set(self, **values: str) -> None:
        """Fill fields by name, wherever their place on the form is."""
        for name, value in values.items():
            self.page.locator(f"[name={name}]").first.evaluate(
                "(e, v) => { e.type == 'checkbox' ? e.checked = true : e.value = v;"
                " for (const t of ['input', 'change'])"
                "   e.dispatchEvent(new Event(t, {bubbles: true})) }",
                value,
            )

    def choose(self, name: str, *labels: str) -> None:
        """Pick rows in a field that searches for them."""
        field = self.page.locator(f"[name={name}] ~ .select2 .select2-selection").first
        for label in labels:
            field.click()
            self.page.locator(".select2-search__field").last.fill(label)
            found = self.page.locator(".select2-results__option[aria-selected=false]")
            found.filter(has_text=label).first.click()

    def save(self, name: str = "_continue") -> None:
        with self.page.expect_navigation():
            self.page.locator(f"[name={name}]").first.click()
        refused = "lists => lists.map(e => e.parentElement.innerText)"
        assert self.page.locator(".errorlist").evaluate_all(refused) == []

    def bot(self) -> None:
        self.page.goto(f"{self.url}/admin/plans/bot/add/?protocol=life_story")
        self.set(title="Commuting study", slug="commuting", host="The Commuting Lab")
        self.set(contact="lab@example.org", minutes="8", recruitment="prolific")
        self.choose("scripts", "Commuting")
        self.save("_save")
        self.bots.append(self.page.url.partition("#")[0])
        self.choose("scripts", "Commuting")
        self.save()
        for language in ASKED:
            texts = {"summary": "A short talk about your way to work.", "consent": CONSENT}
            texts |= {"about": "We study how people get to work.", "care": "Call a helpline."}
            self.set(**{f"text__{language}__{name}": text for name, text in texts.items()})
        self.set(option__reward__kind="fixed", option__reward__code="C1DONE")
        self.set(option__reward__early_kind="fixed", option__reward__early_code="C2EARLY")
        for way in ("declined", "full", "closed", "screened"):
            self.set(**{f"outcome_{way}_code": f"C3{way.upper()}"})
        for count in range(2, len(QUOTA) + 1):  # a saved form has one empty row
            self.cells(list(QUOTA.items())[:count])
        self.page.evaluate("document.querySelector('[name=cells_only]').checked = true")
        self.save()
        self.save("plans_bot_go_live")

    def cells(self, cells: list[tuple[tuple[str, str], int]]) -> None:
        for number, ((gender, language), wanted) in enumerate(cells):
            name = f"{NAMED[gender]}, {NAMED[language]}"
            when = f"gender = {gender}; language = {language}"
            fields = {"name": name, "wanted": str(wanted), "when": when}
            self.set(**{f"cell_{number}_{part}": value for part, value in fields.items()})
        self.save()

    def second_arm(self) -> None:
        """A copy whose interviewer follows up once."""
        self.page.goto(self.bots[0], wait_until="networkidle")
        self.page.locator("a[hx-get$='/duplicate/']").first.evaluate("e => e.click()")
        self.page.locator("#dialog [name=title]").fill("Commuting study, follow-ups")
        with self.page.expect_navigation():
            self.page.get_by_role("button", name="Duplicate").last.click()
        self.set(option__followup_ceiling="1")
        self.save()
        self.save("plans_bot_go_live")

    def experiment(self) -> None:
        self.page.goto(f"{self.url}/admin/plans/experiment/add/")
        self.set(title="Commuting: follow-ups", slug="way", strata="gender, language", seed="7")
        for number, (name, bot) in enumerate(
            {"plain": "Commuting study", "curious": "Commuting study, follow-ups"}.items()
        ):
            self.set(**{f"arms-{number}-name": name})
            self.choose(f"arms-{number}-bot", bot)
        self.save()
        self.set(status="live")
        self.save()


def shown(page: Page, name: str, path: str, width: int = 1280, scheme: str = "light") -> None:
    page.set_viewport_size({"width": width, "height": 844 if width < 500 else 900})
    page.emulate_media(color_scheme=scheme)
    page.goto(path)
    page.wait_for_selector("main, [role=main]")
    page.wait_for_load_state("networkidle")
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"{name} is {wide} pixels too wide"
    if pictures:
        Path(pictures).mkdir(parents=True, exist_ok=True)
        file = Path(pictures) / f"{name}-fieldwork.png"
        page.screenshot(path=file, full_page=True, animations="disabled")


class Visitor:
    """Somebody of the panel, with the browser's cookies and nothing else."""

    def __init__(self, url: str, number: int, dice: random.Random) -> None:
        self.url, self.pid, self.dice = url, f"{number:024x}", dice
        self.gender = dice.choices(("f", "m", "d"), (49, 48, 3))[0]
        self.language = dice.choice(("en", "it"))
        self.leaves = dice.random() < DROP and dice.choice(("stops", "goes"))
        self.outcome = ""  # a code that they were shown

    async def come(self) -> None:
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(cookie_jar=jar) as http:
            link = f"{self.url}/e/way/?PROLIFIC_PID={self.pid}&STUDY_ID=s1&SESSION_ID=v{self.pid}"
            link += f"&gender={self.gender}&language={self.language}"
            async with http.get(link) as page:
                form = await page.text()
            fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
            if "csrfmiddlewaretoken" not in fields:
                self.see(form)
                return
            fields = {name: unescape(value) for name, value in fields.items()}
            fields |= {"decision": "agreed", "name": ""}
            headers = {"Referer": link, "Origin": self.url}
            async with http.post(link, data=fields, headers=headers, allow_redirects=False) as sent:
                place = sent.headers.get("Location", "")
                if "#key=" not in place:
                    self.see(await sent.text())
                    return
            await self.talk(http, re.search(r"/s/([\w-]+)/", place)[1], place.partition("#key=")[2])

    async def talk(self, http: aiohttp.ClientSession, session: str, token: str) -> None:
        key, path = {"Authorization": f"Bearer {token}"}, f"{self.url}/api/chat/session/{session}"
        stay = self.dice.choices((0, 1, 2), (1, 2, 4))[0] if self.leaves else 20
        for number in range(stay):
            answer = self.dice.choice(SAID[self.language])
            body = {"session_id": session, "answer": answer, "message_id": f"m{number}"}
            async with http.post(f"{self.url}/api/chat", json=body, headers=key) as reply:
                said = await reply.json()
            if said["status"] in ("COMPLETED", "STOPPED"):
                break
        if self.leaves == "stops":
            await (await http.post(f"{path}/end", headers=key)).read()
        async with http.get(f"{self.url}/s/{session}/") as page:
            self.see(await page.text())

    def see(self, page: str) -> None:
        codes = re.findall(r"\b(?:C1DONE|C2EARLY|C3DECLINED|C3FULL|C3CLOSED|C3SCREENED)\b", page)
        self.outcome = codes[0] if codes else ""


async def wave(people: list[Visitor]) -> None:
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(person: Visitor) -> None:
        async with gate:
            await person.come()

    await asyncio.gather(*map(one, people))


def set_back(rows: Database) -> None:
    """Let a day pass."""
    for table, columns in {
        "interviews_session": ("started_at", "ended_at"),
        "interviews_turn": ("received_at", "spoken_at"),
        "interviews_transcriptentry": ("at",),
    }.items():
        for name in columns:
            rows.change(
                f"UPDATE {table} SET {name} = strftime('%Y-%m-%d %H:%M:%f', {name}, '-1 day')"
            )
    rows.change("DELETE FROM interviews_overviewday")


def submissions(people: list[Visitor]) -> str:
    """What Prolific knows of them: two asked for pay with nothing, one with another's code."""
    text = io.StringIO(newline="")
    table = csv.writer(text)
    table.writerow(["Submission id", "Participant id", "Status", "Completion code"])
    for number, person in enumerate(people):
        done = person.outcome == "C1DONE"
        status = "AWAITING REVIEW" if done or number % 97 == 5 else "RETURNED"
        code = "WRONG" if number % 89 == 1 else person.outcome
        table.writerow([f"sub{number}", person.pid, status, code])
    return text.getvalue()


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_a_study_of_three_hundred(page: Page, new_site: Callable[..., Site], tmp_path) -> None:
    site = new_site()
    made = run(python("manage.py", "setup"), site.env)
    assert made.returncode == 0, made.stderr
    manager, admin = Manager(page, site.url), f"{site.url}/admin"
    manager.bots = []
    manager.log_in()
    for language in ASKED:
        manager.script(language)
    manager.bot()
    bot = re.search(r"/bot/(\d+)/", manager.bots[0])[1]
    manager.second_arm()
    manager.experiment()
    experiment = re.search(r"/experiment/(\d+)/", page.url)[1]
    shown(page, "setup", f"{admin}/plans/bot/{bot}/change/#participants")
    shown(page, "experiment-setup", page.url.replace(f"bot/{bot}", f"experiment/{experiment}"))

    dice, rows = random.Random(5), Database(site.data)
    people = [Visitor(site.url, number, dice) for number in range(PEOPLE)]
    for day in range(DAYS):
        if day:
            set_back(rows)
        with ThreadPoolExecutor(1) as beside_the_browser:
            beside_the_browser.submit(asyncio.run, wave(people[day::DAYS])).result()
    session = rows.rows(
        "SELECT id FROM interviews_session WHERE status = 'WAITING_ANSWER' ORDER BY started_at DESC"
    )[0][0]
    watch(page, f"{admin}/interviews/session", bot, experiment, session)
    compare(page, f"{admin}/interviews/session/prolific/{bot}/", people, tmp_path)
    counted(rows, people)
    exported(page, f"{admin}/interviews/session/export/")


def watch(page: Page, admin: str, bot: str, experiment: str, session: str) -> None:
    for name, width, scheme in (
        ("overview", 1280, "light"),
        ("overview-dark", 1280, "dark"),
        ("overview-phone", 390, "light"),
        ("overview-phone-dark", 390, "dark"),
    ):
        shown(page, name, f"{admin}/overview/{bot}/", width, scheme)
    shown(page, "first", admin.partition("interviews")[0])
    shown(page, "live", f"{admin}/{session}/change/")
    shown(page, "experiment", f"{admin}/experiment/{experiment}/")


def compare(page: Page, path: str, people: list[Visitor], folder: Path) -> None:
    file = folder / "submissions.csv"
    file.write_text(submissions(people))
    shown(page, "prolific", path)
    page.set_input_files("[name=file]", file)
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_text("Gave another code than the interview’s").first).to_be_visible()
    if pictures:
        page.screenshot(path=Path(pictures) / "prolific-fieldwork.png", animations="disabled")


def counted(rows: Database, people: list[Visitor]) -> None:
    """Nothing overshoots, arms stay even, and everybody was shown a code of theirs."""
    done = rows.rows(
        "SELECT cell, stratum, name FROM interviews_session s "
        "JOIN interviews_assignment a ON a.session_id = s.id "
        "JOIN plans_experimentarm m ON m.id = a.arm_id WHERE s.status = 'COMPLETED'"
    )
    cells = Counter(cell for cell, _, _ in done)
    for (gender, language), wanted in QUOTA.items():
        assert cells[f"{NAMED[gender]}, {NAMED[language]}"] <= wanted
    arms = Counter(arm for _, _, arm in done)
    strata = Counter((stratum, arm) for _, stratum, arm in done)
    differences = {
        stratum: abs(strata[stratum, "plain"] - strata[stratum, "curious"])
        for stratum in {stratum for _, stratum, _ in done}
    }
    outcomes = Counter(person.outcome or "none" for person in people)
    print(f"\ncompleted by arm {dict(arms)}, by cell {dict(cells)}")
    print(f"differences within strata {differences}; codes {dict(outcomes)}")
    completed = len(done)
    assert outcomes["C1DONE"] == completed
    assert outcomes["C3SCREENED"] == sum(person.gender == "d" for person in people)
    holes = rows.rows(
        "SELECT stratum, MAX(place) + 1, SUM(s.status = 'COMPLETED') FROM interviews_assignment a "
        "JOIN interviews_session s ON s.id = a.session_id GROUP BY stratum"
    )
    for stratum, places, filled in holes:
        assert differences[stratum] <= 1 + places - filled, (stratum, places, filled)


def exported(page: Page, path: str) -> None:
    shown(page, "exports", path)
    page.select_option("[name=table]", "sessions")
    page.select_option("[name=format]", "csv")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    table = list(csv.DictReader(download.value.path().open(encoding="utf-8-sig", newline="")))
    assert {row["arm"] for row in table if row["experiment"]} == {"plain", "curious"}
    assert all(row["prolific_pid"] for row in table if row["experiment"])
