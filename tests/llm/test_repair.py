"""What goes back to the model when its reply cannot be used."""

from llm.gateway import ask
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import Source
from llm.tasks.records import CallRecord
from tests.llm.samples import GOOD, VERDICT, Question, Verdict, outcomes
from tests.scripted import Reply, Stop, scripted

GOOD_VERDICT = Verdict.model_validate(GOOD)


async def test_the_reply_goes_back_with_its_errors(subject: CallContext) -> None:
    scripted.reply(VERDICT.name, '{"action": "fly", "text": "up"}', GOOD_VERDICT)
    answer = await ask(VERDICT, Question(), subject)
    assert (answer.value, answer.source, answer.reason) == (GOOD_VERDICT, Source.MODEL, "")
    first, second = scripted.requests
    assert second.messages[: len(first.messages)] == first.messages
    said, again = second.messages[len(first.messages) :]
    assert (said.role, said.text) == ("assistant", '{"action": "fly", "text": "up"}')
    assert again.role == "user"
    assert "- action: Input should be 'stay' or 'go'" in again.text
    assert "- score: Field required" in again.text


async def test_a_long_bad_reply_goes_back_cut(subject: CallContext) -> None:
    scripted.reply(VERDICT.name, "x" * 100_000, GOOD_VERDICT)
    await ask(VERDICT, Question(), subject)
    assert len(scripted.requests[1].messages[-2].text) == 8_000


async def test_a_truncated_reply_gets_more_room(subject: CallContext) -> None:
    scripted.reply(VERDICT.name, Reply('{"action": "st', stop=Stop.LENGTH), GOOD_VERDICT)
    await ask(VERDICT, Question(), subject)
    assert [request.max_tokens for request in scripted.requests] == [700, 1400]


async def test_an_empty_reply_is_simply_asked_again(subject: CallContext) -> None:
    scripted.reply(VERDICT.name, "  ", GOOD_VERDICT)
    await ask(VERDICT, Question(), subject)
    first, second = scripted.requests
    assert first == second


async def test_the_record_says_what_was_wrong(
    subject: CallContext, records: list[CallRecord]
) -> None:
    scripted.reply(VERDICT.name, "{}", "nothing at all")
    assert (await ask(VERDICT, Question(), subject)).reason == "scripted: invalid"
    assert outcomes(records) == ["invalid", "invalid"]
    assert "action: Field required" in records[0].error
    assert "no complete JSON object" in records[1].error
