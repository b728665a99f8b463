"""How the interview was, in the words of those who gave it: asked once it is over, and theirs."""

import json

import pytest
from django.test import AsyncClient

from interviews.choices import SessionStatus
from interviews.measures.ratings import mark
from interviews.models import Rating, Session
from interviews.turns import actions
from interviews.turns.withdrawal import withdraw
from llm.concurrency.threads import in_database
from plans.models import Bot
from tests.conftest import make_bot
from tests.factories import SessionFactory
from tests.interviews.exports.reading import read
from tests.interviews.talk import Talk, begin
from tests.pages import markup

pytestmark = pytest.mark.django_db(transaction=True)


async def ended(**bot) -> Talk:
    talk = await begin(await in_database(lambda: make_bot(**bot)))
    await actions.end(await talk.session(), "stop")
    return talk


async def send(talk: Talk, **data: str):
    return await talk.browser().post(f"/s/{talk.session_id}/rating/", data)


async def tell(talk: Talk, accepting: dict[str, str] | None = None, /, **data: object):
    path = f"/api/chat/session/{talk.session_id}/rating"
    headers = {"Authorization": f"Bearer {talk.token}", **(accepting or {})}
    return await AsyncClient().post(
        path, json.dumps(data), content_type="application/json", headers=headers
    )


async def kept() -> list[tuple[int | None, int | None]]:
    return await in_database(lambda: list(Rating.objects.values_list("heard", "ease")))


async def page_of(talk: Talk) -> str:
    return markup(await talk.browser().get(f"/s/{talk.session_id}/"))


async def test_a_form_keeps_it_and_the_page_shows_it():
    talk = await ended()
    before = await page_of(talk)
    assert "How was it for you?" in before
    assert "checked" not in before
    answer = await send(talk, heard="4", ease="5")
    assert (answer.status_code, answer["Location"]) == (303, f"/s/{talk.session_id}/#now")
    assert await kept() == [(4, 5)]
    after = await page_of(talk)
    assert "Your rating is saved" in after
    for name, given in (("heard", 4), ("ease", 5)):
        assert f'name="{name}" value="{given}" form="rating" checked' in after
    assert after.count("checked") == 2


async def test_either_may_be_left_out_and_both_be_changed():
    talk = await ended()
    await send(talk, ease="2")
    assert await kept() == [(None, 2)]
    await send(talk, heard="1")
    assert await kept() == [(1, 2)]
    await send(talk, heard="3", ease="3")
    assert await kept() == [(3, 3)]


@pytest.mark.parametrize("data", [{}, {"heard": ""}, {"heard": "6", "ease": "0"}, {"ease": "４"}])
async def test_a_form_without_an_answer_keeps_nothing_and_says_so(data):
    talk = await ended()
    answer = await send(talk, **data)
    assert answer.status_code == 422
    assert "Choose an answer first" in answer.content.decode()
    assert await kept() == []


@pytest.mark.parametrize("given", [None, "", "0", "6", "-1", "1.0", " 1", "٣", "1" * 5000, "on"])
def test_what_is_no_mark_is_none(given):
    assert mark(given) is None


async def test_the_api_keeps_changes_and_takes_back():
    talk = await ended()
    answer = await tell(talk, heard=4)
    assert answer.status_code == 200
    assert answer.json()["rating"] == {"heard": 4, "ease": None}
    assert (await tell(talk, ease=2)).json()["rating"] == {"heard": 4, "ease": 2}
    assert (await tell(talk, heard=None)).json()["rating"] == {"heard": None, "ease": 2}
    assert (await tell(talk, ease=None)).json()["rating"] is None
    assert await kept() == []


@pytest.mark.parametrize(
    "data", [{"heard": 0}, {"heard": 6}, {"ease": "x"}, {"ease": 2.5}, {"heard": [1]}]
)
async def test_the_api_refuses_what_is_no_mark(data):
    talk = await ended()
    answer = await tell(talk, **data)
    assert answer.status_code == 422
    assert answer.json()["error"]
    assert await kept() == []


async def test_the_api_says_whether_it_is_asked():
    talk = await ended()
    headers = {"Authorization": f"Bearer {talk.token}"}
    state = await AsyncClient().get(f"/api/chat/session/{talk.session_id}", headers=headers)
    assert (state.json()["asks_rating"], state.json()["rating"]) == (True, None)


async def test_not_while_the_interview_goes_on():
    talk = await begin(await in_database(make_bot))
    for answer in (await send(talk, heard="4"), await tell(talk, heard=4)):
        assert answer.status_code == 409
    assert (await tell(talk, heard=4)).json()["error"] == "not_over"
    assert "How was it for you?" not in await page_of(talk)
    assert await kept() == []


async def test_not_where_the_bot_does_not_ask():
    talk = await ended(asks_rating=False)
    assert (await tell(talk, heard=4)).json()["error"] == "not_asked"
    assert "How was it for you?" not in await page_of(talk)
    assert await kept() == []


async def test_why_not_is_told_in_the_callers_language():
    """By the API in the program's language, by the page in the interview's."""
    going, silent = await begin(await in_database(make_bot)), await ended(asks_rating=False)
    for talk, code, italian in (
        (going, "not_over", "Potrà valutare l'intervista quando"),
        (silent, "not_asked", "Questa intervista non chiede"),
    ):
        told = await tell(talk, {"Accept-Language": "it"}, heard=4)
        assert (told.status_code, told.json()["error"]) == (409, code)
        assert told.json()["message"].startswith(italian)
        await Session.objects.filter(pk=talk.session_id).aupdate(language="it")
        assert italian.replace("'", "&#x27;") in (await send(talk, heard="4")).content.decode()


async def test_a_bot_that_is_gone_asks_nothing():
    talk = await ended()
    await in_database(Bot.objects.all().delete)
    assert "How was it for you?" not in await page_of(talk)
    assert (await tell(talk, heard=4)).status_code == 409


async def test_strangers_rate_nothing():
    talk = await ended()
    stranger = Talk(talk.session_id, token="no", cookie="no")
    assert (await send(stranger, heard="4")).status_code == 404
    assert (await tell(stranger, heard=4)).status_code == 404
    assert await kept() == []


async def test_it_goes_with_who_withdraws_and_cannot_come_back():
    talk = await ended()
    await tell(talk, heard=4)
    stale = await talk.session()
    await in_database(withdraw, await talk.session())
    assert await kept() == []
    with pytest.raises(actions.RequestRefused):
        await actions.rate(stale, {"heard": 5})
    assert await kept() == []


async def test_an_open_page_is_told():
    talk = await ended()
    before = (await talk.session()).sequence
    await tell(talk, heard=4)
    path = f"/s/{talk.session_id}/state/?sequence={before}"
    state = await talk.browser().get(path, headers={"HX-Request": "true"})
    assert "checked" in state.content.decode()


@pytest.mark.parametrize("form", ["csv", "jsonl", "xlsx"])
async def test_researchers_read_it_in_the_table_of_interviews(form):
    talk = await ended()
    await tell(talk, heard=4)
    await in_database(SessionFactory)
    rows = {row["session_id"]: row for row in await in_database(read, "sessions", form)}
    mine = rows.pop(str(talk.session_id))
    assert (str(mine["rating_heard"]), mine["rating_ease"] or None) == ("4", None)
    assert [row["rating_heard"] or None for row in rows.values()] == [None]


async def test_the_people_of_the_study_see_it(admin_client):
    talk = await ended()
    await tell(talk, heard=2, ease=5)
    url = f"/admin/interviews/session/{talk.session_id}/change/"
    page = (await in_database(admin_client.get, url)).content.decode()
    assert "felt listened to: 2 of 5" in page
    assert "could say what mattered: 5 of 5" in page
    for chosen, found in (("low", True), ("none", False), ("any", True)):
        listed = await in_database(admin_client.get, f"/admin/interviews/session/?rated={chosen}")
        assert (str(talk.session_id) in listed.content.decode()) == found


async def test_a_stopped_interview_is_asked_about_as_well_as_a_whole_one():
    talk = await ended()
    assert (await talk.session()).status == SessionStatus.STOPPED
    whole = await begin(await in_database(lambda: make_bot(questions=1, slug="whole")))
    while (await whole.session()).is_active:
        await whole.say("no")
    for one in (talk, whole):
        assert "How was it for you?" in await page_of(one)
