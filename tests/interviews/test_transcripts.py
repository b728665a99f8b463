"""What participants read again and take with them: all that was said, and nothing else."""

import re

import pytest

from interviews.models import TranscriptEntry
from interviews.turns import actions
from llm.concurrency.threads import in_database
from tests.conftest import make_bot
from tests.interviews.talk import Talk, begin

pytestmark = pytest.mark.django_db(transaction=True)
EMOJI = "Right <b>here</b> & now 👩‍👩‍👧 🏠, שלום."
TIMES = re.compile(r'<time datetime="[^"]+">([^<]+)</time>')


async def told(language: str = "en", **bot) -> Talk:
    def made():
        bot_row = make_bot(**bot)
        bot_row.scripts.update(language=language)
        bot_row.texts.create(language=language, care="Help is near: call a friend.")
        return bot_row

    talk = await begin(await in_database(made))
    await talk.say(EMOJI)
    return talk


async def read(talk: Talk, form: str) -> str:
    client = talk.browser()
    answer = await client.get(f"/s/{talk.session_id}/transcript{form}")
    assert answer.status_code == 200
    return answer.content.decode()


async def test_both_forms_hold_all_that_was_said():
    talk = await told()
    await actions.end(await talk.session(), "stop")
    text, html = await read(talk, ".txt"), await read(talk, "/")
    said = [entry.text for entry in await talk.entries()]
    assert len(said) > 3
    places = [text.index(words) for words in said]
    assert places == sorted(places)
    assert text.startswith("A test\nTesters\n")
    assert EMOJI in text
    assert "Right &lt;b&gt;here&lt;/b&gt; &amp; now 👩‍👩‍👧" in html
    for label in ("You · ", "Interviewer · Overview · ", "Interviewer · Question 1 · "):
        assert label in text
        assert label in html


async def test_nothing_internal_is_in_them():
    talk = await told()
    session = await talk.session()
    for form in (".txt", "/"):
        page = await read(talk, form)
        for internal in ("q1", "scripted_question\n", "rules", "objective", "what your first home"):
            assert internal not in page
    text = await read(talk, ".txt")
    assert str(session.pk)[:8] not in text


async def test_care_is_part_of_what_was_said():
    talk = await told()
    await talk.say("I want to kill myself.")
    for form in (".txt", "/"):
        assert "Help is near: call a friend." in await read(talk, form)


async def test_times_are_those_of_the_bot():
    talk = await told(time_zone="Asia/Kathmandu")
    at = (await talk.session()).started_at
    await in_database(
        TranscriptEntry.objects.filter(session=talk.session_id).update,
        at=at.replace(hour=20, minute=30),
    )
    text, html = await read(talk, ".txt"), await read(talk, "/")
    assert "2:15 a.m." in text  # a quarter to six hours later, on the next day
    assert "(Asia/Kathmandu)" in text
    assert "Times are in the time zone Asia/Kathmandu." in html
    assert "2:15 a.m." in TIMES.findall(html)


async def test_times_are_those_of_the_browser_that_names_its_zone():
    talk = await told(time_zone="Asia/Kathmandu")
    entries = TranscriptEntry.objects.filter(session=talk.session_id)
    at = (await talk.session()).started_at.replace(hour=20, minute=30)
    await in_database(entries.update, at=at)
    for form in (".txt", "/"):
        page = await read(talk, f"{form}?zone=America/Guyana")
        assert "4:30 p.m." in page
        assert "America/Guyana" in page
    for nonsense in ("Nowhere", "America", "../etc/passwd", ""):
        assert "(Asia/Kathmandu)" in await read(talk, f".txt?zone={nonsense}")


@pytest.mark.parametrize("zone", ["Nowhere/Land", "../etc/passwd", ""])
async def test_a_time_zone_that_is_none_is_utc(zone):
    talk = await told(time_zone=zone)
    assert "(UTC)" in await read(talk, ".txt")


async def test_an_interview_of_several_days_says_on_which_something_was_said():
    talk = await told()
    first, *_, last = await talk.entries()
    later = first.at.replace(year=first.at.year + 1, month=3, day=14)
    entries = TranscriptEntry.objects.filter(pk=last.pk)
    await in_database(entries.update, at=later)
    day = f"March 14, {later.year}"
    assert f"\n{day}\n" in await read(talk, ".txt")
    html = await read(talk, "/")
    assert html.count('<h2 class="day">') == 1
    assert f'<h2 class="day">{day}</h2>' in html


async def test_a_language_from_right_to_left_says_so_in_plain_text():
    talk = await told(language="ar")
    text, html = await read(talk, ".txt"), await read(talk, "/")
    assert 'dir="rtl"' in html
    lines = text.splitlines()
    assert all(line.startswith("\u200f") for line in (lines[0], lines[1], lines[2], lines[4]))
    assert EMOJI in lines  # their own words have no mark: they have a direction of their own
