"""The fake provider itself: as a process, by its control door, and what it says."""

import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from tests.fake_provider import FakeProvider
from tests.fake_provider.asked import asked
from tests.fake_provider.faults import fault, rates
from tests.fake_provider.replies import reply

LED = {
    "title": "LifeStoryLed",
    "type": "object",
    "properties": {
        "heard": {"type": "string"},
        "say": {"type": "string"},
        "threads": {"type": "array", "items": {"type": "string"}},
        "extra": {"type": "integer"},
    },
}
OFFERED = """
<moves>
q3: to learn of their school. As written: "What was your school like?"
q4: to learn of their work. As written: "What was your first work?"
stay: {only}follow what was just said.
</moves>
Also open, later:
q5: What came then?

<answer>
{answer}
</answer>
"""


def post(url: str, body: Any) -> Any:
    """A POST of JSON, without any SDK."""
    request = urllib.request.Request(
        url, json.dumps(body).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=10) as response:
        text = response.read().decode()
    return json.loads(text) if text.startswith("{") else text


def get(url: str) -> Any:
    """A GET of JSON."""
    with urllib.request.urlopen(url, timeout=10) as response:
        return json.load(response)


@pytest.fixture
def process() -> Iterator[str]:
    """The server as a process."""
    command = [sys.executable, "-m", "tests.fake_provider", "--ttft", "0", "--rate", "100000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout
        yield running.stdout.readline().strip()
        running.terminate()


def messages(text: str, **more: Any) -> dict[str, Any]:
    """A request of the Messages API."""
    body = {"model": "claude-haiku-5-5", "max_tokens": 500, **more}
    return body | {"messages": [{"role": "user", "content": text}]}


def test_as_a_process_with_control(process: str) -> None:
    post(f"{process}/_control", {"replies": {"": ["Hello."]}})
    whole = post(f"{process}/v1/messages", messages("Hi"))
    assert whole["content"] == [{"type": "text", "text": "Hello."}]
    post(f"{process}/_control", {"queue": ["cut:3"], "ttft": 0.01})
    served = get(f"{process}/_requests")
    assert (served["total"], served["requests"][0]["complete"]) == (1, True)


def test_the_real_sequence_of_events(fake: FakeProvider) -> None:
    fake.reply("", "One two three")
    text = post(f"{fake.url}/v1/messages", messages("Hi", stream=True))
    kinds = re.findall(r"^event: (\w+)$", text, re.M)
    assert kinds == [
        "message_start",
        "content_block_start",
        "ping",
        *["content_block_delta"] * 4,
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]


def said(answer: str, seed: int = 1, schema: Any = LED, only: str = "") -> Any:
    """What the fake model says to an answer."""
    message = OFFERED.format(answer=answer, only=only)
    return json.loads(reply(asked({}, schema, "s", [message], [], seed)))


def test_replies_fit_the_schema_and_quote_the_answer() -> None:
    texts = [said(f"We had a garden and {n} dogs") for n in range(30)]
    assert {one["heard"] for one in texts} == {"fully q3", "fully stay"}
    for one in texts:
        assert list(one) == list(LED["properties"])
        assert re.search("garden|dogs|had|and", one["say"])
        asks_the_item = one["say"].endswith("What was your school like?")
        assert asks_the_item == (one["heard"] == "fully q3")
    assert len({one["say"] for one in texts}) > 3
    assert said("same") == said("same")


def test_the_fake_model_chooses_what_is_offered() -> None:
    seldom = "only if they told something hard: "
    assert {said("Yes", seed, only=seldom)["heard"] for seed in range(9)} == {"fully q3"}
    assert said("She died in the war", only=seldom)["heard"] == "fully stay heavy"
    assert said("What do you mean?")["heard"] == "no again clarify"
    opening = "(The interview begins: put the first item.)"
    assert said(opening)["say"] == "What was your school like?"


@pytest.mark.parametrize(
    ("answer", "letters"),
    [
        ("Мой брат умер зимой", "[а-я]"),
        ("Mia madre è morta quando ero piccolo e non c'era", "^(Grazie|Quello)"),
    ],
)
def test_in_the_language_of_the_answer(answer: str, letters: str) -> None:
    replies = [said(answer, seed) for seed in range(6)]
    assert all(re.search(letters, one["say"]) for one in replies)
    assert all(one["heard"] == "fully stay heavy" for one in replies)


def test_faults_by_chance_are_the_same_with_the_same_seed() -> None:
    def drawn(seed: int) -> list[str]:
        fake = FakeProvider(seed=seed)
        fake.set_rates("overloaded=0.2,cut:3@LifeStoryLed=0.3")
        kinds = []
        for _ in range(200):
            kinds.append(fake.next_fault("LifeStoryLed").kind)
            fake.total += 1
        return kinds

    assert drawn(1) == drawn(1) != drawn(2)
    assert 20 < drawn(1).count("overloaded") < 60
    assert 35 < drawn(1).count("cut") < 85


def test_faults_wait_for_their_schema() -> None:
    fake = FakeProvider()
    fake.queue("cut:3@LifeStoryLed", "overloaded")
    assert [
        fake.next_fault(name).kind for name in ("TopicLed", "LifeStoryLed", "LifeStoryLed")
    ] == ["overloaded", "cut", "ok"]


def test_unknown_faults_are_refused() -> None:
    with pytest.raises(ValueError, match="no fault 'explode'"):
        fault("explode:3")
    assert rates("rate_limit:2=0.5")[0][0].argument == "2"
