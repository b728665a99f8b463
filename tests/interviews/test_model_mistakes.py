"""What a model or its server gets wrong costs no turn: each is committed at the first attempt."""

import pytest
from openai.types import CompletionUsage

from interviews.protocols.topic_exploration.tasks import TopicLed
from llm.calls.parse import Unusable, read
from llm.concurrency.threads import in_database
from llm.providers.base import Finished, Stop
from llm.providers.openai import _usage
from tests.conftest import make_topic_bot
from tests.interviews import test_laddering as laddering
from tests.interviews.talk import begin
from tests.scripted import Reply, ScriptedProvider, scripted
from tests.transfers import make_transfer_bot

pytestmark = pytest.mark.django_db(transaction=True)
SAID = "In 2019 the old kettle broke, and we went to three shops in Leeds the same day."
READ = '"heard": "fully stay"'
ASKED = '"say": "Three shops in one day. Who had a say in it?"'


@pytest.fixture(autouse=True)
def _model(settings):
    settings.LLM_PROVIDER = "scripted"


async def attempts(make) -> int:
    talk = await begin(await in_database(make))
    await talk.say(SAID)
    return (await talk.turns())[-1].attempts


@pytest.mark.parametrize(
    ("make", "task", "rest"),
    [
        (make_topic_bot, "topic_exploration.lead", f'{ASKED}, "met": 1, "facts": []'),
        (make_topic_bot, "topic_exploration.lead", f'{ASKED}, "met": [{{"n": 1}}], "facts": []'),
        (
            make_transfer_bot,
            "knowledge_transfer.extract",
            '"answered": [{"id": "safety"}], "confidence": "high", "follow_up": null, "facts": []',
        ),
        (
            laddering.make_bot,
            "laddering.extract",
            '"concepts": {"1": "warm light | attribute"}, "relations": []',
        ),
    ],
)
async def test_a_list_of_another_type_that_streams(make, task, rest):
    scripted.always("laddering.signals", '{"depth": "rich", "sentiment": "positive"}')
    scripted.always(task, Reply(f"{{{READ}, {rest}}}", chunk=8, pause=0.01))
    assert await attempts(make) == 1


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999", "1" * 5_000])
async def test_a_number_that_cannot_be_stored(number):
    fact = f'{{"text": "They went to three shops.", "confidence": {number}}}'
    text = f'{{{READ}, {ASKED}, "met": [1], "facts": [{fact}]}}'
    scripted.always("topic_exploration.lead", text)
    assert isinstance(read(text, Stop.END, TopicLed), Unusable)
    assert await attempts(make_topic_bot) == 1


@pytest.mark.parametrize("counts", [(20, 900), (20, -5), (2**40, 0)])
async def test_token_counts_that_cannot_be(monkeypatch, counts):
    prompt, cached = counts
    usage = CompletionUsage(
        prompt_tokens=prompt,
        completion_tokens=30,
        total_tokens=50,
        prompt_tokens_details={"cached_tokens": cached},
    )
    stream = ScriptedProvider.stream

    async def counted(self, request):
        async for event in stream(self, request):
            yield Finished(event.stop, _usage(usage)) if isinstance(event, Finished) else event

    monkeypatch.setattr(ScriptedProvider, "stream", counted)
    scripted.always("topic_exploration.lead", f'{{{READ}, {ASKED}, "met": [1], "facts": []}}')
    assert await attempts(make_topic_bot) == 1
