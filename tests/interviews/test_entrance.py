"""When somebody may begin: opening and closing, hours of the day, places; and what is said else."""

from datetime import UTC, datetime, time, timedelta

import pytest
from django.test import AsyncClient
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from interviews.choices import SessionStatus
from interviews.models import Participant, Session
from interviews.recruitment.consent import ConsentChoice
from interviews.recruitment.eligibility import is_open_to_all
from interviews.recruitment.eligibility.opening_hours import (
    check_opening_hours,
    in_hours,
    next_opening,
)
from interviews.turns import actions
from interviews.turns.session_start import StartRequest
from interviews.validation import RequestRefused
from llm.concurrency.threads import in_database
from plans.models import Bot
from tests.conftest import make_bot
from tests.each import each
from tests.factories import SessionFactory
from tests.interviews.talk import begin


def bot_of(since: str, until: str, zone: str = "UTC", **more) -> Bot:
    hours = {"hours_from": time.fromisoformat(since), "hours_to": time.fromisoformat(until)}
    return Bot(status="live", time_zone=zone, **hours, **more)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@each(
    ("bot", "at", "opens"),
    [  # opens: when it opens next, or True where it is open
        (bot_of("09:00", "17:00"), "2026-03-02T09:00", True),
        (bot_of("09:00", "17:00"), "2026-03-02T16:59:59", True),
        (bot_of("09:00", "17:00"), "2026-03-02T17:00", "2026-03-03T09:00"),
        (bot_of("09:00", "17:00"), "2026-03-02T08:59:59", "2026-03-02T09:00"),
        # past midnight
        (bot_of("20:00", "02:00"), "2026-03-02T23:00", True),
        (bot_of("20:00", "02:00"), "2026-03-03T01:59", True),
        (bot_of("20:00", "02:00"), "2026-03-03T02:00", "2026-03-03T20:00"),
        (bot_of("20:00", "00:00"), "2026-03-03T00:00", "2026-03-03T20:00"),
        (bot_of("00:00", "06:00"), "2026-03-03T00:00", True),
        # by the clocks of a place
        (bot_of("09:00", "17:00", "Asia/Tokyo"), "2026-03-02T00:00", True),
        (bot_of("09:00", "17:00", "Asia/Tokyo"), "2026-03-02T08:00", "2026-03-03T00:00"),
        (bot_of("09:00", "17:00", "Pacific/Kiritimati"), "2026-03-01T19:00", True),
        (bot_of("09:00", "17:00", "America/New_York"), "2026-03-02T14:00", True),
        # Rome: clocks go forward on 29 March (02:00 is 03:00), back on 25 October (03:00 is 02:00)
        (bot_of("09:00", "17:00", "Europe/Rome"), "2026-03-28T16:00", "2026-03-29T07:00"),
        (bot_of("09:00", "17:00", "Europe/Rome"), "2026-10-24T15:00", "2026-10-25T08:00"),
        (bot_of("02:30", "04:00", "Europe/Rome"), "2026-03-29T01:00", "2026-03-29T01:30"),
        (bot_of("02:30", "04:00", "Europe/Rome"), "2026-03-29T01:59", True),
        (bot_of("02:30", "03:00", "Europe/Rome"), "2026-03-29T01:00", "2026-03-30T00:30"),
        (bot_of("01:00", "02:30", "Europe/Rome"), "2026-10-25T00:29", True),
        (bot_of("01:00", "02:30", "Europe/Rome"), "2026-10-25T00:31", "2026-10-26T00:00"),
        (bot_of("22:00", "06:00", "Europe/Rome"), "2026-10-25T04:59", True),
    ],
)
def test_hours_of_the_day(bot, at, opens):
    now = utc(at)
    assert in_hours(bot, now) == (opens is True)
    assert next_opening(bot, now) == (None if opens is True else utc(opens))


@each(
    ("more", "at", "opens"),
    [
        ({"opens_at": utc("2026-03-05T12:00")}, "2026-03-02T10:00", "2026-03-05T12:00"),
        ({"opens_at": utc("2026-03-05T20:00")}, "2026-03-02T10:00", "2026-03-06T09:00"),
        ({"closes_at": utc("2026-03-03T09:00")}, "2026-03-02T18:00", None),
        ({"closes_at": utc("2026-03-03T09:01")}, "2026-03-02T18:00", "2026-03-03T09:00"),
        ({"closes_at": utc("2026-03-01T09:01")}, "2026-03-02T18:00", None),
    ],
)
def test_hours_within_opening_and_closing(more, at, opens):
    assert next_opening(bot_of("09:00", "17:00", **more), utc(at)) == (
        utc(opens) if opens else None
    )


CLOCK = st.times().map(lambda at: at.replace(microsecond=0))
ZONES = st.sampled_from(["UTC", "Europe/Rome", "Australia/Lord_Howe", "America/St_Johns"])


@given(CLOCK, CLOCK, ZONES, st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1)))
def test_it_opens_when_it_says(since, until, zone, moment):
    bot = Bot(status="live", hours_from=since, hours_to=until, time_zone=zone)
    now = moment.replace(tzinfo=UTC)
    opens = next_opening(bot, now)
    if in_hours(bot, now):
        assert opens is None
        return
    assert now < opens <= now + timedelta(hours=50)
    assert in_hours(bot, opens)
    assert not in_hours(bot, opens - timedelta(seconds=1))


def refusal(bot: Bot, at: str) -> RequestRefused:
    with pytest.raises(RequestRefused) as refused:
        check_opening_hours(bot, None, utc(at))
    return refused.value


def test_what_is_said_names_time_and_place():
    bot = bot_of("09:00", "17:00", "America/New_York")
    said = refusal(bot, "2026-07-01T22:00")
    assert said.code == "closed_now"
    assert "July 2, 2026, 9 a.m. (New York)" in said.message
    bot.opens_at = utc("2026-08-01T15:00")
    said = refusal(bot, "2026-07-01T22:00")
    assert said.code == "not_open"
    assert "Aug. 1, 2026, 11 a.m. (New York)" in said.message
    bot.status = "closed"
    assert refusal(bot, "2026-07-01T22:00").message == "This interview isn’t open right now."


# -- places


def counted(bot: Bot, *statuses: str, **more) -> None:
    for status in statuses:
        SessionFactory(bot=bot, status=status, **more)


@pytest.mark.django_db(transaction=True)
async def test_who_counts(bot):
    def fill():
        counted(bot, "COMPLETED", "STOPPED", "WAITING_ANSWER", "PAUSED")
        counted(bot, "ARCHIVED", "WITHDRAWN")
        counted(bot, "COMPLETED", preview=True)
        counted(bot, "COMPLETED", synthetic=True)
        counted(make_bot(), "COMPLETED")

    await in_database(fill)
    await Bot.objects.filter(pk=bot.pk).aupdate(quota=5)
    await begin(bot)
    with pytest.raises(RequestRefused) as refused:
        await begin(bot)
    assert refused.value.code == "full"
    await Session.objects.filter(status="PAUSED").aupdate(status="WITHDRAWN")
    await begin(bot)


@pytest.mark.django_db(transaction=True)
async def test_who_has_begun_goes_on_and_may_begin_anew(bot):
    await Bot.objects.filter(pk=bot.pk).aupdate(quota=1)
    client = AsyncClient()
    first = await client.post(f"/i/{bot.slug}/", {"name": "Ann"})
    page = (await client.get(f"/i/{bot.slug}/")).content.decode()
    assert "You’ve already started" in page
    stranger = (await AsyncClient().get(f"/i/{bot.slug}/")).content.decode()
    assert "All places in this interview are taken" in stranger
    again = await client.post(f"/i/{bot.slug}/", {"name": "Ann"})
    assert again.status_code == 303
    assert again["Location"] != first["Location"]
    assert await Session.objects.filter(status=SessionStatus.ARCHIVED).acount() == 1


@pytest.mark.django_db(transaction=True)
async def test_previews_take_no_place_and_need_none(bot):
    await Bot.objects.filter(pk=bot.pk).aupdate(quota=1)
    await begin(bot, preview=True)
    await begin(bot)
    await begin(bot, preview=True)
    assert await Session.objects.acount() == 3


# -- what the pages say


async def get(bot: Bot, query: str = "language=en", client: AsyncClient | None = None):
    return await (client or AsyncClient()).get(f"/i/{bot.slug}/?{query}")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("changes", "says", "code"),
    [
        ({"status": "closed"}, "This interview is closed.", "C-1"),
        ({"closes_at": utc("2020-01-01T00:00")}, "This interview is closed.", "C-1"),
        ({"quota": 1}, "All places in this interview are taken", "F-1"),
        ({"opens_at": utc("2099-01-01T12:00")}, "opens on Jan. 1, 2099, 1 p.m. (Rome time)", ""),
        ({"invited_only": True}, "by invitation only", ""),
    ],
)
async def test_why_nobody_can_begin(bot, changes, says, code):
    outcomes = {
        "full": {"code": "F-1", "url": "https://panel.example.org/f?p={PROLIFIC_PID}"},
        "closed": {"code": "C-1"},
    }
    await begin(bot)
    fields = {"outcomes": outcomes, "time_zone": "Europe/Rome", **changes}
    await Bot.objects.filter(pk=bot.pk).aupdate(**fields)
    page = await get(bot, "language=en&prolific_pid=5f")
    text = page.content.decode()
    assert page.status_code == 200
    assert says in text
    assert ("F-1" in text, "C-1" in text) == (code == "F-1", code == "C-1")
    assert ("https://panel.example.org/f?p=5f" in text) == (code == "F-1")
    assert "<form" not in text
    sent = await AsyncClient().post(f"/i/{bot.slug}/", {"name": "Ann"})
    assert sent.status_code == 403
    assert await Session.objects.acount() == 1


@pytest.mark.django_db(transaction=True)
async def test_out_of_hours_in_the_visitors_language(bot, monkeypatch):
    hours = {"hours_from": time(9), "hours_to": time(17), "time_zone": "Europe/Rome"}
    await Bot.objects.filter(pk=bot.pk).aupdate(**hours)
    client = AsyncClient()
    monkeypatch.setattr(timezone, "now", lambda: utc("2026-07-01T10:00"))
    begun = await client.post(f"/i/{bot.slug}/", {"name": "Ann"})
    assert begun.status_code == 303
    monkeypatch.setattr(timezone, "now", lambda: utc("2026-07-01T20:00"))
    page = (await get(bot)).content.decode()
    assert "closed right now" in page
    assert "July 2, 2026, 9 a.m. (Rome time)" in page
    own = (await get(bot, client=client)).content.decode()
    assert "Continue your interview" in own
    chat = begun["Location"].partition("#")[0]
    assert (await client.get(chat)).status_code == 200
    assert "A test" not in (await AsyncClient().get("/")).content.decode()
    told = await AsyncClient().post(
        "/api/chat/start", {"bot": bot.slug}, content_type="application/json"
    )
    assert (told.status_code, told.json()["error"]) == (403, "closed_now")


@pytest.mark.django_db(transaction=True)
async def test_refusals_are_told_in_the_callers_language(bot):
    await Bot.objects.filter(pk=bot.pk).aupdate(status="closed")
    told = await AsyncClient().post(
        "/api/chat/start",
        {"bot": bot.slug},
        content_type="application/json",
        headers={"Accept-Language": "it"},
    )
    assert told.json()["message"] != "This interview isn’t open right now."


# -- which bots are shown


SHUT = {
    "closed": {"status": "closed"},
    "not yet": {"opens_at": utc("2099-01-01T12:00")},
    "no longer": {"closes_at": utc("2020-01-01T00:00")},
    "out of hours": {"hours_from": time(9), "hours_to": time(17)},
    "full": {"quota": 1},
    "by invitation": {"invited_only": True},
}


async def listed() -> tuple[set[str], set[str]]:
    """The bots that the first page and the API show."""
    first_page = (await AsyncClient().get("/")).content.decode()
    api = await AsyncClient().get("/api/bots")
    slugs = {slug async for slug in Bot.objects.values_list("slug", flat=True)}
    return {slug for slug in slugs if f"/i/{slug}/" in first_page}, {
        bot["slug"] for bot in api.json()
    }


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("why", SHUT)
async def test_only_bots_that_anybody_can_begin_with_are_shown(bot, monkeypatch, why):
    await begin(bot)
    await Bot.objects.filter(pk=bot.pk).aupdate(quota=2)
    monkeypatch.setattr(timezone, "now", lambda: utc("2026-07-01T20:00"))
    assert await listed() == ({bot.slug}, {bot.slug})
    await Bot.objects.filter(pk=bot.pk).aupdate(**SHUT[why])
    assert await listed() == (set(), set())
    refused = await AsyncClient().post(f"/i/{bot.slug}/", {"name": "Ann"})
    assert refused.status_code == 403


@pytest.mark.django_db
def test_whether_one_may_begin_is_asked_of_the_rows_only_where_places_are_counted(
    bot, django_assert_num_queries
):
    with django_assert_num_queries(0):
        assert is_open_to_all(bot, timezone.now())
    bot.quota = 1
    with django_assert_num_queries(1):
        assert is_open_to_all(bot, timezone.now())


# -- in which language


async def begun_by(bot: Bot, query: str, accept: str, **form) -> tuple[str, str]:
    client, headers = AsyncClient(), {"Accept-Language": accept}
    page = (await client.get(f"/i/{bot.slug}/?{query}", headers=headers)).content.decode()
    fields = {
        name: page.partition(f'name="{name}" value="')[2].partition('"')[0]
        for name in ("language", "language_source", "consent")
    }
    sent = await client.post(f"/i/{bot.slug}/?{query}", fields | form, headers=headers)
    assert sent.status_code == 303
    session = await Session.objects.order_by("started_at").alast()
    return session.language, session.language_source


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("query", "accept", "found"),
    [
        ("language=it&chosen=1", "en", ("it", "choice")),
        ("language=it", "en", ("it", "link")),
        ("", "it-CH,it;q=0.9", ("it", "browser")),
        ("", "xx,it;q=0.5,*;q=0.1", ("it", "browser")),
        ("", "", ("en", "bot")),
        ("", "ja", ("en", "bot")),
        ("language=ja", "it", ("it", "browser")),
        ("language=%00%ED%A0%80", "", ("en", "bot")),
    ],
)
async def test_how_the_language_was_found(bot, query, accept, found):
    def speak_italian():
        bot.scripts.add(make_bot().scripts.get())
        bot.scripts.exclude(name="Script 1").update(language="it")

    await in_database(speak_italian)
    assert await begun_by(bot, query, accept) == found
    assert (await Session.objects.alast()).params == {}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("named", "accept", "found"),
    [
        ("de", "en", ("de", "")),
        ("", "ja,en;q=0.5", ("en", "browser")),
        ("", "*", ("de", "bot")),
        ("", "", ("de", "bot")),
        ("ja", "", ("de", "bot")),
    ],
)
async def test_how_the_language_of_a_programs_interview_was_found(bot, named, accept, found):
    def speak_german_first():
        bot.scripts.add(make_bot().scripts.get())
        bot.scripts.filter(name="Script 1").update(language="de")

    await in_database(speak_german_first)
    asked = {"participant_name": "Ann", "bot": bot.slug, "language": named}
    sent = await AsyncClient().post(
        "/api/chat/start", asked, "application/json", headers={"Accept-Language": accept}
    )
    session = await Session.objects.aget(pk=sent.json()["session_id"])
    assert (session.language, session.language_source) == found


@pytest.mark.django_db(transaction=True)
async def test_a_program_that_names_the_language_is_believed(bot):
    talk = await begin(bot, language="en", consent=ConsentChoice(True))
    session = await talk.session()
    assert (session.language, session.language_source) == ("en", "")


@pytest.mark.django_db(transaction=True)
async def test_a_refused_start_leaves_nothing(bot):
    await Bot.objects.filter(pk=bot.pk).aupdate(quota=1)
    await begin(bot)
    with pytest.raises(RequestRefused):
        await actions.start(StartRequest(bot.slug, "Ben"))
    assert not await Participant.objects.filter(name="Ben").aexists()
