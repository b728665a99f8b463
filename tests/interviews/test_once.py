"""Who a panel names gives one interview, whichever browser they come with."""

import pytest
from django.test import AsyncClient

from interviews.choices import SessionStatus
from interviews.models import Participant, Session
from interviews.validation import RequestRefused
from llm.concurrency.threads import in_database
from plans.models import Bot
from tests.interviews.talk import begin

NAMED = {"PROLIFIC_PID": "5f"}
GIVEN = "You’ve already taken part in this interview"
ELSEWHERE = "already started this interview in another browser"


@pytest.fixture
def panel(transactional_db, bot) -> Bot:
    return bot


def link(bot: Bot) -> str:
    return f"/i/{bot.slug}/?PROLIFIC_PID=5f&language=en"


async def stands(status: SessionStatus) -> None:
    await Session.objects.aupdate(status=status)


async def refusal(bot: Bot, **changes) -> str:
    with pytest.raises(RequestRefused) as refused:
        await begin(bot, **{"params": NAMED, **changes})
    return refused.value.code


@pytest.mark.parametrize("status", [SessionStatus.COMPLETED, SessionStatus.STOPPED])
async def test_a_second_interview_is_refused_in_the_same_browser_and_in_another(panel, status):
    talk = await begin(panel, params=NAMED)
    await stands(status)
    person = await Participant.objects.aget(sessions=await talk.session())
    assert await refusal(panel, participant=person) == "already_given"
    assert await refusal(panel) == "already_given"
    assert await Session.objects.acount() == 1


async def test_the_page_leads_back_to_the_end_of_ones_own(panel):
    client = AsyncClient()
    assert (await client.post(link(panel), {"name": "Ann"})).status_code == 303
    await stands(SessionStatus.COMPLETED)
    session = await Session.objects.aget()
    page = (await client.get(link(panel))).content.decode()
    assert GIVEN in page
    assert f'href="/s/{session.pk}/"' in page
    assert "<form" not in page
    other = (await AsyncClient().get(link(panel))).content.decode()
    assert GIVEN in other
    assert str(session.pk) not in other


async def test_what_is_under_way_is_gone_on_with_where_it_was_begun(panel):
    client = AsyncClient()
    assert (await client.post(link(panel), {"name": "Ann"})).status_code == 303
    assert "You’ve already started" in (await client.get(link(panel))).content.decode()
    assert ELSEWHERE in (await AsyncClient().get(link(panel))).content.decode()
    assert (await AsyncClient().post(link(panel), {"name": "Ann"})).status_code == 409
    assert (await client.post(link(panel), {"name": "Ann"})).status_code == 303
    statuses = Session.objects.order_by("started_at").values_list("status", flat=True)
    assert await statuses.afirst() == SessionStatus.ARCHIVED


async def test_others_tries_and_withdrawn_ones_do_not_count(panel):
    await begin(panel, params=NAMED, preview=True)
    await begin(panel, params={"PROLIFIC_PID": "6a"})
    await stands(SessionStatus.COMPLETED)
    talk = await begin(panel, params=NAMED)
    await Session.objects.filter(pk=talk.session_id).aupdate(
        status=SessionStatus.WITHDRAWN, params={}
    )
    await begin(panel, params=NAMED)


async def test_who_took_part_before_the_parameter_was_renamed_is_known(panel):
    client = AsyncClient()
    assert (await client.post(link(panel), {"name": "Ann"})).status_code == 303
    renamed = {"name": "panel_id", "aliases": ["prolific_pid", "rid"], "once": True}
    await Bot.objects.aupdate(link_params=[renamed])
    assert ELSEWHERE in (await AsyncClient().get(link(panel))).content.decode()
    another = link(panel).replace("5f", "6a")
    assert "This link is for another person" in (await client.get(another)).content.decode()
    await stands(SessionStatus.COMPLETED)
    assert await refusal(panel) == "already_given"
    await begin(panel, params={"rid": "6a"})
    assert await refusal(panel, params={"PROLIFIC_PID": "6a"}) == "begun_elsewhere"


async def test_a_bot_may_allow_more_and_ask_it_of_other_names(panel):
    panel.link_params = [
        {"name": "PROLIFIC_PID", "once": False},
        {"name": "Visitor__1", "aliases": ["v"], "once": True},
    ]
    await in_database(panel.save)
    for _ in range(2):
        await begin(panel, params=NAMED)
    await begin(panel, params={"v": "x"})
    await stands(SessionStatus.COMPLETED)
    assert await refusal(panel, params={"Visitor__1": "x"}) == "already_given"
    await begin(panel, params={"v": "y"})


CODE = {"kind": "fixed", "code": "C1A2", "url": ""}
POOL = {"kind": "pool", "code": "OWN-7", "url": ""}
LINK = {"kind": "redirect", "code": "", "url": "https://panel.example/done?pid=5f"}


@pytest.mark.parametrize(
    ("reward", "shown"), [(CODE, "C1A2"), (LINK, "panel.example/done?pid=5f"), (POOL, "")]
)
async def test_another_browser_gets_what_all_get_and_nothing_of_ones_own(panel, reward, shown):
    client = AsyncClient()
    assert (await client.post(link(panel), {"name": "Ann"})).status_code == 303
    await Session.objects.aupdate(status=SessionStatus.COMPLETED, reward=reward)
    session = await Session.objects.aget()
    other = (await AsyncClient().get(link(panel))).content.decode()
    assert GIVEN in other
    assert shown in other
    assert "data-copy" not in other  # no script of this page would copy
    assert "OWN-7" not in other
    assert str(session.pk) not in other
    stranger = await AsyncClient().get(link(panel).replace("5f", "6a"))
    assert "C1A2" not in stranger.content.decode()
