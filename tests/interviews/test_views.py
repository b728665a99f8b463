"""Pages: who may see them, what a form does, and what a refusal says."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import AsyncClient, override_settings
from django.utils import timezone

from interviews.choices import SessionStatus
from interviews.models import AccessKey, Session
from interviews.participant import rendering
from interviews.security import access
from interviews.security.origin import is_own
from interviews.turns import actions
from llm.concurrency.threads import in_database
from plans.models import BotText
from tests.conftest import make_bot
from tests.interviews.talk import begin
from tests.queries import counted

pytestmark = pytest.mark.django_db(transaction=True)
HTMX = {"HX-Request": "true"}
ANSWER = "We lived over a bakery in a small town by the sea, and it was always warm."


def at(talk, rest: str = "") -> str:
    return f"/s/{talk.session_id}/{rest}"


async def answered(client, talk, text=ANSWER, **form):
    fields = {"text": text, "message_id": uuid4().hex, "answering": "2", **form}
    return await client.post(at(talk, "answer/"), fields, headers=HTMX)


# -- before an interview


async def test_the_first_page_shows_open_public_bots_only(bot):
    await in_database(make_bot, slug="hidden", title="Hidden", public=False)
    await in_database(make_bot, slug="closed", title="Closed", status="closed")
    page = (await AsyncClient().get("/")).content.decode()
    assert "A test" in page
    assert "Hidden" not in page
    assert "Closed" not in page


async def test_the_first_page_begins_with_the_visitors_own(bot):
    talk = await begin(bot)
    own = (await talk.browser().get("/")).content.decode()
    assert own.index("Continue your interview") < own.index("Open interviews")
    assert f'href="{at(talk)}"' in own
    assert "Continue your interview" not in (await AsyncClient().get("/")).content.decode()


async def test_the_first_page_shows_the_visitors_language_first(bot):
    italian = await in_database(make_bot, slug="ciao", title="Zona")
    summary = "Due parole.\n\nDura poco."
    await BotText.objects.acreate(bot=bot, language="en", summary="A few words.")
    await BotText.objects.acreate(bot=italian, language="it", summary=summary)
    english = (await AsyncClient().get("/")).content.decode()
    assert english.index("A test") < english.index("Zona")
    assert "Due parole." in english
    assert "Dura poco." not in english
    assert '<bdi lang="it">Italiano</bdi>' in english
    other = await AsyncClient().get("/", headers={"Accept-Language": "it"})
    assert other.content.decode().index("Zona") < other.content.decode().index("A test")


@pytest.mark.django_db(transaction=True)
async def test_no_space_comes_with_what_is_set_apart_in_its_own_direction(bot):
    page = (await AsyncClient().get("/")).content.decode()
    apart = re.findall(r"<bdi[^>]*>(.*?)</bdi>", page, re.DOTALL)
    assert len(apart) > 1
    assert apart == [words.strip() for words in apart]


async def test_the_first_page_without_bots():
    page = await AsyncClient().get("/")
    assert "No interviews are open" in page.content.decode()


async def test_opening_the_start_page_uses_nothing_up(bot):
    client = AsyncClient()
    for _ in range(10):
        page = await client.get(f"/i/{bot.slug}/")
        assert page.status_code == 200
    assert await Session.objects.acount() == 0
    assert access.PARTICIPANT_COOKIE not in client.cookies
    begun = await client.post(f"/i/{bot.slug}/?PROLIFIC_PID=p1&language=en", {"name": "Ann"})
    assert begun.status_code == 303
    session = await Session.objects.aget()
    assert begun["Location"].startswith(f"/s/{session.id}/#key=")
    assert session.params == {"PROLIFIC_PID": "p1"}
    cookie = client.cookies[access.PARTICIPANT_COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert (await client.get(f"/s/{session.id}/")).status_code == 200


@pytest.mark.parametrize("https", [True, False])
async def test_over_https_the_cookie_is_never_sent_in_the_clear(bot, settings, https):
    settings.HTTPS = https
    client = AsyncClient()
    await client.post(f"/i/{bot.slug}/", {"name": "Ann"})
    assert bool(client.cookies[access.PARTICIPANT_COOKIE]["secure"]) == https


async def test_a_bot_that_is_not_open_starts_nothing(bot):
    await in_database(make_bot, slug="closed", status="closed")
    page = await AsyncClient().post("/i/closed/", {"name": "Ann"})
    assert page.status_code == 403
    assert "isn’t open" in page.content.decode()
    assert await Session.objects.acount() == 0
    assert (await AsyncClient().get("/i/nothing/")).status_code == 404


async def test_texts_come_in_the_chosen_language(bot):
    await BotText.objects.acreate(bot=bot, language="en", consent="I agree <b>fully</b>.")
    page = await AsyncClient().get(f"/i/{bot.slug}/", headers={"Accept-Language": "ru"})
    text = page.content.decode()
    assert "I agree &lt;b&gt;fully&lt;/b&gt;." in text
    assert 'lang="en"' in text  # the bot speaks nothing else


# -- who may see a session


async def test_wrong_foreign_and_expired_look_alike(bot):
    talk, other = await begin(bot), await begin(bot)
    stranger, expired = other.browser(), other.browser()
    await AccessKey.objects.filter(digest=access.digest(other.cookie)).aupdate(
        expires_at=timezone.now() - timedelta(seconds=1)
    )
    nobody = AsyncClient()
    wrong = f"/s/{uuid4()}/"
    seen = set()
    for client, address in (
        (nobody, at(talk)),
        (nobody, wrong),
        (stranger, at(talk)),
        (stranger, wrong),
        (expired, at(other)),
    ):
        for rest in ("", "transcript/", "transcript.txt", "state/", "earlier/", "end/"):
            page = await client.get(address + rest)
            assert page.status_code == 404
            assert page["Cache-Control"] == "no-store"
            seen.add(page.content)
    assert len(seen) == 1


async def test_a_link_that_expires_is_refused_at_the_next_answer(bot):
    talk = await begin(bot)
    client = talk.browser()
    assert (await client.get(at(talk))).status_code == 200
    await AccessKey.objects.all().aupdate(expires_at=timezone.now())
    assert (await answered(client, talk)).status_code == 404
    assert (await talk.session()).length == 2


@pytest.mark.parametrize("rest", ["", "transcript/", "transcript.txt", "end/"])
async def test_pages_of_a_session_are_private(bot, rest):
    talk = await begin(bot)
    page = await talk.browser().get(at(talk, rest))
    assert page.status_code == 200
    assert page["Cache-Control"] == "no-store"
    assert page["Referrer-Policy"] == "no-referrer"
    assert "unsafe" not in page["Content-Security-Policy"]


# -- what forms do


async def test_an_answer_by_script_is_recorded_and_the_page_gets_the_news(bot):
    talk = await begin(bot)
    reply = await answered(talk.browser(), talk, after="2")
    text = reply.content.decode()
    assert reply.status_code == 200
    assert 'id="entry-3"' in text
    assert 'id="entry-2"' not in text
    assert ANSWER in text
    assert 'hx-swap-oob="beforeend:#log"' in text
    assert 'data-phase="asking"' in text or 'data-phase="yours"' in text


async def test_an_answer_by_form_waits_for_the_reply(bot):
    talk = await begin(bot)
    client = talk.browser()
    fields = {"text": ANSWER, "message_id": "m1", "answering": "2"}
    for _ in range(2):  # sent twice, taken once
        reply = await client.post(at(talk, "answer/"), fields)
        assert reply.status_code == 303
        assert reply["Location"] == at(talk) + "#now"
    session = await talk.session()
    assert session.status == SessionStatus.WAITING_ANSWER
    assert [e.text for e in await talk.entries()].count(ANSWER) == 1


async def test_what_is_sent_again_in_other_words_after_going_back_is_not_lost(bot):
    """Without a script the page that a browser goes back to has the id of what it sent before."""
    talk = await begin(bot)
    client = talk.browser()
    fields = {"message_id": "m1", "answering": "2"}
    await client.post(at(talk, "answer/"), {"text": ANSWER, **fields})
    better = f"{ANSWER} My brother was there, too."
    reply = await client.post(at(talk, "answer/"), {"text": better, **fields})
    assert reply.status_code == 409
    assert f">{better}</textarea>" in reply.content.decode()
    assert [e.text for e in await talk.entries() if e.role == "participant"] == [ANSWER]


async def test_a_stale_page_is_told_and_its_words_come_back(bot):
    talk = await begin(bot)
    client = talk.browser()
    await talk.say(ANSWER)
    by_script = await answered(client, talk, text="Too late.", answering="2", after="2")
    assert by_script.status_code == 409
    assert 'data-code="outdated"' in by_script.content.decode()
    assert ANSWER in by_script.content.decode()  # what it had missed
    by_form = await client.post(
        at(talk, "answer/"), {"text": "Too <late>.", "message_id": "m9", "answering": "2"}
    )
    assert by_form.status_code == 409
    assert ">Too &lt;late&gt;.</textarea>" in by_form.content.decode()


@pytest.mark.parametrize(
    ("text", "status"),
    [("a" * 16_001, 413), (" \x00 ", 422), ("\u2800\u00ad", 422), ("", 422), ("a" * 16_000, 200)],
)
async def test_the_limits_of_an_answer(bot, text, status):
    talk = await begin(bot)
    assert (await answered(talk.browser(), talk, text=text)).status_code == status


async def test_skip_pause_resume_end(bot):
    talk = await begin(bot)
    client = talk.browser()

    async def press(what: str) -> str:
        fields = {"message_id": uuid4().hex}
        reply = await client.post(at(talk, f"{what}/"), fields)
        assert reply.status_code == 303
        return (await talk.session()).status

    assert await press("skip") == SessionStatus.WAITING_ANSWER
    assert await press("pause") == SessionStatus.PAUSED
    assert await press("resume") == SessionStatus.WAITING_ANSWER
    assert await press("end") == SessionStatus.STOPPED
    refused = await answered(client, talk)
    assert refused.status_code == 409
    assert 'data-code="ended"' in refused.content.decode()


async def test_addresses_of_forms_lead_to_the_chat(bot):
    talk = await begin(bot)
    client = talk.browser()
    for action in ("answer", "skip", "pause", "resume", "link"):
        reply = await client.get(at(talk, f"{action}/"))
        assert (reply.status_code, reply["Location"]) == (303, at(talk))


async def test_forms_need_the_token_of_their_page(bot):
    talk = await begin(bot)
    client = AsyncClient(enforce_csrf_checks=True)
    client.cookies[access.PARTICIPANT_COOKIE] = talk.cookie
    reply = await answered(client, talk)
    assert reply.status_code == 403
    page = (await client.get(at(talk))).content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page).group(1)
    assert (await answered(client, talk, csrfmiddlewaretoken=token)).status_code == 200


async def test_state_is_silent_when_there_is_nothing_new(bot):
    talk = await begin(bot)
    client = talk.browser()
    now = (await talk.session()).sequence
    same = await client.get(at(talk, f"state/?after=2&sequence={now}"), headers=HTMX)
    assert (same.status_code, same.content) == (204, b"")
    await talk.say(ANSWER)
    news = await client.get(at(talk, f"state/?after=2&sequence={now}"), headers=HTMX)
    assert 'id="entry-4"' in news.content.decode()
    for odd in ("after=-1", "after=x&sequence=9e9", "after=99999999999999999999", ""):
        assert (await client.get(at(talk, f"state/?{odd}"), headers=HTMX)).status_code == 200


async def test_earlier_entries(bot, monkeypatch):
    talk = await begin(bot)
    await talk.say(ANSWER)
    page = await talk.browser().get(at(talk, "earlier/?before=3"))
    text = page.content.decode()
    assert 'id="entry-1"' in text
    assert 'id="entry-2"' in text
    assert 'id="entry-3"' not in text
    assert 'id="more"' not in text


async def test_what_is_said_is_only_ever_text(bot):
    talk = await begin(bot)
    evil = '<p id="state" hx-get="/" hx-swap-oob="true">x</p><script>1</script>'
    await talk.say(evil)
    client = talk.browser()
    for rest in ("", "transcript/", "earlier/?before=9", "state/?sequence=0"):
        page = (await client.get(at(talk, rest), headers=HTMX)).content.decode()
        assert "&lt;script&gt;1" in page
        assert "<script>1" not in page
    text = (await client.get(at(talk, "transcript.txt"))).content.decode()
    assert evil in text


# -- without a model

NO_MODEL_NOTE = "works without a language model"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", NO_MODEL_NOTE),
        ("it", "senza modello linguistico"),
        ("ru", "без языковой модели"),
        ("es", "sin modelo de lenguaje"),
        ("de", "ohne Sprachmodell"),
        ("fr", "sans modèle de langage"),
        ("ar", "بدون نموذج لغوي"),
    ],
)
async def test_the_page_says_that_there_is_no_model(bot, language, words):
    talk = await begin(bot)
    await Session.objects.filter(pk=talk.session_id).aupdate(language=language)
    client = talk.browser()
    page = (await client.get(at(talk))).content.decode()
    assert page.count(words) == 1
    note = re.search(r'<p [^>]*id="no-model"[^>]*>', page).group()
    assert 'role="note"' in note  # and no live region: a screen reader reads it in its place
    assert page.index(note) < page.index('id="log"')
    news = await client.get(at(talk, "state/?sequence=0"), headers=HTMX)
    assert words not in news.content.decode()


async def test_with_a_model_the_page_says_no_such_thing(bot, settings):
    talk = await begin(bot)
    settings.LLM_PROVIDER = "scripted"
    page = (await talk.browser().get(at(talk))).content.decode()
    assert "no-model" not in page
    assert NO_MODEL_NOTE not in page


# -- personal links


async def test_a_link_s_key_is_exchanged_for_the_cookie(bot):
    talk = await begin(bot)
    reply = await talk.browser().post(at(talk, "link/"), headers=HTMX)
    key = re.search(r"#key=([\w-]+)", reply.content.decode()).group(1)
    elsewhere = AsyncClient()
    for wrong in ("", "x" * 22, access.digest(key)):
        assert (await elsewhere.post(at(talk, "enter/"), {"key": wrong})).status_code == 404
    entered = await elsewhere.post(at(talk, "enter/"), {"key": key}, headers=HTMX)
    assert entered.status_code == 204
    assert entered.cookies[access.PARTICIPANT_COOKIE]["httponly"]
    assert (await elsewhere.get(at(talk))).status_code == 200
    stored = {key.digest async for key in AccessKey.objects.all()}
    assert key not in stored


async def test_a_pasted_link(bot):
    talk = await begin(bot)
    link = f"http://testserver{at(talk)}#key={talk.token}"
    for wrong in ("", "hello", link.split("#")[0], link.replace("#key=", "#key=x")):
        assert (await AsyncClient().post("/s/enter/", {"link": wrong})).status_code == 404
    entered = await AsyncClient().post("/s/enter/", {"link": f"  {link}\n"})
    assert (entered.status_code, entered["Location"]) == (303, at(talk))


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}],
)
async def test_nobody_is_made_to_enter_from_another_site(bot, headers):
    talk = await begin(bot)
    reply = await AsyncClient().post(at(talk, "enter/"), {"key": talk.token}, headers=headers)
    assert reply.status_code == 404
    assert access.PARTICIPANT_COOKIE not in reply.cookies


@pytest.mark.parametrize(
    ("origin", "host", "own"),
    [
        ("http://localhost:8000", "localhost:8000", True),
        ("https://site.example", "site.example", True),
        ("https://site.example", "site.example:443", True),
        ("http://[::1]:8000", "[::1]:8000", True),
        ("https://behind.example", "inner:8000", True),
        ("http://localhost:3000", "localhost:8000", False),
        ("https://evil.example", "site.example", False),
        ("https://evil.example", "evil.example", False),  # a host that isn't ours
        ("null", "site.example", False),
        ("", "site.example", False),
        ("http://site.example:x", "site.example", False),
    ],
)
def test_whose_origin(origin, host, own):
    hosts = ["localhost", "[::1]", "site.example"]
    with override_settings(ALLOWED_HOSTS=hosts, CSRF_TRUSTED_ORIGINS=["https://behind.example"]):
        assert is_own(origin, host) is own


# -- how much it costs


async def test_a_page_costs_the_same_however_long_the_interview(bot):
    talk = await begin(bot)
    client = talk.browser()
    with counted() as first:
        await client.get(at(talk))
    for _ in range(3):
        await talk.say(ANSWER)
    with counted() as later:
        await client.get(at(talk))
    assert len(later) == len(first) <= 6


async def test_a_page_that_missed_too_much_gets_the_newest(bot, monkeypatch):
    monkeypatch.setattr(rendering, "NEWS", 2)
    talk = await begin(bot)
    await talk.say(ANSWER)
    session = await actions.fresh(talk.session_id)
    news = await talk.browser().get(at(talk, "state/?after=0&sequence=0"), headers=HTMX)
    text = news.content.decode()
    assert f'id="entry-{session.length}"' in text
    assert 'id="entry-1"' not in text
