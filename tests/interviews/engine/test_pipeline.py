"""The loop of a turn: asks once, side by side, drops what is not needed, shows what is certain."""

import asyncio
import threading

import pytest

from interviews.engine import common_rules
from interviews.engine.language.distress import in_distress
from interviews.engine.pipeline import NeverSettles, run
from interviews.engine.protocol import InterviewProtocol
from interviews.engine.result import NeedsCalls, TaskCall, TurnResult
from interviews.protocols.life_story.protocol import PROTOCOL
from tests.interviews.protocols.here import asks, here, move_on, noted, stay

LONG = "We had a wooden desk by the window and the stove was lit before anybody came in. " * 2


class Model:
    """Answers when it is told to."""

    def __init__(self, answers) -> None:
        self.answers = answers
        self.asked: list[str] = []
        self.dropped: list[str] = []

    async def __call__(self, inquiry, heard):
        self.asked.append(inquiry.key)
        delay, partials, answer = self.answers[inquiry.key]
        try:
            for partial in partials:
                await asyncio.sleep(0.01)
                heard(partial)
            await asyncio.sleep(delay)
        except asyncio.CancelledError:
            self.dropped.append(inquiry.key)
            raise
        return answer


async def test_a_follow_up_drops_the_next_question_and_streams():
    written = [
        {"action": "FOLLOW_UP", "emotional_content": False, "next_utterance": "Who"},
        {"action": "FOLLOW_UP", "emotional_content": False, "next_utterance": "Who sat"},
    ]
    model = Model(
        {
            "plan": (0.01, written, stay()),
            "notes": (0.03, [], noted(desk="oak")),
            "personalise.2": (9, [], asks("And work?")),
        }
    )
    shown = []
    move, readings = await run(PROTOCOL, here(LONG), model, shown.append)
    assert move.reason == "follow_up"
    assert sorted(model.asked) == ["notes", "personalise.2", "plan"]
    assert model.dropped == ["personalise.2"]
    assert set(readings) == {"plan", "notes"}
    assert [text for text in shown if text][:2] == ["Who", "Who sat"]


@pytest.fixture
def listening(monkeypatch):
    """The threads in which an answer was looked through for signs of distress."""
    threads = []

    def listens(text):
        threads.append(threading.current_thread())
        return in_distress(text)

    monkeypatch.setattr(common_rules, "in_distress", listens)
    return threads


async def _streamed(answer: str) -> list[str]:
    """A turn whose model writes its reply bit by bit; all that was shown meanwhile."""
    words = [
        {"action": "FOLLOW_UP", "emotional_content": False, "next_utterance": "Who sat there"[:end]}
        for end in range(3, 13)
    ]
    model = Model(
        {
            "plan": (0.01, words, stay()),
            "notes": (0.03, [], noted()),
            "personalise.2": (9, [], asks("And work?")),
        }
    )
    shown: list[str] = []
    move, _readings = await run(PROTOCOL, here(answer), model, shown.append)
    assert move.reason == "follow_up"
    return shown


async def test_an_answer_is_looked_through_once_however_often_the_model_is_heard(listening):
    assert len(set(await _streamed(LONG))) > 5
    assert listening == [threading.main_thread()]


async def test_nobody_waits_while_a_long_answer_is_looked_through(listening):
    await _streamed(LONG * 20)
    assert len(listening) == 1
    assert listening != [threading.main_thread()]


async def test_calls_run_side_by_side():
    model = Model(
        {
            "plan": (0.2, [], move_on()),
            "notes": (0.2, [], noted()),
            "personalise.2": (0.2, [], asks("And work?")),
        }
    )
    began = asyncio.get_running_loop().time()
    await run(PROTOCOL, here(LONG), model, lambda _: None)
    assert asyncio.get_running_loop().time() - began < 0.4


async def test_a_fault_of_ours_comes_out_and_leaves_nothing_running():
    async def broken(inquiry, heard):
        if inquiry.key == "plan":
            raise ValueError("ours")
        await asyncio.sleep(9)

    with pytest.raises(ValueError, match="ours"):
        await run(PROTOCOL, here(LONG), broken, lambda _: None)
    assert len(asyncio.all_tasks()) == 1


class Endless(InterviewProtocol):
    """A protocol that always wants one thing more."""

    def __init__(self, template: TaskCall) -> None:
        self.template = template

    def step(self, now, readings):
        key = f"k{len(readings)}"
        return NeedsCalls((TaskCall(key, self.template.task, self.template.data),))

    def preview(self, now, readings, partials):
        return ""


async def test_a_protocol_that_never_settles_is_found_out():
    template = PROTOCOL.step(here(LONG), {}).inquiries[0]

    async def at_once(inquiry, heard):
        return stay()

    with pytest.raises(NeverSettles):
        await run(Endless(template), here(LONG), at_once, lambda _: None)


class InTwoSteps(InterviewProtocol):
    """One reading after the other; what the second is about shows early in the first."""

    def __init__(self, template: TaskCall) -> None:
        self.template = template

    def step(self, now, readings):
        if "first" not in readings:
            return NeedsCalls((self._inquiry("first"),))
        if "second" not in readings:
            return NeedsCalls((self._inquiry("second"),))
        return TurnResult(now.state, (), "done")

    def prefetch(self, now, readings, partials):
        known = {"about": "guess", "sure": "second"}.get(partials.get("first", {}).get("next"))
        return (self._inquiry(known),) if known and known not in readings else ()

    def preview(self, now, readings, partials):
        return ""

    def _inquiry(self, key):
        return TaskCall(key, self.template.task, self.template.data)


async def _in_two_steps(first_says: list[str]) -> tuple[list[str], Model]:
    now = here(LONG)
    partials = [{"next": said} for said in first_says]
    model = Model({"first": (0.1, partials, 1), "second": (0, [], 2), "guess": (9, [], 3)})
    template = PROTOCOL.step(now, {}).inquiries[0]
    _move, readings = await run(InTwoSteps(template), now, model, lambda text: None)
    return sorted(readings), model


async def test_what_is_certain_to_be_wanted_is_asked_ahead():
    readings, model = await _in_two_steps(["sure"])
    assert readings == ["first", "second"]
    assert model.asked == ["first", "second"]


async def test_what_turns_out_not_to_be_wanted_is_dropped():
    readings, model = await _in_two_steps(["about", "sure"])
    assert readings == ["first", "second"]
    assert model.dropped == ["guess"]


async def test_nothing_is_asked_ahead_of_what_is_not_known():
    readings, model = await _in_two_steps([])
    assert (readings, model.asked) == (["first", "second"], ["first", "second"])
