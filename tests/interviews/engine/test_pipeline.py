"""The loop of a turn: asks once, side by side, drops what is not needed, shows what is certain."""

import asyncio
import threading
from dataclasses import replace

import pytest

from interviews.engine import pipeline, reading
from interviews.engine.guards import Limits, check
from interviews.engine.language.distress import in_distress
from interviews.engine.pipeline import NeverSettles, replay, run
from interviews.engine.protocol import InterviewProtocol
from interviews.engine.reading import read_by_rules, so_far
from interviews.engine.result import NeedsCalls, TaskCall, TurnResult
from interviews.protocols.life_story.protocol import PROTOCOL
from interviews.protocols.life_story.tasks import plan_without_a_model
from llm.tasks.outcome import Outcome, Source
from tests.each import each
from tests.interviews.protocols.here import asks, here, move_on, noted, stay
from tests.readings import READ, follows_up, heard

LONG = "We had a wooden desk by the window and the stove was lit before anybody came in. " * 2


@pytest.fixture(autouse=True, scope="module")
def _lists_are_read() -> None:
    check("Who sat beside you?", Limits("en"))
    read_by_rules(LONG, "en", "Why?")


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


@pytest.fixture
def _unbatched(monkeypatch):
    monkeypatch.setattr(pipeline, "BATCH", 0.0)


@pytest.mark.usefixtures("_unbatched")
async def test_a_follow_up_drops_the_next_question_and_streams():
    written = [follows_up(words) for words in ("Who sat beside ", "Who sat beside you")]
    model = Model(
        {
            "plan": (0.01, written, stay()),
            "notes": (0.5, [], noted(desk="oak")),
            "personalise.2": (9, [], asks("And work?")),
        }
    )
    shown = []
    move, readings = await run(PROTOCOL, here(LONG), model, shown.append)
    assert move.reason == "follow_up"
    assert sorted(model.asked) == ["notes", "personalise.2", "plan"]
    assert model.dropped == ["personalise.2"]
    assert set(readings) == {"plan", "notes"}
    assert list(dict.fromkeys(filter(None, shown))) == [
        "Who sat",
        "Who sat beside",
        "Who sat beside you?",
    ]


@pytest.mark.usefixtures("_unbatched")
async def test_a_turn_is_decided_once_for_each_thing_learnt_not_for_each_word(monkeypatch):
    made = []
    monkeypatch.setattr(
        PROTOCOL, "step", lambda *now, step=PROTOCOL.step: made.append(1) or step(*now)
    )
    assert len(set(await _streamed(LONG))) > 5
    assert len(made) <= 4  # unread, read so far, the notes, the plan


@pytest.fixture
def listening(monkeypatch):
    """The threads in which an answer was looked through for signs of distress."""
    threads = []

    def listens(text):
        threads.append(threading.current_thread())
        return in_distress(text)

    monkeypatch.setattr(reading, "in_distress", listens)
    return threads


async def _streamed(answer: str) -> list[str]:
    """A turn whose model writes its reply bit by bit; all that was shown meanwhile."""
    said = "Who sat beside you there on all of those cold winter mornings"
    words = [follows_up(said[:end]) for end in range(3, len(said), 3)]
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


@pytest.mark.usefixtures("_unbatched")
async def test_an_answer_is_looked_through_once_however_often_the_model_is_heard(listening):
    assert len(set(await _streamed(LONG))) > 5
    assert listening == [threading.main_thread()]


async def test_the_first_words_are_shown_at_once_and_the_end_waits_for_no_batch(monkeypatch):
    monkeypatch.setattr(pipeline, "BATCH", 9.0)
    began = asyncio.get_running_loop().time()
    first, *later = filter(None, dict.fromkeys(await _streamed(LONG)))
    assert first == "Who"
    assert len(later) <= 1  # once the notes are there
    assert asyncio.get_running_loop().time() - began < 3


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


@each(
    ("partial", "expected"),
    [
        ({}, None),
        ({"heard": "no sto"}, None),
        ({"heard": "no stop"}, None),  # it may still grow
        ({"heard": "no stop", "action": "NEXT"}, "stop"),
        ({"action": "NEXT", "heard": "no stop"}, None),
        ({"action": "NEXT", "heard": "no stop", "why": ""}, "stop"),
        ({"action": "NEXT", "why": ""}, None),
        ({"heard": "no refuse: my bro"}, None),
        ({"heard": "no refuse: my brother", "action": ""}, "refuse"),
        ({"heard": "no refuse:", "action": ""}, "refuse"),
        ({"heard": ["no", "ask_back"], "action": ""}, "ask_back"),
        ({"heard": "unknown", "action": ""}, "dont_know"),
        ({"heard": None, "action": ""}, "answer"),
        ({"heard": "", "action": ""}, "answer"),
        ({"heard": [], "action": ""}, "answer"),
        ({"heard": 7, "action": ""}, "answer"),
        ({"heard": {"answers": "no"}, "action": ""}, "answer"),
    ],
)
def test_what_is_known_of_a_reading_while_it_is_written(partial, expected):
    read = so_far(partial, read_by_rules("We moved.", "en", "And then?"))
    assert (read.intent if read else None) == expected


async def test_care_does_not_wait_for_the_rest_of_the_reading():
    model = Model(
        {
            "plan": (9, [heard(care="acute") | {"action": ""}], stay()),
            "notes": (9, [], noted()),
            "personalise.2": (9, [], asks("And work?")),
        }
    )
    ctx = here("I could go on for ever, but they would be better off with one chair less.")
    result, results = await run(PROTOCOL, ctx, model, lambda _: None)
    assert (result.reason, results) == ("distress", {})
    stored = result.read_by_rules["reading"]
    assert (stored["care"], stored["by"]) == ("acute", "model")
    again = replay(PROTOCOL, replace(ctx, remembered=result.read_by_rules), results)
    assert again.utterances == result.utterances


def said(text: str) -> Outcome[str]:
    return Outcome(text, Source.MODEL)


async def test_a_question_back_is_answered_beside_the_rest_of_the_reading():
    model = Model(
        {
            "plan": (0.5, [heard("ask_back") | {"action": ""}], move_on(intent="ask_back")),
            "notes": (9, [], noted()),
            "personalise.2": (9, [], asks("And work?")),
            "answer": (
                0.02,
                [{"text": "Only the two of us."}],
                Outcome("Only we do.", Source.MODEL),
            ),
        }
    )
    shown: list[str] = []
    result, _ = await run(
        PROTOCOL, here("Who is going to see it, apart from us?"), model, shown.append
    )
    assert result.reason == "question_back"
    assert sorted(model.asked) == ["answer", "notes", "personalise.2", "plan"]  # each but once
    assert sorted(model.dropped) == ["notes", "personalise.2"]  # the rest may hold content
    assert "Only the two of us." in shown


@pytest.mark.usefixtures("_unbatched")
async def test_a_reading_that_breaks_off_is_read_by_rules():
    broken = Outcome(plan_without_a_model(PROTOCOL.reading_call(here(LONG)).data), Source.FALLBACK)
    model = Model(
        {
            "plan": (0.05, [READ, follows_up("Who sat beside "), {}], broken),
            "notes": (0.01, [], noted()),
            "personalise.2": (0.01, [], asks("And work?")),
        }
    )
    shown: list[str] = []
    result, _ = await run(PROTOCOL, here(LONG), model, shown.append)
    assert result.read_by_rules["reading"]["by"] == "rules"
    assert shown[-1] == ""
    assert model.dropped == []


def test_a_turn_whose_reading_was_not_stored_is_made_again():
    stopped = replay(PROTOCOL, here("Let's stop here."), {})
    assert stopped.reason == "stop_to_confirm"
    answered = replay(PROTOCOL, here(LONG), {"plan": stay(), "notes": noted(desk="oak")})
    assert answered.reason == "follow_up"


class Endless(InterviewProtocol):
    """A protocol that always wants one thing more."""

    reading_key = "k0"

    def __init__(self, template: TaskCall) -> None:
        self.template = template

    def repeat_question(self, ctx):
        return PROTOCOL.repeat_question(ctx)

    def reading_call(self, ctx):
        return self.call("k0")

    def step(self, ctx, results):
        return NeedsCalls((self.call(f"k{len(results)}"),))

    def preview(self, ctx, results, partials):
        return ""

    def call(self, key):
        return TaskCall(key, self.template.task, self.template.data)


async def test_a_protocol_that_never_settles_is_found_out():
    async def at_once(inquiry, heard):
        return stay()

    with pytest.raises(NeverSettles):
        await run(Endless(PROTOCOL.reading_call(here(LONG))), here(LONG), at_once, lambda _: None)


class InTwoSteps(Endless):
    """One call after the other; what the second is about shows early in the first."""

    reading_key = "first"

    def reading_call(self, ctx):
        return self.call("first")

    def step(self, ctx, results):
        missing = [key for key in ("first", "second") if key not in results]
        if missing:
            return NeedsCalls((self.call(missing[0]),))
        return TurnResult(ctx.state, (), "done")

    def prefetch(self, ctx, results, partials):
        known = {"about": "guess", "sure": "second"}.get(partials.get("first", {}).get("next"))
        return (self.call(known),) if known and known not in results else ()


async def _in_two_steps(first_says: list[str]) -> tuple[list[str], Model]:
    ctx = here(LONG)
    partials = [READ | {"next": said} for said in first_says]
    model = Model({"first": (0.1, partials, stay()), "second": (0, [], 2), "guess": (9, [], 3)})
    protocol = InTwoSteps(PROTOCOL.reading_call(ctx))
    _result, results = await run(protocol, ctx, model, lambda text: None)
    return sorted(results), model


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
