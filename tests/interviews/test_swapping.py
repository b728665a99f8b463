"""Somebody else's link in a browser in which an interview is open: nothing changes unasked."""

import re

import pytest
from django.test import AsyncClient
from django.utils import timezone

from interviews.choices import SessionStatus
from interviews.models import Invitation, Participant, Session
from interviews.recruitment.invitations.changes import invite
from interviews.recruitment.invitations.people_file import Invitee
from interviews.recruitment.invitations.redeem import new_path
from interviews.security.access import PARTICIPANT_COOKIE
from llm.concurrency.threads import in_database
from tests.conftest import make_bot
from tests.interviews.talk import Talk, begin
from tests.pages import markup

pytestmark = pytest.mark.django_db(transaction=True)
ASKED = "Another interview is open in this browser"
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
LINK = re.compile(r'name="link" value="([^"]+)"')


@pytest.fixture
async def anna(bot) -> Talk:
    return await begin(bot, name="Anna")


@pytest.fixture
async def ben(anna) -> Talk:
    other = await in_database(make_bot, title="Ben's study", host="A museum")
    return await begin(other, name="Ben")


def browser(talk: Talk) -> AsyncClient:
    client = AsyncClient(enforce_csrf_checks=True)
    client.cookies[PARTICIPANT_COOKIE] = talk.cookie
    return client


def chat(talk: Talk) -> str:
    return f"/s/{talk.session_id}/"


async def invitation_to(bot, **fields) -> tuple[Invitation, str]:
    made = (await in_database(invite, bot, [Invitee(**fields)]))[0]
    return made, await in_database(new_path, made)


async def enter(client: AsyncClient, link: str, **headers):
    path, _hash, key = link.partition("#key=")
    return await client.post(f"{path}enter/", {"key": key}, headers=headers)


async def agree(client: AsyncClient, page):
    text = page.content.decode()
    form = {"link": LINK.search(text)[1], "csrfmiddlewaretoken": TOKEN.findall(text)[-1]}
    return await client.post("/s/swap/enter/", form)


async def test_a_personal_link_asks_before_it_changes_who_one_is(anna, ben):
    client, link = browser(anna), f"{chat(ben)}#key={ben.token}"
    scripted = await enter(client, link, **{"HX-Request": "true"})
    assert (scripted.status_code, scripted.content) == (409, b"")
    for page in (await enter(client, link), await client.post("/s/enter/", {"link": link})):
        text = markup(page)
        assert page.status_code == 200
        assert ASKED in text
        assert f'href="{chat(anna)}"' in text
        assert text.index("<bdi>Anna</bdi>") < text.index("<bdi>Ben</bdi>")
        assert "Ben&#x27;s study" in text and "A museum" in text
        assert PARTICIPANT_COOKIE not in page.cookies
        assert (page["Cache-Control"], page["Referrer-Policy"]) == ("no-store", "no-referrer")
    assert (await client.get(chat(anna))).status_code == 200
    assert (await client.get(chat(ben))).status_code == 404
    entered = await agree(client, page)
    assert (entered.status_code, entered["Location"]) == (303, link)
    assert (await client.get(chat(ben))).status_code == 200
    assert (await client.get(chat(anna))).status_code == 404
    assert (await anna.session()).status == SessionStatus.WAITING_ANSWER


async def test_the_earlier_interview_comes_back_by_its_own_link(anna, ben):
    client = browser(ben)
    page = await enter(client, f"{chat(anna)}#key={anna.token}")
    assert (await agree(client, page)).status_code == 303
    page = await enter(client, f"{chat(ben)}#key={ben.token}")
    assert ASKED in page.content.decode()
    assert (await agree(client, page)).status_code == 303
    assert (await client.get(chat(ben))).status_code == 200


async def test_agreeing_takes_the_forms_token_and_the_links_secret(anna, ben):
    client, link = browser(anna), f"{chat(ben)}#key={ben.token}"
    page = (await enter(client, link)).content.decode()
    token = TOKEN.findall(page)[-1]
    for form, headers, status in (
        ({"link": link}, {}, 403),
        ({"link": link, "csrfmiddlewaretoken": token}, {"Origin": "http://evil.example"}, 403),
        ({"link": link + "x", "csrfmiddlewaretoken": token}, {}, 404),
        ({"link": "", "csrfmiddlewaretoken": token}, {}, 404),
    ):
        refused = await client.post("/s/swap/enter/", form, headers=headers)
        assert refused.status_code == status
        assert PARTICIPANT_COOKIE not in refused.cookies
    assert (await client.get("/s/swap/enter/")).status_code == 405
    assert (await client.get(chat(anna))).status_code == 200


async def test_guesses_at_the_page_that_asks_end_for_a_while(anna, settings):
    settings.LIMIT_WRONG_KEYS = "2/hour"
    client = AsyncClient()
    sent = [await client.post("/s/swap/enter/", {"link": f"{chat(anna)}#key=x"}) for _ in range(4)]
    assert [one.status_code for one in sent] == [404, 404, 429, 429]


async def test_nothing_is_asked_where_nobody_else_is(anna, ben, bot):
    link = f"{chat(ben)}#key={ben.token}"
    for client in (AsyncClient(), browser(ben)):
        assert (await enter(client, link)).status_code == 303
    wrong = await enter(browser(anna), link + "x")
    assert (wrong.status_code, ASKED in wrong.content.decode()) == (404, False)
    await Session.objects.filter(pk=anna.session_id).aupdate(status=SessionStatus.COMPLETED)
    assert (await enter(browser(anna), link)).status_code == 303


async def test_an_invitation_asks_too_and_is_not_used_up(anna, ben):
    bot = (await ben.session()).bot
    invitation, link = await invitation_to(bot, name="Carla", language="de")
    client, people = browser(anna), await Participant.objects.acount()
    page = await enter(client, link)
    assert "In diesem Browser ist ein anderes Interview offen" in page.content.decode()
    await invitation.arefresh_from_db()
    assert invitation.entered_at is None
    assert await Participant.objects.acount() == people
    entered = await agree(client, page)
    assert (entered.status_code, entered["Location"]) == (303, f"/i/{bot.slug}/?language=de")
    assert (await client.get(chat(anna))).status_code == 404
    assert (await enter(browser(anna), chat(anna) + f"#key={anna.token}")).status_code == 303
    assert (await anna.session()).status == SessionStatus.WAITING_ANSWER


async def test_an_invitation_that_is_closed_says_so_at_once(anna, ben):
    bot = (await ben.session()).bot
    bot.invitation_reuse = "refuse"
    await bot.asave()
    _invitation, link = await invitation_to(bot)
    first = AsyncClient()
    await enter(first, link)
    assert (await first.post(f"/i/{bot.slug}/", {"name": "Carla"})).status_code == 303
    second = await enter(browser(anna), link)
    assert second.status_code == 409
    assert "open in another browser" in second.content.decode()


@pytest.mark.parametrize("language", ["en", "it", "ru", "es", "de", "fr", "ar"])
async def test_the_page_is_in_the_language_of_the_link(anna, ben, language):
    await Session.objects.filter(pk=ben.session_id).aupdate(language=language)
    page = (await enter(browser(anna), f"{chat(ben)}#key={ben.token}")).content.decode()
    assert f'<html lang="{language}"' in page
    assert (ASKED in page) == (language == "en")


# -- the public link of a bot, with the name of a person in it


def start(bot, pid: str) -> str:
    return f"/i/{bot.slug}/?language=en&PROLIFIC_PID={pid}"


@pytest.fixture
async def panelist(bot) -> AsyncClient:
    """A browser in which 5f's interview is open."""
    client = AsyncClient()
    assert (await client.post(start(bot, "5f"), {"name": "Anna"})).status_code == 303
    return client


async def test_another_persons_public_link_leaves_the_open_interview_as_it_is(panelist, bot):
    first = await Session.objects.aget()
    page = (await panelist.get(start(bot, "6a"))).content.decode()
    assert ASKED in page and "You’ve already started" not in page
    assert f'href="{chat(Talk(first.pk))}"' in page
    assert 'value="Anna"' not in page
    cookie = panelist.cookies[PARTICIPANT_COOKIE].value
    assert (await panelist.post(start(bot, "6a"), {"name": "Ben"})).status_code == 303
    assert panelist.cookies[PARTICIPANT_COOKIE].value != cookie
    await first.arefresh_from_db()
    assert first.status == SessionStatus.WAITING_ANSWER
    assert await Participant.objects.acount() == 2
    assert {one.name async for one in Participant.objects.all()} == {"Anna", "Ben"}


async def test_the_same_holds_for_another_bot_and_over_the_api(panelist, bot):
    other = await in_database(make_bot)
    assert ASKED in (await panelist.get(start(other, "6a"))).content.decode()
    told = {"bot": bot.slug, "params": {"prolific_pid": "6a"}}
    own = {"Origin": "http://testserver"}
    begun = await panelist.post("/api/chat/start", told, "application/json", headers=own)
    assert begun.status_code == 200
    active = Session.objects.filter(status=SessionStatus.WAITING_ANSWER)
    assert await active.values("participant").distinct().acount() == 2


async def test_ones_own_public_link_asks_as_before(panelist, bot):
    for query in ("5f", ""):
        page = (await panelist.get(start(bot, query))).content.decode()
        assert "You’ve already started" in page and ASKED not in page
    await Session.objects.aupdate(status=SessionStatus.COMPLETED)
    assert ASKED not in (await panelist.get(start(bot, "6a"))).content.decode()


async def test_who_comes_to_the_same_computer_after_somebody_has_finished_is_somebody_new(
    panelist, bot
):
    await Session.objects.aupdate(status=SessionStatus.COMPLETED, ended_at=timezone.now())
    page = (await panelist.get(start(bot, "6a"))).content.decode()
    assert 'value="Anna"' not in page and ASKED not in page
    assert (await panelist.post(start(bot, "6a"), {"name": "Ben"})).status_code == 303
    assert {one.name async for one in Participant.objects.all()} == {"Anna", "Ben"}
