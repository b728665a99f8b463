"""The stages are gone through once a turn, however often `step` is called."""

import pytest

from interviews.engine.common_rules import decide, rules_reading
from interviews.engine.result import NeedsCalls, TurnResult
from interviews.protocols.laddering import stage_cache
from interviews.protocols.laddering.protocol import PROTOCOL
from llm.tasks.outcome import Outcome, Source
from tests.interviews.protocols.laddering import RICH, Laddering, Model, found, heard


@pytest.fixture
def counted(monkeypatch):
    """How often the stages were gone through."""
    calls = []
    decided = stage_cache.decide
    monkeypatch.setattr(
        stage_cache, "decide", lambda *a: calls.append(a[0].reading.depth) or decided(*a)
    )
    stage_cache._decide.cache_clear()
    stage_cache._guess.cache_clear()
    return calls


def readings(depth: str = "deep") -> dict[str, Outcome]:
    """Both readings of one answer."""
    return {
        "extract": Outcome(found("warm light: attribute"), Source.MODEL),
        "signals": Outcome(heard(depth), Source.MODEL),
    }


def test_while_a_question_is_being_written_nothing_is_decided_anew(counted):
    run = Laddering()
    now, read = run.here(RICH), readings()
    concepts = ["warm light | attribute |", "a lid | attribute |", "and so on"]
    for begun in ("d", "de", "dee", "deep") * 5:
        partials = {"signals": {"depth": begun}, "extract": {"concepts": concepts}}
        assert isinstance(PROTOCOL.step(now, {}), NeedsCalls)
        assert PROTOCOL.prefetch(now, {}, partials)
        PROTOCOL.preview(now, {}, partials)
    steps = [PROTOCOL.step(now, dict(read)) for _ in range(20)]
    assert all(isinstance(step, NeedsCalls) for step in steps)
    asked = Outcome("And what does that do for you?", Source.MODEL)
    (call,) = steps[0].inquiries
    assert isinstance(PROTOCOL.step(now, {**read, call.key: asked}), TurnResult)
    assert counted == ["deep", "deep"]  # by its first concept, and once it is read


def test_a_common_rule_that_waits_for_an_answer_makes_nothing_anew(counted):
    run = Laddering()
    run.state = run.state.model_copy(update={"awaiting": "stop"})
    now, read = run.here(RICH), readings()
    for _ in range(5):
        decide(PROTOCOL, now, read, rules_reading(PROTOCOL, now))
        PROTOCOL.preview(now, read, {})
    assert counted == ["deep"]


def test_another_reading_or_another_answer_is_another_turn(counted):
    run = Laddering()
    now = run.here(RICH)
    PROTOCOL.step(now, readings("deep"))
    PROTOCOL.step(now, readings("shallow"))
    PROTOCOL.step(run.here(RICH), readings("deep"))
    assert counted == ["deep", "shallow", "deep"]


def test_two_interviews_at_the_same_time_keep_apart():
    one, other = Laddering(model=Model()), Laddering(model=Model())
    one.model.readings = [(found("warm light: attribute"), heard())]
    other.model.readings = [(found("price: attribute"), heard())]
    one.say(RICH)
    other.say(RICH)
    assert [node.text for node in one.state.graph.nodes] == ["warm light"]
    assert [node.text for node in other.state.graph.nodes] == ["price"]
