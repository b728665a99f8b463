"""A bot is tried by its own start page: whatever its status, and nothing is counted."""

from urllib.parse import urlsplit

import pytest
from django.core import signing
from django.test import AsyncClient

from interviews.models import Consent, Session, TurnedAway
from interviews.security import access
from interviews.turns import actions
from interviews.turns.session_start import StartRequest
from llm.concurrency.threads import in_database
from plans.bots.previews import VALID, preview_path
from plans.bots.quota import quota
from plans.models.eligibility import TRY_IT
from tests.conftest import make_bot

pytestmark = pytest.mark.django_db(transaction=True)
STATES = {
    "draft": {"status": "draft"},
    "closed": {"status": "closed"},
    "full": {"quota": 0},
    "by invitation": {"invited_only": True},
    "without the link's parameter": {"link_params": [{"name": "PANEL", "required": True}]},
}


@pytest.mark.parametrize("state", STATES)
async def test_an_interview_in_preview_begins_whatever_the_state(state):
    bot = await in_database(make_bot, **STATES[state])
    path, browser = preview_path(bot), AsyncClient()
    page = (await browser.get(path)).content.decode()
    assert "This is a preview. It doesn’t count towards the study." in page

    answer = await browser.post(path, {"name": "Alex", "decision": "agreed"})

    assert answer.status_code == 303
    session = await Session.objects.aget()
    assert (session.preview, session.params) == (True, {})
    assert f"/s/{session.pk}/" in answer.headers["Location"]
    assert (await browser.get(f"/s/{session.pk}/")).status_code == 200
    assert not (await in_database(quota, bot)).taken


async def test_no_counts_as_a_preview_as_well():
    bot = await in_database(make_bot, status="draft")
    await bot.texts.acreate(language="en", consent="You can stop at any time.")
    browser = AsyncClient()
    answer = await browser.post(preview_path(bot), {"decision": "declined"})
    assert (await browser.get(answer.headers["Location"])).status_code == 200
    assert (await Consent.objects.aget()).preview


async def test_nobody_is_turned_away_while_a_tried_bot_lacks_something():
    bot = await in_database(make_bot, status="draft")
    await bot.scripts.aclear()
    page = (await AsyncClient().get(preview_path(bot))).content.decode()
    assert "This interview is closed." in page
    assert not await TurnedAway.objects.aexists()


async def test_without_a_key_of_its_own_a_draft_stays_closed(monkeypatch):
    bot = await in_database(make_bot, status="draft")
    other = await in_database(make_bot, slug="other")
    path, of_another = preview_path(bot), urlsplit(preview_path(other)).query
    for query in ("", of_another, f"{TRY_IT}={signing.dumps(bot.pk)}"):
        assert (await AsyncClient().get(f"{bot.public_path}?{query}")).status_code == 404
    assert (await AsyncClient().get(path)).status_code == 200
    later = signing.time.time() + VALID.total_seconds() + 1
    monkeypatch.setattr(signing.time, "time", lambda: later)
    assert (await AsyncClient().get(path)).status_code == 404


async def test_an_old_link_starts_no_interview_that_counts(monkeypatch):
    bot = await in_database(make_bot)
    path = preview_path(bot)
    later = signing.time.time() + VALID.total_seconds() + 1
    monkeypatch.setattr(signing.time, "time", lambda: later)
    answer = await AsyncClient().post(path, {"name": "Alex", "decision": "agreed"})
    assert answer.status_code == 404
    assert not await Session.objects.aexists()


async def test_the_start_of_who_tries_it_is_of_somebody_new():
    bot = await in_database(make_bot)
    own = await actions.start(StartRequest(bot.slug, "Ann"))
    browser = AsyncClient()
    browser.cookies[access.PARTICIPANT_COOKIE] = own.cookie
    await browser.post(preview_path(bot), {"name": "Alex", "decision": "agreed"})
    kept = await Session.objects.aget(pk=own.session_id)
    assert kept.is_active
    assert (await Session.objects.aget(preview=True)).participant_id != kept.participant_id


async def test_who_has_tried_it_takes_part_anew_in_the_same_browser():
    bot, browser = await in_database(make_bot), AsyncClient()
    await browser.post(preview_path(bot), {"name": "Alex", "decision": "agreed"})
    assert "You’ve already started" not in (await browser.get(bot.public_path)).content.decode()
    await browser.post(bot.public_path, {"name": "Alex", "decision": "agreed"})
    assert (await in_database(quota, bot)).taken == 1
    assert not (await Session.objects.aget(preview=True)).is_active
