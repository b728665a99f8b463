"""What people agree to: the version that they saw, kept with the interview; or declined, alone."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import AsyncClient

from interviews.exports.selection import Selection
from interviews.models import Consent, ConsentText, Participant, Session
from interviews.recruitment import consent as consenting
from interviews.recruitment.consent import (
    ConsentChoice,
    ConsentWording,
    consent_wording,
    paradata_notice,
    reader_notice,
)
from interviews.turns import actions
from interviews.turns.session_start import StartRequest
from interviews.turns.withdrawal import withdraw
from interviews.validation import RequestRefused
from llm.concurrency.threads import in_database
from plans.models import Bot, BotText, Experiment
from tests.interviews.exports.reading import read
from tests.interviews.talk import begin

pytestmark = pytest.mark.django_db(transaction=True)
FIELD = re.compile(r'name="consent" value="([0-9a-f]*)"')
AGREED = {"decision": "agreed"}
WORDS = "What you write is kept for five years.\n\nYou may stop <at any time>."


@pytest.fixture
def asking(bot) -> Bot:
    """A bot with words to agree to."""
    BotText.objects.create(bot=bot, language="en", consent=WORDS)
    return bot


def at(bot: Bot, query: str = "language=en") -> str:
    return f"/i/{bot.slug}/?{query}"


async def shown(client: AsyncClient, link: str) -> tuple[str, str]:
    """The page, and the version that it shows."""
    page = (await client.get(link)).content.decode()
    return page, FIELD.search(page)[1]


async def test_the_agreed_version_is_kept_with_the_session(asking):
    client = AsyncClient()
    page, version = await shown(client, at(asking))
    assert "Agree and start" in page
    assert "No, thanks" in page
    assert "You may stop &lt;at any time&gt;." in page
    assert "how long each answer takes" in page
    begun = await client.post(at(asking), {"decision": "agreed", "consent": version})
    assert begun.status_code == 303
    consent = await Consent.objects.select_related("text", "session", "bot").aget()
    session = await Session.objects.aget()
    assert (consent.session_id, consent.bot_id, consent.decision) == (
        session.pk,
        asking.pk,
        "agreed",
    )
    assert consent.at == session.started_at
    assert consent.text.digest == version
    assert consent.text.text.startswith(WORDS)
    assert "how long each answer takes" in consent.text.text


async def test_two_people_agree_to_one_version(asking):
    for _ in range(2):
        client = AsyncClient()
        _page, version = await shown(client, at(asking))
        await client.post(at(asking), AGREED | {"consent": version})
    assert await ConsentText.objects.acount() == 1
    assert await Consent.objects.acount() == 2


@pytest.mark.parametrize("sent", [{}, {"consent": ""}, {"consent": "0" * 64}, {"consent": "é\x00"}])
async def test_nothing_begins_without_the_agreed_version(asking, sent):
    page = await AsyncClient().post(at(asking), AGREED | {"name": "Ann"} | sent)
    assert page.status_code == 409
    assert "has changed" in page.content.decode()
    assert not await Session.objects.aexists()
    assert not await Participant.objects.aexists()
    assert not await Consent.objects.aexists()


@pytest.mark.parametrize("decision", [{}, {"decision": ""}, {"decision": "yes"}])
async def test_only_the_button_agrees(asking, decision):
    client = AsyncClient()
    _page, version = await shown(client, at(asking))
    again = await client.post(at(asking), {"name": "Ann", "consent": version, **decision})
    assert again.status_code == 200
    assert 'value="Ann"' in again.content.decode()
    assert not await Session.objects.aexists()
    assert not await Consent.objects.aexists()


async def test_words_changed_in_between_are_shown_again(asking):
    client = AsyncClient()
    _page, before = await shown(client, at(asking))
    await BotText.objects.filter(bot=asking).aupdate(consent="Kept for ten years.")
    again = await client.post(at(asking), AGREED | {"name": "Ann", "consent": before})
    page = again.content.decode()
    assert again.status_code == 409
    assert "Kept for ten years." in page
    assert 'value="Ann"' in page
    now = FIELD.search(page)[1]
    assert now != before
    assert (await client.post(at(asking), AGREED | {"consent": now})).status_code == 303
    assert (await Consent.objects.select_related("text").aget()).text.digest == now


async def test_so_are_words_that_have_gone_or_come(bot):
    client = AsyncClient()
    page, none = await shown(client, at(bot))
    assert none == ""
    assert "No, thanks" not in page
    await BotText.objects.acreate(bot=bot, language="en", consent=WORDS)
    assert (await client.post(at(bot), AGREED | {"consent": none})).status_code == 409
    _page, version = await shown(client, at(bot))
    await BotText.objects.filter(bot=bot).aupdate(consent="")
    assert (await client.post(at(bot), AGREED | {"consent": version})).status_code == 409
    assert (await client.post(at(bot), AGREED | {"consent": ""})).status_code == 303
    assert not await Consent.objects.aexists()


async def test_what_is_measured_belongs_to_the_words(asking):
    client = AsyncClient()
    _page, before = await shown(client, at(asking))
    await Bot.objects.filter(pk=asking.pk).aupdate(keeps_paradata=False)
    page, after = await shown(client, at(asking))
    assert "how long each answer takes" not in page
    assert before != after


async def test_where_nothing_is_agreed_to_it_is_told_all_the_same(bot):
    page, _version = await shown(AsyncClient(), at(bot))
    assert "how long each answer takes" in page
    await Bot.objects.filter(pk=bot.pk).aupdate(keeps_paradata=False)
    page, _version = await shown(AsyncClient(), at(bot))
    assert "how long each answer takes" not in page


def test_the_same_words_in_another_language_are_another_version():
    assert ConsentWording("Sì.", "it").digest != ConsentWording("Sì.", "es").digest
    assert ConsentWording("", "it").digest == ""
    bot = Bot(keeps_paradata=True)
    italian = consent_wording(bot, BotText(bot=bot, language="it", consent="Va bene."))
    assert italian.language == "it"
    notices = f"{reader_notice('it')}\n\n{paradata_notice(bot, 'it')}"
    assert italian.text == f"Va bene.\n\n{notices}"


# -- declining


async def decline(client: AsyncClient, bot: Bot, query: str = "language=en") -> str:
    """Declines on the page; the address of the page after it."""
    _page, version = await shown(client, at(bot, query))
    sent = await client.post(at(bot, query), {"decision": "declined", "consent": version})
    assert sent.status_code == 303
    return sent["Location"]


async def test_of_who_declines_nothing_else_is_kept(asking):
    client = AsyncClient()
    where = await decline(client, asking, "language=en&PROLIFIC_PID=5f")
    consent = await Consent.objects.select_related("text").aget()
    assert (consent.decision, consent.session_id, consent.bot_id) == ("declined", None, asking.pk)
    assert consent.text.text.startswith(WORDS)
    assert not await Session.objects.aexists()
    assert not await Participant.objects.aexists()
    page = (await client.get(where)).content.decode()
    assert "You’ve chosen not to take part" in page
    assert "I’ve changed my mind" in page
    assert "outcome-code" not in page


async def test_the_code_is_shown_and_stays_whatever_is_changed(asking):
    asking.outcomes = {"declined": {"code": "NO-1"}}
    await in_database(asking.save)
    client = AsyncClient()
    where = await decline(client, asking)
    assert "NO-1" in (await client.get(where)).content.decode()
    await Bot.objects.filter(pk=asking.pk).aupdate(outcomes={"declined": {"code": "NO-2"}})
    for _ in range(2):
        page = await client.get(where)
        assert "NO-1" in page.content.decode()
        assert page["Cache-Control"] == "no-store"
    assert await Consent.objects.acount() == 1


async def test_the_way_back_to_the_panel_holds_its_parameters(asking):
    url = "https://panel.example.org/no?p={PROLIFIC_PID}&s={STUDY_ID}"
    asking.outcomes = {"declined": {"url": url}}
    await in_database(asking.save)
    client = AsyncClient()
    where = await decline(client, asking, "language=en&prolific_pid=5f%26x%3D1&STUDY_ID=%2Fs")
    page = (await client.get(where)).content.decode()
    assert 'href="https://panel.example.org/no?p=5f%26x%3D1&amp;s=%2Fs"' in page
    renamed = [{"name": "panelist", "aliases": ["PROLIFIC_PID"]}]
    await Bot.objects.filter(pk=asking.pk).aupdate(link_params=renamed)
    same = (await client.get(where)).content.decode()
    assert 'href="https://panel.example.org/no?p=5f%26x%3D1&amp;s=%2Fs"' in same
    await Bot.objects.filter(pk=asking.pk).aupdate(link_params=[])
    back = re.search(r'href="(/i/[^"]+)">I’ve changed', page)[1].replace("&amp;", "&")
    assert parse_qs(urlsplit(back).query)["PROLIFIC_PID"] == ["5f&x=1"]
    _page, version = await shown(client, back)
    assert (await client.post(back, AGREED | {"consent": version})).status_code == 303
    assert (await Session.objects.aget()).params == {"PROLIFIC_PID": "5f&x=1", "STUDY_ID": "/s"}


async def test_who_declines_an_experiment_comes_back_to_it(asking):
    def trial() -> None:
        made = Experiment.objects.create(seed=7, status="live", slug="trial", title="Trial")
        for name in "AB":
            made.arms.create(name=name, bot=asking)

    await in_database(trial)
    client, link = AsyncClient(), "/e/trial/?language=en&PROLIFIC_PID=5f"
    _page, version = await shown(client, link)
    sent = await client.post(link, {"decision": "declined", "consent": version})
    page = (await client.get(sent["Location"])).content.decode()
    back = re.search(r'href="([^"]+)">I’ve changed', page)[1].replace("&amp;", "&")
    assert urlsplit(back).path == "/e/trial/"
    assert (await client.post(back, AGREED | {"consent": version})).status_code == 303
    assert await Session.objects.filter(assignment__arm__experiment__slug="trial").aexists()


@pytest.mark.parametrize("sign", ["", "shown=", "shown=e30:1abc:def", "shown=%00"])
async def test_the_code_is_only_for_who_has_declined(asking, sign):
    asking.outcomes = {"declined": {"code": "NO-1"}}
    await in_database(asking.save)
    page = await AsyncClient().get(f"/i/{asking.slug}/declined/?{sign}")
    assert page.status_code == 303
    assert page["Location"].startswith(f"/i/{asking.slug}/?")
    other = await in_database(lambda: Bot.objects.create(slug="other", title="O", status="closed"))
    where = await decline(AsyncClient(), asking)
    elsewhere = where.replace(asking.slug, other.slug)
    assert (await AsyncClient().get(elsewhere)).status_code == 303


async def test_declined_words_are_those_that_were_shown(asking):
    client = AsyncClient()
    _page, old = await shown(client, at(asking))
    await client.post(at(asking), AGREED | {"consent": old})
    await BotText.objects.filter(bot=asking).aupdate(consent="Kept for ten years.")
    await AsyncClient().post(at(asking), {"decision": "declined", "consent": old})
    last = await Consent.objects.select_related("text").afirst()
    assert (last.decision, last.text.digest) == ("declined", old)


async def test_a_closed_bot_takes_no_decisions(asking):
    await Bot.objects.filter(pk=asking.pk).aupdate(status="closed")
    page = await AsyncClient().post(at(asking), {"decision": "declined"})
    assert page.status_code == 403
    assert not await Consent.objects.aexists()


# -- by the API


async def start(bot: Bot, **more):
    data = {"bot": bot.slug, **more}
    return await AsyncClient().post("/api/chat/start", data, content_type="application/json")


async def test_the_api_keeps_what_is_true_and_false_and_nothing_of_null(asking):
    assert (await start(asking)).status_code == 200
    assert (await start(asking, consent=None)).status_code == 200
    assert not await Consent.objects.aexists()
    begun = await start(asking, consent=True)
    consent = await Consent.objects.select_related("text").aget()
    assert str(consent.session_id) == begun.json()["session_id"]
    refused = await start(asking, consent=False)
    assert (refused.status_code, refused.json()["error"]) == (403, "declined")
    assert await Consent.objects.filter(decision="declined", session=None).acount() == 1
    assert await Session.objects.acount() == 3


async def test_the_api_says_what_consent_means():
    described = (await AsyncClient().get("/api/openapi.json")).json()
    text = described["components"]["schemas"]["StartIn"]["properties"]["consent"]["description"]
    assert "declined" in text


async def test_declining_where_nothing_is_asked_keeps_nothing(bot):
    assert (await start(bot, consent=False)).status_code == 403
    assert not await Consent.objects.aexists()


# -- afterwards


async def test_the_session_and_its_consent_are_stored_together(asking, monkeypatch):
    def broken(*args):
        raise RuntimeError("power cut")

    monkeypatch.setattr("interviews.turns.session_start.record_agreement", broken)
    with pytest.raises(RuntimeError):
        await begin(asking, consent=ConsentChoice(True))
    assert not await Session.objects.aexists()
    assert not await Participant.objects.aexists()


async def test_withdrawing_takes_the_consent_along(asking):
    talk = await begin(asking, consent=ConsentChoice(True))
    await in_database(withdraw, await talk.session())
    assert not await Consent.objects.aexists()
    assert await ConsentText.objects.aexists()


async def test_the_exports(asking):
    await begin(asking, consent=ConsentChoice(True), language="en", language_source="link")
    await begin(asking)
    with pytest.raises(RequestRefused):
        await actions.start(StartRequest(asking.slug, "", consent=ConsentChoice(False)))
    first, second = await in_database(read, "sessions")
    version = (await ConsentText.objects.aget()).version
    assert (first["consent_version"], first["language_by"]) == (version, "link")
    assert first["consented_at"] == first["started_at"]
    assert second["consent_version"] == second["consented_at"] == ""
    agreed, no = await in_database(read, "consents")
    assert (agreed["decision"], agreed["version"], agreed["bot"]) == (
        "agreed",
        version,
        asking.slug,
    )
    assert (no["decision"], no["language"], no["preview"]) == ("declined", "en", "false")
    assert no["text"].startswith("What you write")

    async def decisions(**chosen) -> list[str]:
        rows = await in_database(read, "consents", chosen=Selection(**chosen))
        return [row["decision"] for row in rows]

    assert await decisions(bot=asking.pk) == ["agreed", "declined"]
    assert await decisions(bot=asking.pk + 1) == []
    assert await decisions(language="ru") == []
    assert await decisions(statuses=("WAITING_ANSWER",)) == ["agreed"]


async def test_previews_and_synthetic_ones_come_only_when_asked_for(asking):
    await begin(asking, consent=ConsentChoice(True), preview=True)
    await begin(asking, consent=ConsentChoice(True), synthetic=True)
    with pytest.raises(RequestRefused):
        await actions.start(StartRequest(asking.slug, "", consent=ConsentChoice(False)))

    async def count(**chosen) -> int:
        return len(await in_database(read, "consents", chosen=Selection(**chosen)))

    assert await count() == 1
    assert await count(previews=True) == 2
    assert await count(synthetic=True) == 2


def test_nothing_to_agree_to_is_no_version():
    assert (
        consenting.consent_wording(Bot(), BotText(language="en", consent="  \n"))
        == ConsentWording()
    )
