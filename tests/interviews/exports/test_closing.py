"""The closing question in exports and results: told apart, and no question of the plan."""

import pytest

from interviews.engine.result import LAST
from llm.concurrency.threads import in_database
from reflections.evidence.material import transcript_of
from reflections.protocols.knowledge_transfer import makers
from reflections.protocols.knowledge_transfer.questions import open_points_of, questions_of
from reflections.protocols.technical_assessment.makers import record_of
from reflections.protocols.technical_assessment.report.unjudged import unjudged_answers
from reflections.summaries.makers import plain_summary
from tests.interviews.exports.reading import read
from tests.interviews.talk import Talk
from tests.interviews.test_distress import begun

pytestmark = pytest.mark.django_db(transaction=True)
CLOSING = ("technical_assessment", "knowledge_transfer", "laddering")
MORE = "The drying rack in the cellar falls over when nobody has greased it since the spring."


async def to_the_end(kind: str, last: str = MORE) -> tuple[Talk, int]:
    """An interview that was asked the closing question, and how many answers came before."""
    talk = await begun(kind)
    for number in range(40):
        if (await talk.session()).state["last_asked"]:
            await talk.say(last)
            assert (await talk.session()).status == "COMPLETED"
            return talk, number
        await talk.say(f"We took the lamp number {number} to the balcony, so that we could read.")
    raise AssertionError("no closing question")


@pytest.mark.parametrize("kind", CLOSING)
async def test_its_answer_is_in_every_export_and_result(kind):
    talk, before = await to_the_end(kind)
    session = await talk.session()
    asked, told = (await in_database(read, "transcripts"))[-3:-1]
    assert (asked["kind"], asked["question"]) == ("last_question", LAST)
    assert (told["kind"], told["question"], told["text"]) == ("user_answer", LAST, MORE)
    (row,) = await in_database(read, "sessions")
    assert int(row["answers"]) == before + 1
    assert int(row["questions_asked"]) + int(row["follow_ups"]) == before
    transcript = await in_database(transcript_of, session)
    assert MORE in [line.text for line in transcript.lines]
    *_, last = await in_database(plain_summary, session)
    assert (last["question"], [one["text"] for one in last["answers"]]) == (LAST, [MORE])


async def test_a_handover_hands_it_on():
    talk, _ = await to_the_end("knowledge_transfer")
    handover = await in_database(makers.handover_of, await talk.session())
    said = {one.id: [answer.text for answer in one.answers] for one in questions_of(handover)}
    assert said[LAST] == [MORE]
    row = next(one for one in await in_database(read, "backlog") if one["question"] == LAST)
    assert (row["origin"], row["question_status"]) == ("LAST", "ANSWERED_BY_INTERVIEW")


@pytest.mark.parametrize("last", ["Skip.", "I don't know.", "It depends."])
async def test_left_open_it_is_no_open_point(last):
    talk, _ = await to_the_end("knowledge_transfer", last)
    handover = await in_database(makers.handover_of, await talk.session())
    assert LAST not in [point.id for point in open_points_of(handover)]


@pytest.mark.parametrize("last", [MORE, "Skip.", "I don't know."])
async def test_an_assessment_leaves_nothing_of_it_to_judge(last):
    talk, _ = await to_the_end("technical_assessment", last)
    record = await in_database(record_of, await talk.session())
    assert "closing" in record.observed[-1].flags
    assert record.observed[-1].position not in [one.position for one in unjudged_answers(record)]


@pytest.mark.parametrize("kind", CLOSING)
async def test_words_that_leave_it_are_in_no_result(kind):
    talk, _ = await to_the_end(kind, "Skip this one, please.")
    transcript = await in_database(transcript_of, await talk.session())
    assert "Skip this one, please." not in [line.text for line in transcript.lines]
