"""What is given at the end: once, to whom it is due, and shown again whenever they come back."""

import asyncio
import json
import logging
from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string
from django.test import AsyncClient
from django.utils import translation

from interviews.choices import SessionStatus
from interviews.measures.rewards import SAMPLE, Reward, fill_url, reward_for
from interviews.models import Session
from interviews.protocols import PROTOCOLS
from interviews.security import access
from interviews.turns import actions
from interviews.turns.store import commit_turn
from llm.concurrency.threads import in_database
from plans.models import RewardCode
from plans.protocols import PROTOCOLS as PLANS
from plans.protocols import RewardOptions
from tests.conftest import make_topic_bot
from tests.each import each
from tests.factories import SessionFactory
from tests.interviews.confiding import CANARY, Confiding
from tests.interviews.talk import Talk, begin

POOL = RewardOptions(kind="pool")
FIXED = RewardOptions(kind="fixed", code="THANKS-7")
PANEL = RewardOptions(kind="redirect", url="https://panel.example.org/done?pid={PROLIFIC_PID}")


@each(
    ("template", "params", "url"),
    [
        ("https://p.example/?a={prolific_pid}", {"PROLIFIC_PID": "5f"}, "https://p.example/?a=5f"),
        (
            "https://p.example/?a={A}",
            {"A": "javascript:alert(1)"},
            "https://p.example/?a=javascript%3Aalert%281%29",
        ),
        ("https://p.example/{A}", {"A": "//evil.example"}, "https://p.example/%2F%2Fevil.example"),
        ("https://p.example{A}", {"A": ".evil.example"}, ""),
        (
            "https://p.example/?a={A}",
            {"A": "\r\nSet-Cookie: b=1"},
            "https://p.example/?a=%0D%0ASet-Cookie%3A%20b%3D1",
        ),
        ("https://p.example/c?id={ID}", {"ID": "5f"}, "https://p.example/c?id=5f"),
        ("http://p.example/{A}/{B}", {"A": "x", "B": "y"}, "http://p.example/x/y"),
        ("https://p.example/?a={A}&b={B}", {"B": "1"}, "https://p.example/?a=&b=1"),
        ("https://p.example/?a={A}", {"A": "a b&c=d#e/?%{B}"}, None),
        ("https://p.example/?a={A}", {"A": "{B}", "B": "no"}, "https://p.example/?a=%7BB%7D"),
        ("https://p.example/?a={A}", {"A": "Аня"}, "https://p.example/?a=%D0%90%D0%BD%D1%8F"),
        (" https://p.example/x ", {}, "https://p.example/x"),
        ("javascript:alert({A})", {"A": "1"}, ""),
        ("JavaScript://p.example/%0aalert(1)", {}, ""),
        ("data:text/html,hello", {}, ""),
        ("//p.example/x", {}, ""),
        ("/x", {}, ""),
        ("https://", {}, ""),
        ("https://{HOST}/x", {"HOST": "evil.example"}, ""),
        ("https://p.example@{HOST}/x", {"HOST": "evil.example"}, ""),
        ("{SCHEME}://p.example/x", {"SCHEME": "https"}, ""),
        ("https://[p/x", {}, ""),
        ("", {}, ""),
    ],
)
def test_an_address_is_filled_and_stays_an_address(template, params, url):
    expected = "https://p.example/?a=a%20b%26c%3Dd%23e%2F%3F%25%7BB%7D" if url is None else url
    assert fill_url(template, params) == expected


# -- who is due what


@pytest.fixture
def session(db) -> Session:
    return SessionFactory(params={"PROLIFIC_PID": "5f"})


def pool(session: Session, *codes: str) -> None:
    RewardCode.objects.bulk_create(RewardCode(bot=session.bot, code=code) for code in codes)


def test_everybody_gets_the_fixed_code(session):
    assert reward_for(session, FIXED, early=False) == Reward("fixed", code="THANKS-7")


def test_the_panel_gets_its_parameters_back(session):
    reward = reward_for(session, PANEL, early=False)
    assert reward == Reward("redirect", url="https://panel.example.org/done?pid=5f")


@pytest.mark.django_db
@pytest.mark.parametrize("params", [{"PROLIFIC_PID": "5f"}, {"panelist": "5f"}])
@pytest.mark.parametrize("name", ["PROLIFIC_PID", "panelist", "PID"])
def test_a_parameter_is_filled_in_under_each_of_its_names(params, name):
    session = SessionFactory(params=params)
    aliases = ["prolific_pid", "PID"]
    session.bot.link_params = [{"name": "panelist", "aliases": aliases}]
    options = PANEL.model_copy(update={"url": f"https://panel.example.org/?p={{{name}}}"})
    assert reward_for(session, options, early=False).url == "https://panel.example.org/?p=5f"


def test_a_code_is_drawn_in_order_and_once_for_a_session(session):
    pool(session, "A", "B")
    assert reward_for(session, POOL, early=False).code == "A"
    assert reward_for(session, POOL, early=False).code == "A"
    other = SessionFactory(bot=session.bot)
    assert reward_for(other, POOL, early=False).code == "B"
    assert set(RewardCode.objects.values_list("drawn_for", flat=True)) == {session.pk, other.pk}
    assert all(code.drawn_at for code in RewardCode.objects.all())


def test_the_pool_of_another_bot_is_not_touched(session):
    pool(SessionFactory(), "A")
    assert reward_for(session, POOL, early=False) == Reward("missing")


@pytest.mark.parametrize("marks", [{"preview": True}, {"synthetic": True}])
def test_trying_it_out_uses_no_code_up(session, marks):
    pool(session, "A")
    tried = SessionFactory(bot=session.bot, **marks)
    assert reward_for(tried, POOL, early=False) == Reward("pool", code=SAMPLE)
    assert RewardCode.objects.get().drawn_for is None


@pytest.mark.parametrize("options", [POOL, FIXED, PANEL])
def test_who_ends_early_gets_it_only_if_the_bot_says_so(session, options):
    pool(session, "A")
    assert reward_for(session, options, early=True) is None
    assert RewardCode.objects.get().drawn_for is None
    generous = options.model_copy(update={"early": True})
    assert reward_for(session, generous, early=True).kind == options.kind


OWN = {"early": True, "early_kind": "fixed", "early_code": "EARLY-1"}
ADDRESS = {"early": True, "early_kind": "redirect", "early_url": "https://panel.example.org/early"}


@pytest.mark.parametrize(
    ("options", "own", "whole", "early"),
    [
        (FIXED, OWN, Reward("fixed", code="THANKS-7"), Reward("fixed", code="EARLY-1")),
        (POOL, OWN, Reward("pool", code="A"), Reward("fixed", code="EARLY-1")),
        (
            PANEL,
            ADDRESS,
            Reward("redirect", url="https://panel.example.org/done?pid=5f"),
            Reward("redirect", url="https://panel.example.org/early"),
        ),
        (
            FIXED,
            {"early": True, "early_kind": "pool"},
            Reward("fixed", code="THANKS-7"),
            Reward("pool", code="A"),
        ),
        (FIXED, {**OWN, "early": False}, Reward("fixed", code="THANKS-7"), None),
        (FIXED, {**OWN, "early_code": ""}, Reward("fixed", code="THANKS-7"), Reward("missing")),
        (RewardOptions(), OWN, None, None),
    ],
)
def test_who_ends_early_may_get_something_else(session, options, own, whole, early):
    pool(session, "A")
    options = options.model_copy(update=own)
    assert reward_for(session, options, early=True) == early
    assert reward_for(session, options, early=False) == whole


@each("protocol", sorted(PLANS))
def test_every_kind_of_interview_gives_what_its_bot_says(protocol):
    options = PLANS[protocol].content.options.model_validate(
        {"reward": {"kind": "fixed", "code": "A"}}
    )
    plan = SimpleNamespace(material=SimpleNamespace(options=options))
    assert PROTOCOLS[protocol].reward(plan) == RewardOptions(kind="fixed", code="A")


@each("protocol", sorted(PLANS))
def test_a_plan_that_gives_nothing_new_is_written_as_before(protocol):
    before = {"kind", "code", "url", "early"}
    options = PLANS[protocol].content.options
    written = options().model_dump(mode="json")
    assert written.get("reward", {}).keys() == (
        before if protocol == "topic_exploration" else set()
    )
    given = options.model_validate({"reward": {"kind": "fixed", "code": "A", "early": True}})
    assert given.model_dump(mode="json")["reward"].keys() == before
    assert options.model_validate(written) == options()


def test_nothing_is_nothing(session):
    assert reward_for(session, RewardOptions(), early=False) is None


@pytest.mark.parametrize(
    "options",
    [POOL, RewardOptions(kind="fixed"), RewardOptions(kind="redirect", url="javascript:1")],
)
def test_what_is_due_and_missing_is_said_and_logged(session, options, caplog):
    caplog.set_level(logging.ERROR)
    assert reward_for(session, options, early=False) == Reward("missing")
    assert str(session.pk) in caplog.text


# -- through the one door


async def rewarded(bot, monkeypatch, options: RewardOptions, **wish) -> Talk:
    """An interview that has ended with this reward."""
    monkeypatch.setitem(PROTOCOLS, "life_story", Confiding(options))
    talk = await begin(bot, **wish)
    await talk.say(CANARY)
    assert (await talk.session()).status == SessionStatus.COMPLETED
    return talk


async def page_of(talk: Talk) -> str:
    return (await talk.browser().get(f"/s/{talk.session_id}/")).content.decode()


@pytest.mark.django_db(transaction=True)
async def test_the_code_is_on_the_page_and_stays_there(bot, monkeypatch):
    await in_database(RewardCode.objects.create, bot=bot, code="<A&1>")
    talk = await rewarded(bot, monkeypatch, POOL)
    for _ in range(2):
        page = await page_of(talk)
        assert ">&lt;A&amp;1&gt;</textarea>" in page
        assert 'data-copy="#reward-code"' in page


@pytest.mark.django_db(transaction=True)
async def test_the_link_is_on_the_page_and_nobody_is_sent_anywhere(bot, monkeypatch):
    talk = await rewarded(bot, monkeypatch, PANEL, params={"PROLIFIC_PID": 'a"&b'})
    page = await page_of(talk)
    assert 'href="https://panel.example.org/done?pid=a%22%26b"' in page
    assert 'rel="noopener noreferrer"' in page
    assert "refresh" not in page


@pytest.mark.django_db(transaction=True)
async def test_an_empty_pool_is_told_kindly_and_marked_for_researchers(
    bot, monkeypatch, admin_client
):
    talk = await rewarded(bot, monkeypatch, POOL)
    page = await page_of(talk)
    assert "You’re due a reward" in page
    assert str(talk.session_id)[:8] in page
    listed = await in_database(admin_client.get, "/admin/interviews/session/")
    assert "reward missing" in listed.content.decode()


@pytest.mark.django_db(transaction=True)
async def test_replies_of_the_api_carry_it_once_it_is_over(bot, monkeypatch):
    monkeypatch.setitem(PROTOCOLS, "life_story", Confiding(FIXED))
    client, own = AsyncClient(), {"Origin": "http://testserver"}

    async def post(path: str, **data):
        answer = await client.post(path, json.dumps(data), "application/json", headers=own)
        return answer.json()

    begun = await post("/api/chat/start", participant_name="Ann")
    assert begun["reward"] is None
    asked = await post("/api/chat", session_id=begun["session_id"], answer="hm")
    assert asked["reward"] is None
    ended = await post("/api/chat", session_id=begun["session_id"], answer=CANARY)
    assert ended["reward"] == {"kind": "fixed", "code": "THANKS-7", "url": ""}
    state = (await client.get(f"/api/chat/session/{begun['session_id']}")).json()
    assert state["reward"] == ended["reward"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("early", [True, False])
async def test_the_button_that_ends_it_is_early(bot, monkeypatch, early):
    options = FIXED.model_copy(update={"early": early})
    monkeypatch.setitem(PROTOCOLS, "life_story", Confiding(options))
    talk = await begin(bot)
    await actions.end(await talk.session(), "stop")
    session = await talk.session()
    assert session.status == SessionStatus.STOPPED
    assert bool(session.reward) == early


@pytest.mark.django_db(transaction=True)
async def test_ended_from_many_pages_at_once_one_code_is_drawn(bot, monkeypatch):
    await in_database(pool_of, bot, "A", "B", "C")
    monkeypatch.setitem(PROTOCOLS, "life_story", Confiding(POOL.model_copy(update={"early": True})))
    talk = await begin(bot)
    session = await talk.session()
    ends = (actions.end(session, f"stop-{n}") for n in range(5))
    for came in await asyncio.gather(*ends, return_exceptions=True):
        assert came is None or (
            isinstance(came, actions.RequestRefused) and came.code in ("busy", "ended")
        )
    assert (await talk.session()).reward == {"kind": "pool", "code": "A", "url": ""}
    assert await in_database(RewardCode.objects.exclude(drawn_for=None).count) == 1


@pytest.mark.django_db(transaction=True)
async def test_an_ending_that_fails_draws_no_code_and_the_next_try_one(bot, monkeypatch, settings):
    await in_database(pool_of, bot, "A", "B")
    monkeypatch.setitem(PROTOCOLS, "life_story", Confiding(POOL))
    talk = await begin(bot)
    failures = iter([RuntimeError("the process dies here")])
    monkeypatch.setattr(commit_turn, "save", lambda calls: _raise_next(failures))
    turn = await actions.receive(await talk.session(), CANARY, "last")
    for _ in range(50):
        if (await talk.session()).status == SessionStatus.COMPLETED:
            break
        await actions.sweep(at_once=True)
    assert await actions.finished(turn, 10)
    assert (await talk.session()).reward["code"] == "A"
    assert await in_database(RewardCode.objects.exclude(drawn_for=None).count) == 1


def _raise_next(failures) -> None:
    for failure in failures:
        raise failure


def pool_of(bot, *codes: str) -> None:
    RewardCode.objects.bulk_create(RewardCode(bot=bot, code=code) for code in codes)


@pytest.mark.django_db(transaction=True)
async def test_another_device_shows_the_same(bot, monkeypatch):
    await in_database(pool_of, bot, "A", "B")
    talk = await rewarded(bot, monkeypatch, POOL)
    phone = Talk(talk.session_id, cookie=await access.enter(talk.session_id, talk.token))
    for device in (talk, phone, talk):
        assert ">A</textarea>" in await page_of(device)


@pytest.mark.django_db(transaction=True)
async def test_a_bot_says_its_reward_in_its_options(db):
    options = {"reward": {"kind": "fixed", "code": "KETTLE"}}
    bot = await in_database(make_topic_bot, 3, options=options, fields=False)
    talk = await begin(bot)
    while (await talk.session()).is_active:
        await talk.say("no")
    assert (await talk.session()).reward == {"kind": "fixed", "code": "KETTLE", "url": ""}


@each(
    "reward",
    [Reward("fixed", "A"), Reward("redirect", url="https://p.example/"), Reward("missing")],
)
def test_it_is_said_in_the_languages_of_the_interface(reward):
    said = set()
    for language in ("en", "it", "ru"):
        with translation.override(language):
            context = {"reward": reward, "snap": {"id": "0123456789"}}
            said.add(render_to_string("chat/reward.html", context))
    assert len(said) == 3
