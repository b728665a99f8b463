"""What is not about the study belongs to no topic, and counts as no answer."""

import pytest

from llm.concurrency.threads import in_database
from plans.models import DataField
from reflections.evidence.material import transcript_of
from tests.conftest import make_topic_bot
from tests.interviews.exports.reading import read
from tests.interviews.talk import Talk, begin

pytestmark = pytest.mark.django_db(transaction=True)
TOLD = "We kept the orders in a paper book, since the printer was next door and knew everybody."
BESIDE = {
    "What is this study about?": "candidate_question",
    "Please stop the interview.": "stop_reply",
    "No, go on.": "stop_reply",
    "I want to die.": "care_reply",
    "Continue": "care_reply",
}


@pytest.fixture
async def talk() -> Talk:
    """Topics to their end, with everything beside them that there is."""
    bot = await in_database(make_topic_bot)
    if not await DataField.objects.filter(bot=bot).aexists():
        await DataField.objects.acreate(bot=bot, key="email", kind="email", label="e-mail")
    talk = await begin(bot)
    for words in (TOLD, *BESIDE):
        await talk.say(words)
    await talk.say("", trigger="stop")
    await talk.say("Yes, that is fine")
    await talk.say("ann@example.org")
    assert not (await talk.session()).is_active
    return talk


async def test_each_has_its_kind_and_no_topic(talk):
    rows = await in_database(read, "transcripts")
    mine = [
        (row["text"], row["kind"], row["question"]) for row in rows if row["role"] == "participant"
    ]
    topic = mine[0][2]
    assert topic
    assert mine == [
        (TOLD, "user_answer", topic),
        *((words, kind, "") for words, kind in BESIDE.items()),
        ("Yes, that is fine", "consent_reply", ""),
        ("[e-mail]", "data_reply", ""),
    ]
    asked = {row["kind"]: row["question"] for row in rows if row["role"] == "interviewer"}
    assert {"stop_request", "care", "consent_request", "data_request"} <= asked.keys()
    assert not any(asked[kind] for kind in ("stop_request", "consent_request", "data_request"))


async def test_no_count_holds_it(talk):
    (session,) = await in_database(read, "sessions")
    words = str(len(TOLD.split()))
    assert (session["answers"], session["participant_words"]) == ("1", words)
    answers = await in_database(read, "answers")
    assert [row["answer"] for row in answers if row["answer"]] == [TOLD]


async def test_no_product_is_made_of_it(talk):
    made = await in_database(transcript_of, await talk.session())
    mine = [line.text for line in made.lines if line.role == "participant"]
    assert mine == [TOLD]
