"""Parameters of links: whatever their spelling, under one name; bounded; required ones told."""

from urllib.parse import urlencode

import pytest
from django.test import AsyncClient
from hypothesis import given
from hypothesis import strategies as st

from interviews.models import Session
from interviews.recruitment import panel_parameters
from interviews.recruitment.invitations.changes import invite
from interviews.recruitment.invitations.people_file import Invitee
from interviews.recruitment.invitations.redeem import new_path
from interviews.recruitment.panel_parameters import canonical_params, is_unusable, missing_params
from interviews.validation import RequestRefused
from llm.concurrency.threads import in_database
from plans.models import Bot
from plans.models.eligibility import LinkParam
from tests.assessments import make_assessment_bot
from tests.each import each
from tests.interviews.talk import begin

PANELIST = {"name": "PANELIST", "aliases": ["pid", "panel-id", "RESP[]"], "required": True}
WAVE = {"name": "Wave", "aliases": [], "required": False}
NAMING = Bot(link_params=[PANELIST, WAVE])
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=1500)


@each(
    ("came", "kept"),
    [
        ({"PROLIFIC_PID": "5f"}, {"PROLIFIC_PID": "5f"}),
        (
            {"prolific_pid": "5f", "Study_Id": "s", "session_ID": "x"},
            {"PROLIFIC_PID": "5f", "STUDY_ID": "s", "SESSION_ID": "x"},
        ),
        ({"PID": "7"}, {"PANELIST": "7"}),
        ({"Panel-ID": "7", "wave": "2"}, {"PANELIST": "7", "Wave": "2"}),
        ({"resp[]": "7"}, {"PANELIST": "7"}),
        ({"pid": "", "panelist": "8"}, {"PANELIST": "8"}),
        ({"pid": "first", "PANELIST": "second"}, {"PANELIST": "first"}),
        ({"source": "mail", "Source": "web"}, {"source": "mail", "Source": "web"}),
        ({"language": "it", "chosen": "1", "shown": "x", "a": ""}, {"a": ""}),
        ({"a\x00b": "1\x00\x07", "c": "\ud800"}, {"a b": "1", "c": "\ufffd"}),
        ({" pid ": " 9 "}, {"PANELIST": "9"}),
        ({"pid": "\u200b5f\u2028\ufeff"}, {"PANELIST": "5f"}),
        ({"pid": "\u200b\u3164"}, {}),
        ({"": "x", "\x00": "y"}, {}),
    ],
)
def test_names_are_known_however_they_are_spelled(came, kept):
    assert canonical_params(NAMING, came) == kept


def test_a_bot_may_name_a_panels_parameter_itself():
    own = {"name": "Prolific_Pid", "aliases": ["pid"], "required": True}
    bot = Bot(link_params=[own])
    assert canonical_params(bot, {"PROLIFIC_PID": "5f"}) == {"Prolific_Pid": "5f"}
    assert canonical_params(bot, {"pid": "5f"}) == {"Prolific_Pid": "5f"}


def test_a_bot_may_call_a_parameter_preview():
    bot = Bot(link_params=[{"name": "preview", "aliases": [], "required": True}])
    assert canonical_params(bot, {"Preview": "1"}) == {"preview": "1"}


def test_known_ones_are_kept_before_all_others():
    flood = {f"x{n}": "y" for n in range(400)} | {"pid": "7", "STUDY_ID": "s"}
    kept = canonical_params(NAMING, flood)
    assert len(kept) == panel_parameters.MOST
    assert (kept["PANELIST"], kept["STUDY_ID"]) == ("7", "s")


@given(st.dictionaries(ANY_TEXT, ANY_TEXT, max_size=80))
def test_whatever_comes_is_bounded_and_can_be_stored(came):
    kept = canonical_params(NAMING, came)
    assert len(kept) <= panel_parameters.MOST
    for name, value in kept.items():
        assert 0 < len(name) <= panel_parameters.LONGEST_NAME
        assert len(value) <= panel_parameters.LONGEST_VALUE
        assert "\x00" not in name + value
        (name + value).encode()
    assert canonical_params(NAMING, kept) == kept


def test_required_ones_that_are_missing():
    assert missing_params(NAMING, {}) == ["PANELIST"]
    assert missing_params(NAMING, canonical_params(NAMING, {"pid": ""})) == ["PANELIST"]
    assert missing_params(NAMING, canonical_params(NAMING, {"pid": "7"})) == []
    assert missing_params(Bot(), {}) == []


UNFILLED = [
    *(
        "{{%PROLIFIC_PID%}}",
        "${e://Field/PROLIFIC_PID}",
        "[ID]",
        "%%ID%%",
        "{ID}",
        "<ID>",
        "__ID__",
    ),
    *("{{ ID }}", "%ID%", "[[ID]]", "[%ID%]", "{%ID%}", "#{ID}", "$ID", "«ID»", "<%= id %>", "{}"),
    *("%7B%7B%25PROLIFIC_PID%25%7D%7D", "%5BID%5D", "%255BID%255D", "%3CID%3E", "p-{{ID}}-2"),
    *("[", "null", "undefined", "%\ufffdTE%%"),
]
FILLED = [
    *(
        "5f",
        "60a1b2c3d4e5f6a7b8c9d0e1",
        "a_b",
        "__x",
        "a[1]",
        "x{1",
        "100%",
        "50%25",
        "a<b>c",
        "№ 7",
    ),
    *("{3F2504E0-4F89-11D3-9A0C-0305E82C3301}", "nullify", "C#", "a@b", ""),
]
PID = LinkParam(name="PROLIFIC_PID", once=True)


@each("value", [*UNFILLED, "ann@example.org", " Ann <ann@example.org> ", "ann%40example.org"])
def test_what_nobody_filled_in_and_an_address_are_no_id(value):
    assert is_unusable(PID, value)


@each("value", FILLED)
def test_any_other_id_is_one(value):
    assert not is_unusable(PID, value)


def test_what_names_nobody_may_be_an_address():
    assert not is_unusable(LinkParam(name="contact"), "ann@example.org")


def test_an_unusable_value_stays_until_another_spelling_has_a_better_one():
    assert canonical_params(NAMING, {"pid": "[ID]"}) == {"PANELIST": "[ID]"}
    assert canonical_params(NAMING, {"pid": "[ID]", "panelist": "8"}) == {"PANELIST": "8"}
    assert missing_params(NAMING, {"PANELIST": "[ID]", "Wave": "{W}", "SESSION_ID": "{S}"}) == [
        *("PANELIST", "Wave", "SESSION_ID")
    ]


# -- on the page and by the API


@pytest.fixture
def panel(transactional_db, bot) -> Bot:
    bot.link_params = [PANELIST]
    bot.save()
    return bot


async def test_the_page_stores_the_known_name(panel):
    client = AsyncClient()
    link = f"/i/{panel.slug}/?panel-ID=7f&PROLIFIC_pid=p&wave=2&language=en"
    page = (await client.get(link)).content.decode()
    assert "incomplete" not in page
    assert (await client.post(link, {"name": "Ann"})).status_code == 303
    session = await Session.objects.aget()
    assert session.params == {"PANELIST": "7f", "PROLIFIC_PID": "p", "wave": "2"}


async def test_an_incomplete_link_is_told_kindly_and_begins_nothing(panel):
    client = AsyncClient()
    link = f"/i/{panel.slug}/?PANELIST="
    page = (await client.get(link)).content.decode()
    assert "This link is incomplete" in page
    assert '<code dir="ltr">PANELIST</code>' in page
    assert "<form" not in page
    assert (await client.post(link, {"name": "Ann"})).status_code == 422
    assert not await Session.objects.aexists()


@pytest.mark.parametrize("name", ["PANELIST", "PROLIFIC_PID", "STUDY_ID", "SESSION_ID"])
async def test_a_link_that_nobody_filled_in_begins_nothing(panel, name):
    client = AsyncClient()
    given = {"PANELIST": "7", name: "{{%ID%}}"}
    link = f"/i/{panel.slug}/?{urlencode({'language': 'en', **given})}"
    for _twice in range(2):  # the second person isn't the first one
        page = await client.get(link)
        assert page.status_code == 200
        assert "This link is incomplete" in page.content.decode()
        assert f'<code dir="ltr">{name}</code>' in page.content.decode()
        assert (await client.post(link, {"name": "Ann"})).status_code == 422
        asked = {"bot": panel.slug, "params": given}
        refused = await client.post("/api/chat/start", asked, content_type="application/json")
        assert (refused.status_code, refused.json()["error"]) == (422, "incomplete_link")
    assert not await Session.objects.aexists()


async def test_nobody_is_taken_for_another_by_what_is_no_id(panel):
    client = AsyncClient()
    link = f"/i/{panel.slug}/?language=en&PANELIST=7&PROLIFIC_PID="
    assert (await client.post(f"{link}5f", {"name": "Ann"})).status_code == 303
    for value in ("[ID]", "ann@example.org"):
        assert (await client.post(link + value, {"name": "Ben"})).status_code == 422
        page = (await client.get(link + value)).content.decode()
        assert "Continue your interview" in page
        assert "somebody else" not in page


async def test_the_api_is_told_alike(panel):
    client = AsyncClient()

    async def start(**came):
        data = {"bot": panel.slug, "params": came}
        return await client.post("/api/chat/start", data, content_type="application/json")

    refused = await start(STUDY_ID="s")
    assert (refused.status_code, refused.json()["error"]) == (422, "incomplete_link")
    assert "PANELIST" in refused.json()["message"]
    assert (await start(pid=7, study_id="s")).status_code == 200
    assert (await Session.objects.aget()).params == {"PANELIST": "7", "STUDY_ID": "s"}
    assert (await start(pid=["7", "8"])).status_code == 422


@pytest.mark.parametrize(
    "query",
    [
        "pid=7&big=" + "a" * 1_000_000,
        "pid=7&" + "&".join(f"k{n}={n}" for n in range(1500)),
        "pid=7&pid=7&pid[]=8&pid[a]=9&%00=1&a%00=%00",
        "pid=7&x=%ED%A0%80&%FF=%FE",
        "pid=7&&&=&==&;",
    ],
)
async def test_hostile_links_begin_an_ordinary_interview(panel, query):
    client = AsyncClient()
    link = f"/i/{panel.slug}/?{query}"
    page = await client.get(link)
    assert page.status_code == 200
    assert len(page.content) < 60_000
    assert (await client.post(link, {"name": "Ann"})).status_code == 303
    kept = (await Session.objects.aget()).params
    assert kept["PANELIST"] == "7"
    assert len(kept) <= panel_parameters.MOST
    assert max(map(len, kept.values())) <= panel_parameters.LONGEST_VALUE


async def test_what_stands_in_an_invitation_is_not_asked_of_its_link(panel):
    made = (await in_database(invite, panel, [Invitee(params={"pid": "known-7f"})]))[0]
    path, _, secret = (await in_database(new_path, made)).partition("#key=")
    client = AsyncClient()
    await client.post(f"{path}enter/", {"key": secret})
    page = (await client.get(f"/i/{panel.slug}/?language=en")).content.decode()
    assert "incomplete" not in page
    assert "known-7f" not in page  # it is nobody's business what is known of them
    assert (await client.post(f"/i/{panel.slug}/", {"name": "Ann"})).status_code == 303
    assert (await Session.objects.aget()).params == {"PANELIST": "known-7f"}


async def test_previews_need_none(panel):
    talk = await begin(panel, preview=True)
    assert (await talk.session()).params == {}
    with pytest.raises(RequestRefused) as refused:
        await begin(panel)
    assert refused.value.code == "incomplete_link"


async def test_start_fields_are_told_by_the_link_in_any_spelling(panel):
    panel.link_params = [{"name": "WAVE", "aliases": ["w"], "required": True}]
    await in_database(panel.save)
    await begin(panel, params={"w": "3"})
    assert (await Session.objects.aget()).params == {"WAVE": "3"}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("query", "kept"),
    [("", "Nine years."), ("experience=", "Nine years."), ("experience=Two", "Two")],
)
async def test_what_a_link_leaves_empty_is_told_by_the_page(query, kept):
    bot = await in_database(make_assessment_bot)
    link = f"/i/{bot.slug}/?{query}"
    begun = await AsyncClient().post(link, {"name": "Ann", "experience": "Nine years."})
    assert begun.status_code == 303
    assert (await Session.objects.aget()).start_answers == {"experience": kept}
