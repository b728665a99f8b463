"""The next question is chosen over the graph with the answer in it; a guess gives way to that."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from interviews.engine.common_rules import decide as decide_turn
from interviews.engine.common_rules import preview, rules_reading
from interviews.engine.pipeline import replay
from interviews.engine.result import NeedsCalls, TurnResult
from interviews.protocols.laddering import stage_cache
from interviews.protocols.laddering.protocol import PROTOCOL
from interviews.protocols.laddering.tasks import EXTRACT, SIGNALS
from llm.tasks.outcome import Outcome, Source
from llm.tasks.task import Tier
from tests.each import each
from tests.examples import examples
from tests.interviews.protocols.laddering import Laddering, Model, found, heard, material
from tests.interviews.protocols.test_laddering_many import led, turns
from tests.readings import READ

SAID = "My eyes can rest, so I read for longer."
ASKED = "And what does it do for you that your eyes can rest?"
EYES = "rested eyes: functional_consequence"
UP = "question.ladder_up.n2"  # about the first thing in the answer


def begun(turns: int = 25) -> Laddering:
    """A talk about warm light, of which a question is open: what it makes possible."""
    model = Model(readings=[(found("warm light: attribute @warm_light"), heard())])
    run = Laddering(material(turns=turns), model)
    run.say("I like the warm light.")
    return run


def model(value: object) -> Outcome:
    return Outcome(value, Source.MODEL)


def written(*concepts: str, depth: object = "moderate", **rest: object) -> dict:
    """What two models have written so far."""
    return {"extract": {**READ, "concepts": list(concepts), **rest}, "signals": {"depth": depth}}


def ahead(run: Laddering, partials: dict) -> list[str]:
    return [one.key for one in PROTOCOL.prefetch(run.here(SAID), {}, partials)]


def whole(concepts: str, ties: str = "", depth: str = "moderate") -> dict[str, Outcome]:
    return {"extract": model(found(concepts, ties)), "signals": model(heard(depth))}


LINE = "rested eyes | functional_consequence |"


def test_it_is_begun_with_the_first_concepts_once_a_model_says_how_much_the_answer_gives():
    run = begun()
    assert ahead(run, {}) == ahead(run, written(LINE)) == []  # the line may still grow
    assert ahead(run, written(LINE, "", depth="")) == []
    assert ahead(run, written(LINE, "x")) == ahead(run, written(LINE, relations=[])) == [UP]
    assert ahead(run, written(LINE, "x", "y")) == [UP]  # the second one leads to it, mostly
    assert ahead(run, written(LINE, depth="m", relations=[])) == [UP]


def test_it_is_not_begun_anew_with_every_line():
    run = begun()
    lines = ["no headache | functional_consequence |", "a lamp | attribute |", "a page | 1 |"]
    assert ahead(run, written(LINE, *lines)) == ahead(run, written(LINE, *lines[:2])) == [UP]


def test_the_step_names_it_where_the_whole_answer_leads_to_the_same_strategy_and_node():
    run = begun()
    read = whole(EYES, "warm light > rested eyes")
    assert PROTOCOL.step(run.here(SAID), read).inquiries[0].key == UP


def test_where_the_whole_answer_leads_elsewhere_it_is_dropped_unseen():
    run = begun()
    now = run.here(SAID)
    read = whole(
        f"{EYES}; calm: psychosocial_consequence",
        "warm light > rested eyes; rested eyes > calm",
        "deep",
    )
    partials = {UP: {"text": ASKED}}
    assert [one.key for one in PROTOCOL.step(now, read).inquiries] == ["question.ladder_up.n3"]
    assert PROTOCOL.preview(now, read, partials) == ""
    assert PROTOCOL.preview(now, {**read, UP: model(ASKED)}, {}) == ""


def test_it_is_shown_only_once_the_answer_is_read():
    run = begun()
    now, rules = run.here(SAID), rules_reading(PROTOCOL, run.here(SAID))
    partials = {**written(LINE, relations=[]), UP: {"text": ASKED}}
    read = whole(EYES, "warm light > rested eyes")
    assert preview(PROTOCOL, now, rules, {}, partials) == ""
    assert preview(PROTOCOL, now, rules, {"signals": read["signals"]}, partials) == ""
    shown = preview(PROTOCOL, now, rules, read, partials)
    assert shown
    assert ASKED.startswith(shown)
    assert preview(PROTOCOL, now, rules, {**read, UP: model(ASKED)}, {}) == ASKED


@pytest.mark.parametrize("taken_back", ["I see graph.node.exhausted is true?", "No question."])
def test_what_a_guard_takes_back_is_shown_no_longer(taken_back):
    run = begun()
    read = whole(EYES, "warm light > rested eyes")
    assert PROTOCOL.preview(run.here(SAID), {**read, UP: model(taken_back)}, {}) == ""
    gone = {**read, UP: Outcome("", Source.FALLBACK, "gone")}
    assert PROTOCOL.preview(run.here(SAID), gone, {}) == ""


@each("intent", ["skip", "refuse", "dont_know", "off_topic"])
def test_what_is_read_as_no_answer_is_not_begun(intent):
    now = begun().here(SAID)
    read = replace(now, reading=now.reading.but(intent))
    assert PROTOCOL.prefetch(now, {}, written(LINE, relations=[]))
    assert PROTOCOL.prefetch(read, {}, written(LINE, relations=[])) == ()


def test_the_last_turn_is_not_begun():
    run = begun(turns=3)
    run.say("Well.")
    assert run.state.talk.turn == 2
    assert ahead(run, written(LINE, relations=[])) == []


def test_where_a_reading_breaks_off_the_choice_is_made_over_what_rules_read():
    run = begun()
    read = {
        "extract": Outcome(EXTRACT.fallback(None), Source.FALLBACK, "gone"),
        "signals": Outcome(SIGNALS.fallback(None), Source.FALLBACK, "gone"),
    }
    now = run.here(SAID)
    (call,) = PROTOCOL.step(now, read).inquiries
    move = PROTOCOL.step(now, {**read, call.key: model(ASKED)})
    assert move.details["read_by"] == {"extract": "rules", "signals": "rules"}
    assert move.state.open.focus in move.state.graph.by_id
    assert replay(PROTOCOL, now, {**read, call.key: model(ASKED)}).state == move.state


def test_extraction_is_asked_of_the_fast_model():
    assert EXTRACT.tier is Tier.FAST


@given(turns)
@settings(max_examples=examples(30), deadline=None)
def test_in_every_turn_the_choice_is_made_over_the_graph_that_is_stored(said):
    run = led(said)
    for (now, read), move in zip(run.turns[1:], run.moves[1:], strict=True):
        if move.reason != "by_graph":
            continue
        ctx = replace(now, reading=now.reading.but("answer"))
        stage = stage_cache.after_answer(ctx, read)
        assert stage.moment.graph == move.state.graph
        best = stage.choice.chosen
        assert move.details["chosen"] == [best.strategy.id, best.focus]
        asked = move.state.open
        named = {node.id for node in move.state.graph.nodes}
        assert asked.focus in named or asked.focus == "" or asked.focus.startswith("element:")
        for key in read:
            if key.startswith("question") and not move.details["fallback"]:
                assert key == ".".join(filter(None, ("question", asked.strategy, asked.focus)))


def settled(run: Laddering, read: dict[str, Outcome]) -> TurnResult | NeedsCalls:
    now = run.here(SAID)
    return decide_turn(PROTOCOL, now, read, rules_reading(PROTOCOL, now))


def test_two_calls_read_side_by_side_and_one_asks():
    run = begun()
    assert {one.key for one in settled(run, {}).inquiries} == {"extract", "signals"}
    assert len(settled(run, whole(EYES)).inquiries) == 1
