"""Rewards of bots of every kind: what they lack, how they are set, that plans stay as they were."""

import pytest

from plans.bots.checklist import checklist, gaps
from plans.bots.compile import compile_bot, signature
from plans.models import Bot, RewardCode
from plans.portability.bots import apply_bot, bot_document
from plans.portability.formats import write
from plans.portability.reader import read_bot
from plans.protocols import PROTOCOLS, PlanContent, RewardOptions
from plans.protocols.base import BotDraft
from plans.protocols.needs import is_address, reward_items
from plans.protocols.topic_exploration.admin_page import road_map
from tests.assessments import make_assessment_bot
from tests.interviews.graphed import make_ladder_bot
from tests.plans.pages import form_of, text_of
from tests.plans.topical import make_topic_bot
from tests.transfers import make_transfer_bot

pytestmark = pytest.mark.django_db
BOTS = {
    "topic_exploration": make_topic_bot,
    "technical_assessment": make_assessment_bot,
    "knowledge_transfer": make_transfer_bot,
    "laddering": make_ladder_bot,
}
EARLY = {"kind": "pool", "early": True, "early_kind": "fixed", "early_code": "EARLY-1"}


@pytest.fixture(params=PROTOCOLS)
def any_bot(request, bot) -> Bot:
    """One of each kind of interview."""
    return bot if request.param == "life_story" else BOTS[request.param]()


def url(bot: Bot, page: str = "change") -> str:
    return f"/admin/plans/bot/{bot.pk}/{page}/"


def test_who_gives_nothing_new_keeps_the_plan_that_they_had(any_bot):
    content = compile_bot(any_bot)
    old = content.model_dump(mode="json")
    if any_bot.protocol == "topic_exploration":
        assert old["material"]["options"]["reward"] == {
            "kind": "none",
            "code": "",
            "url": "",
            "early": False,
        }
    else:
        assert "reward" not in old["material"]["options"]
    again = PlanContent[PROTOCOLS[any_bot.protocol].content.material].model_validate(old)
    assert signature(again) == signature(content)
    assert again.material.options.reward == RewardOptions()


def test_it_is_set_in_the_form_of_every_kind(owner, any_bot):
    page = text_of(owner.get(url(any_bot)))
    assert "Also for those who end early" in page
    reward = {f"option__reward__{name}": value for name, value in EARLY.items()}
    form = form_of(owner.get(url(any_bot))) | {"status": "draft"}
    answer = owner.post(url(any_bot), form | reward)
    assert answer.status_code == 302
    any_bot.refresh_from_db()
    assert any_bot.options["reward"] == EARLY
    plan = compile_bot(any_bot).material.options.reward
    assert plan.due(early=True) == RewardOptions(kind="fixed", code="EARLY-1")


def test_every_kind_has_a_pool(owner, any_bot):
    owner.post(url(any_bot, "reward_codes"), {"codes": "A\nB"})
    assert RewardCode.objects.filter(bot=any_bot).count() == 2
    assert "Choose “A code from the pool for each participant”" in text_of(
        owner.get(url(any_bot, "reward_codes"))
    )


def test_what_is_given_early_only_makes_the_pool_used(owner, bot):
    bot.options = {"reward": {"kind": "fixed", "code": "A", "early": True, "early_kind": "pool"}}
    bot.save()
    assert "doesn’t give codes from the pool" not in text_of(owner.get(url(bot, "reward_codes")))


def test_every_kind_says_what_it_lacks(any_bot):
    any_bot.options = {**any_bot.options, "reward": {"kind": "fixed"}}
    any_bot.save()
    assert "Write the code under Ending." in gaps(checklist(any_bot))


@pytest.mark.parametrize(
    ("reward", "missing"),
    [
        ({"early": True}, []),
        ({"early": True, "early_kind": "fixed"}, ["Write the code under Ending, the one for"]),
        ({"early": True, "early_kind": "fixed", "early_code": "B"}, []),
        ({"early": True, "early_kind": "redirect", "early_url": "x"}, ["Under Ending, write a"]),
        ({"early": True, "early_kind": "pool"}, ["The pool is empty"]),
        ({"early": False, "early_kind": "pool"}, []),
    ],
)
def test_what_those_who_end_early_get_must_be_there(bot, reward, missing):
    options = RewardOptions(kind="fixed", code="A", **reward)
    found = gaps(reward_items(BotDraft(bot, []), options))
    assert [bool(hint.startswith(start)) for hint, start in zip(found, missing, strict=True)] == [
        True
    ] * len(missing)


@pytest.mark.parametrize(
    ("address", "fits"),
    [
        ("https://panel.example.org/done?pid={PROLIFIC_PID}", True),
        ("https://panel.example.org/{A}/{B-c}", True),
        ("https://{HOST}/done", False),
        ("https://panel.example.org@{HOST}/", False),
        ("https://panel.example{TAIL}/", False),
        ("https://[bad/", False),
        ("javascript:alert(1)", False),
    ],
)
def test_no_parameter_names_the_site(address, fits):
    assert is_address(address) == fits


def test_a_file_takes_it_along(bot):
    bot.options = {"reward": EARLY}
    bot.save()
    text = write(bot_document(bot), "yaml")
    assert "early_code: EARLY-1" in text
    bot.options = {}
    bot.save()
    assert apply_bot(read_bot(text, "yaml"), bot).options == {"reward": EARLY}


@pytest.mark.parametrize(
    ("reward", "told"),
    [
        ({"kind": "none"}, ""),
        ({"kind": "fixed", "early": True}, "Everybody gets the same code."),
        ({"kind": "fixed"}, "Everybody gets the same code. Ending early: nothing."),
        (EARLY, "Everybody gets their own code. Ending early: a code for all of these."),
    ],
)
def test_the_preview_tells_what_people_get(reward, told):
    bot = make_topic_bot()
    bot.options = {**bot.options, "reward": reward}
    assert road_map(bot)["reward"] == told
