"""What a turn of a knowledge transfer costs, and what of it counts as an answer."""

import json

import pytest

from interviews.engine import common_rules
from interviews.models import Session
from interviews.turns import actions
from llm.concurrency.threads import in_database
from reflections.protocols.knowledge_transfer import makers
from reflections.protocols.knowledge_transfer.questions import questions_of
from reflections.summaries.makers import plain_summary
from tests.interviews.talk import Talk, begin
from tests.queries import counted
from tests.readings import READ
from tests.scripted import Reply, scripted
from tests.transfers import make_transfer_bot

pytestmark = pytest.mark.django_db(transaction=True)
EXTRACT, REPHRASE = "knowledge_transfer.extract", "knowledge_transfer.rephrase"
MANY = tuple(
    (f"q{n}", "P0" if n < 100 else "P1", f"Where does the {n * 37} of press {n} come from?", "")
    for n in range(200)
)
ANSWER = (
    "Carla and I took it over from the old workbook in 2019, and nobody has looked at it since."
)
SIZES = [[number * 100 + press for press in range(12)] for number in range(12)]  # by turn
TOLD = f"{ANSWER} {' '.join(str(size) for sizes in SIZES for size in sizes)}"


@pytest.fixture
def model(settings):
    """A model whose words are those of each test."""
    settings.LLM_PROVIDER = "scripted"
    return scripted


def read(number: int) -> str:
    """Twelve facts that nobody has told before, and two new questions."""
    facts = [f"Press {one} takes {size} sheets." for one, size in enumerate(SIZES[number])]
    new = [f"Who repairs hall {number * 100 + one}?" for one in range(2)]
    return json.dumps(
        {
            **READ,
            "confidence": "high",
            "follow_up": None,
            "facts": facts,
            "discovered_questions": [{"text": text, "priority": "P1"} for text in new],
        }
    )


async def transfer(**changes) -> Talk:
    return await begin(await in_database(lambda: make_transfer_bot(**changes)))


async def test_queries_of_a_turn_with_facts_are_few_and_do_not_grow(model):
    talk = await transfer(questions=MANY, options={"rounds": 30})
    model.always(REPHRASE, "You took it over. Where does that figure come from?")
    counts = []
    for number in range(12):
        model.reply(EXTRACT, read(number))
        counts.append(await _queries_of(talk, f"{TOLD} {number}"))
    assert max(counts[1:]) <= 12, counts
    assert counts[-1] == counts[1]
    last = await in_database(
        lambda: Session.objects.get().facts.select_related("entry").latest("number")
    )
    assert (last.number, last.entry.text) == (12 * 12, f"{TOLD} 11")


async def _queries_of(talk: Talk, text: str) -> int:
    session = await actions.fresh(talk.session_id)
    talk.count += 1
    with counted() as seen:
        turn = await actions.receive(session, text, f"m{talk.count}")
        await actions._tasks[turn]
        return len(seen)


async def test_an_answer_is_understood_once_however_often_a_reply_grows(model, monkeypatch):
    understood = []
    read_by_rules = common_rules.read_by_rules

    def counting(*asked):
        understood.append(asked)
        return read_by_rules(*asked)

    monkeypatch.setattr(common_rules, "read_by_rules", counting)
    talk = await transfer()
    model.always(EXTRACT, Reply(read(1), chunk=10, pause=0.001))
    await talk.say(f"{ANSWER} {ANSWER}")
    assert len(understood) == 1


NO_ANSWERS = (
    "What do you mean?",
    "Why do you want to know that?",
    "I want to kill myself.",
    "Yes, go on.",
    "skip",
)


async def test_what_answers_nothing_is_not_handed_on():
    talk = await transfer()
    for words in (*NO_ANSWERS, ANSWER):
        await talk.say(words)
    session = await talk.session()
    told = await in_database(lambda: questions_of(makers.handover_of(session)))
    assert [(one.id, [a.text for a in one.answers]) for one in told] == [("safety", [ANSWER])]


async def test_leaving_out_the_last_question_answers_nothing():
    talk = await transfer(options={"rounds": 2, "follow_ups": 0})
    for words in (ANSWER, "skip", "skip"):  # the second one is the closing question
        await talk.say(words)
    session = await talk.session()
    assert not session.is_active
    told = await in_database(lambda: questions_of(makers.handover_of(session)))
    assert [one.id for one in told] == ["rush-factor"]


async def test_a_question_back_is_no_answer_in_a_plain_summary():
    talk = await transfer()
    for words in ("What do you mean?", ANSWER):
        await talk.say(words)
    session = await talk.session()
    items = await in_database(plain_summary, session)
    assert [answer["text"] for item in items for answer in item["answers"]] == [ANSWER]


async def test_a_question_back_is_one_in_arabic_too(model):
    talk = await transfer(options={"languages": ["ar"]})
    model.always(EXTRACT, '{"heard": "no ask_back", "confidence": "low"}')
    model.always("interviews.counter_question", "من سيتولى العمل بعدك يقرأ ذلك.")
    await talk.say("من سيقرأ هذا؟")
    assert (await talk.turns())[-1].decision["reason"] == "question_back"
