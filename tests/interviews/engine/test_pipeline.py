"""The loop of a turn: asks once, side by side, drops what is not needed, shows what is certain."""

import asyncio
import threading
import time
from dataclasses import replace

import pytest

from interviews.engine import pipeline, reading
from interviews.engine.context import AnyContext
from interviews.engine.guards import Limits, check
from interviews.engine.language.distress import in_distress
from interviews.engine.pipeline import NeverSettles, replay, run
from interviews.engine.protocol import InterviewProtocol
from interviews.engine.reading import Heard, read_by_rules, so_far
from interviews.engine.result import NeedsCalls, TaskCall, TurnResult
from interviews.protocols.life_story.protocol import PROTOCOL
from tests.each import each
from tests.interviews.engine.tiny import READ as LISTEN
from tests.interviews.engine.tiny import TINY, by_model, turn
from tests.interviews.protocols.here import OFFLINE, here, leads, plan
from tests.readings import READ, heard

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


STAY = {"heard": "fully stay"}
SAT = "Who sat beside you there on all of those cold winter mornings"


def room(answer: str = LONG) -> AnyContext:
    """A turn in which there is time to stay."""
    return here(answer, plan=plan(4))


@pytest.mark.usefixtures("_unbatched")
async def test_a_reply_is_shown_while_it_is_written():
    written = [STAY | {"say": words} for words in ("Who sat beside ", "Who sat beside you")]
    written += [STAY | {"say": "Who sat beside you?", "notes": []}]
    model = Model({"lead": (0.01, written, leads("fully stay", "Who sat beside you?"))})
    shown = []
    move, results = await run(PROTOCOL, room(), model, shown.append)
    assert (move.reason, model.asked, list(results)) == ("stay", ["lead"], ["lead"])
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
    assert len(made) <= 3  # unread, read so far, the whole reply


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
    words = [STAY | {"say": SAT[:end]} for end in range(3, len(SAT), 3)]
    model = Model({"lead": (0.03, words, leads("fully stay", f"{SAT}?"))})
    shown: list[str] = []
    move, _results = await run(PROTOCOL, room(answer), model, shown.append)
    assert move.reason == "stay"
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
    assert not later
    assert asyncio.get_running_loop().time() - began < 3


async def test_nobody_waits_while_a_long_answer_is_looked_through(listening):
    await _streamed(LONG * 20)
    assert len(listening) == 1
    assert listening != [threading.main_thread()]


@pytest.mark.parametrize("times", [1, 20])
async def test_nobody_waits_while_rules_decide_what_a_long_answer_leads_to(monkeypatch, times):
    decide, threads = pipeline.decide, set()

    def decides(*given):
        threads.add(threading.current_thread() is threading.main_thread())
        return decide(*given)

    monkeypatch.setattr(pipeline, "decide", decides)
    await _streamed(LONG * times)
    assert threads == {times == 1}


async def test_long_answers_are_read_one_after_the_other(monkeypatch):
    read, reading, most = pipeline.rules_reading, [], []

    def reads(*given):
        reading.append(None)
        most.append(len(reading))
        time.sleep(0.05)
        reading.pop()
        return read(*given)

    monkeypatch.setattr(pipeline, "rules_reading", reads)
    await asyncio.gather(*(_streamed(LONG * 20) for _ in range(3)))
    assert most == [1, 1, 1]


async def test_calls_run_side_by_side():
    model = Model({"first": (0.2, [], None), "second": (0.2, [], None)})
    began = asyncio.get_running_loop().time()
    await run(SideBySide(PROTOCOL.reading_call(room())), here("skip"), model, lambda _: None)
    assert asyncio.get_running_loop().time() - began < 0.4


async def test_a_fault_of_ours_comes_out_and_leaves_nothing_running():
    async def broken(call, heard):
        if call.key == "first":
            raise ValueError("ours")
        await asyncio.sleep(9)

    protocol = SideBySide(PROTOCOL.reading_call(room()))
    with pytest.raises(ValueError, match="ours"):
        await run(protocol, here("skip"), broken, lambda _: None)
    assert len(asyncio.all_tasks()) == 1


@each(
    ("partial", "expected"),
    [
        ({}, None),
        ({"heard": "no sto"}, None),
        ({"heard": "no stop"}, None),  # it may still grow
        ({"heard": "no stop", "say": "Now"}, "stop"),
        ({"say": "Now", "heard": "no stop"}, None),
        ({"say": "Now", "heard": "no stop", "why": ""}, "stop"),
        ({"say": "Now", "why": ""}, None),
        ({"heard": "no refuse: my bro"}, None),
        ({"heard": "no refuse: my brother", "say": ""}, "refuse"),
        ({"heard": "no refuse:", "say": ""}, "refuse"),
        ({"heard": ["no", "ask_back"], "say": ""}, "ask_back"),
        ({"heard": "unknown", "say": ""}, "dont_know"),
        ({"heard": None, "say": ""}, "answer"),
        ({"heard": "", "say": ""}, "answer"),
        ({"heard": [], "say": ""}, "answer"),
        ({"heard": 7, "say": ""}, "answer"),
        ({"heard": {"answers": "no"}, "say": ""}, "answer"),
    ],
)
def test_what_is_known_of_a_reading_while_it_is_written(partial, expected):
    read = so_far(partial, read_by_rules("We moved.", "en", "And then?"))
    assert (read.intent if read else None) == expected


async def test_care_does_not_wait_for_the_rest_of_the_reply():
    model = Model({"lead": (9, [heard(care="acute") | {"say": ""}], leads("fully stay"))})
    ctx = here("I could go on for ever, but they would be better off with one chair less.")
    result, results = await run(PROTOCOL, ctx, model, lambda _: None)
    assert (result.reason, results) == ("distress", {})
    stored = result.read_by_rules["reading"]
    assert (stored["care"], stored["by"]) == ("acute", "model")
    again = replay(PROTOCOL, replace(ctx, remembered=result.read_by_rules), results)
    assert again.utterances == result.utterances


async def test_a_question_back_is_answered_beside_the_rest_of_the_reading():
    model = Model(
        {
            LISTEN: (0.5, [heard("ask_back") | {"next": ""}], by_model(Heard(**heard("ask_back")))),
            "answer": (0.02, [{"text": "Only the two of us."}], by_model("Only we do.")),
        }
    )
    shown: list[str] = []
    result, _ = await run(TINY, turn("Who sees it, apart from us?"), model, shown.append)
    assert result.reason == "question_back"
    assert model.asked == [LISTEN, "answer"]  # each but once
    assert "Only the two of us." in shown


async def test_where_one_call_leads_the_reply_to_a_question_back_is_shown_from_it():
    say = "Only the two of us. What was school like?"
    written = [{"heard": "no again ask_back", "say": say[:end]} for end in (4, 21, len(say))]
    model = Model({"lead": (0.02, written, leads("no again ask_back", say))})
    shown: list[str] = []
    result, _ = await run(PROTOCOL, here("Who sees it, apart from us?"), model, shown.append)
    assert result.reason == "question_back"
    assert set(shown) == {"", "Only the two of us."}


@pytest.mark.usefixtures("_unbatched")
async def test_a_reading_that_breaks_off_is_read_by_rules():
    written = [STAY | {"say": "Who sat beside "}, {}]
    model = Model({"lead": (0.05, written, OFFLINE)})
    shown: list[str] = []
    result, _ = await run(PROTOCOL, room(), model, shown.append)
    assert result.read_by_rules["reading"]["by"] == "rules"
    assert shown[-1] == ""
    assert model.dropped == []


def test_a_turn_whose_reading_was_not_stored_is_made_again():
    stopped = replay(PROTOCOL, here("Let's stop here."), {})
    assert stopped.reason == "stop_to_confirm"
    answered = replay(PROTOCOL, room(), {"lead": leads("fully stay", "Who sat beside you?")})
    assert answered.reason == "stay"


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
        return OFFLINE

    with pytest.raises(NeverSettles):
        await run(Endless(PROTOCOL.reading_call(here(LONG))), here(LONG), at_once, lambda _: None)


class SideBySide(Endless):
    """Two calls at once."""

    def step(self, ctx, results):
        missing = [self.call(key) for key in ("first", "second") if key not in results]
        return NeedsCalls(tuple(missing)) if missing else TurnResult(ctx.state, (), "done")

    def progress(self, ctx, state):
        return 1, 1, "questions"


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
    model = Model({"first": (0.1, partials, OFFLINE), "second": (0, [], 2), "guess": (9, [], 3)})
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
