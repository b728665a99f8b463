"""Contact data told unasked: masked in every kind of interview, unless the bot keeps it."""

import pytest

from interviews.models import CollectedValue
from interviews.security.sealing import unseal
from llm.concurrency.threads import in_database
from llm.models import LLMCall
from plans.models import Bot
from tests.interviews.talk import Talk, begin
from tests.interviews.test_distress import BOTS

pytestmark = pytest.mark.django_db(transaction=True)
MAIL, PHONE = "ivo.k@example.org", "+49 40 1234567"
TOLD = (
    f"We kept the orders in a paper book; ask Ivo at {MAIL} or call {PHONE}, he knows why the rush "
    "factor was 1.35 in 2019 and what each customer paid."
)


async def told(kind: str, **options) -> Talk:
    bot = await in_database(BOTS[kind])
    if options:
        await Bot.objects.filter(pk=bot.pk).aupdate(options=bot.options | options)
    talk = await begin(bot)
    await talk.say(TOLD)
    return talk


@pytest.mark.parametrize("kind", BOTS)
async def test_it_is_masked_wherever_it_may_be_read(kind):
    talk = await told(kind)
    await talk.say("And the printer next door closed in the spring, which changed a good deal.")
    said = [entry.text for entry in await talk.entries() if entry.role == "participant"]
    assert "[e-mail] or call [phone], he knows why the rush factor was 1.35 in 2019" in said[0]
    stored = await in_database(list, CollectedValue.objects.values_list("value", flat=True))
    assert sorted(map(unseal, stored)) == ["+49401234567", MAIL]
    session, turns = await talk.session(), await talk.turns()
    shown = [session.state, *((turn.readings, turn.decision) for turn in turns)]
    calls = await in_database(list, LLMCall.objects.values("request", "response"))
    for text in map(str, [*shown, *calls]):
        assert not [secret for secret in (MAIL, PHONE) if secret in text]


@pytest.mark.parametrize("kind", BOTS)
async def test_a_study_about_it_keeps_it(kind):
    talk = await told(kind, masks_contact_data=False)
    assert TOLD in [entry.text for entry in await talk.entries()]
    assert not await CollectedValue.objects.aexists()
