"""The next question is begun while the answer is still being read, and finds its place after."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interviews.engine.common_rules import decide as decide_turn
from interviews.engine.common_rules import preview, rules_reading
from interviews.engine.pipeline import replay
from interviews.engine.result import NeedsCalls, TurnResult
from interviews.protocols.laddering import PROTOCOL
from interviews.protocols.laddering.decision import decide
from interviews.protocols.laddering.extraction import read as read_whole
from interviews.protocols.laddering.graph.states import NodeState
from interviews.protocols.laddering.graph.types import Graph, GraphNode
from interviews.protocols.laddering.signals.moment import ELEMENT, JUST_SAID, Talk
from interviews.protocols.laddering.speculation import speculate
from interviews.protocols.laddering.stages import LoadedStage
from interviews.protocols.laddering.state import PutQuestion
from interviews.protocols.laddering.tasks import EXTRACT, SIGNALS, ExtractedLines
from llm.tasks.outcome import Outcome, Source
from tests.examples import examples
from tests.interviews.protocols.laddering import (
    Laddering,
    Model,
    found,
    heard,
    material,
)
from tests.interviews.protocols.test_laddering_many import turns
from tests.readings import READ

SAID = "My eyes can rest, so I read for longer."
ASKED = "And what does it do for you that your eyes can rest?"


def begun(turns: int = 25, *first: tuple[str, str]) -> Laddering:
    """A talk about warm light, of which a question is open: what it makes possible."""
    answers = first or (("warm light: attribute @warm_light", ""),)
    model = Model(readings=[(found(*one), heard()) for one in answers])
    run = Laddering(material(turns=turns), model)
    for _ in answers:
        run.say("I like the warm light.")
    return run


def ahead(run: Laddering, written: object, said: str = SAID) -> list[str]:
    return [
        one.key for one in PROTOCOL.prefetch(run.here(said), {}, {"signals": {"depth": written}})
    ]


def model(value: object) -> Outcome:
    return Outcome(value, Source.MODEL)


def fallback(task, value: object = None) -> Outcome:
    return Outcome(task.fallback(value), Source.FALLBACK, "offline")


def answered(run: Laddering, concepts: str = "", ties: str = "", **changes: Outcome) -> TurnResult:
    """The move after an answer in which this is found, by a model but for the changes."""
    read = {"extract": model(found(concepts, ties)), "signals": model(heard())}
    read |= {"question.moderate": model(ASKED)} | changes
    move = settled(run, SAID, read)
    assert replay(PROTOCOL, run.here(SAID), read) == move
    return move


def settled(run: Laddering, said: str, read: dict[str, Outcome]) -> TurnResult:
    now = run.here(said)
    move = decide_turn(PROTOCOL, now, read, rules_reading(PROTOCOL, now))
    assert isinstance(move, TurnResult), [one.key for one in move.inquiries]
    return move


# -- when it is begun


def test_it_is_begun_by_what_rules_guess_until_a_model_says_how_much_the_answer_gives():
    run = begun()
    (guess,) = PROTOCOL.prefetch(run.here(SAID), {}, {})
    assert guess.key == "question.moderate"
    for nonsense in ("", None, 7, "very"):
        assert ahead(run, nonsense) == ["question.moderate"]
    assert ahead(run, "d") == ["question.deep"]  # the guess is dropped


def test_a_guess_is_shown_only_once_a_model_has_said_the_same():
    run = begun()
    partials = {"question.moderate": {"text": ASKED}}

    def shown(**more: object) -> str:
        return PROTOCOL.preview(run.here(SAID), {}, {**partials, **more})

    assert shown() == shown(signals={"depth": ""}) == shown(signals={"depth": "d"}) == ""
    assert ASKED.startswith(shown(signals={"depth": "m"}))
    assert shown(signals={"depth": "m"})


def test_where_rules_read_in_place_of_a_model_nothing_is_guessed_any_more():
    run = begun()
    assert PROTOCOL.prefetch(run.here(SAID), {"signals": fallback(SIGNALS)}, {}) == ()


@pytest.mark.parametrize("depth", ["shallow", "moderate", "deep"])
def test_its_first_letter_is_enough(depth):
    assert ahead(begun(), depth[0]) == ahead(begun(), f" {depth.upper()}") == [f"question.{depth}"]


def test_it_is_the_inquiry_that_the_step_names_once_both_readings_are_there():
    run = begun()
    now, read = run.here(SAID), {"signals": model(heard())}
    early = PROTOCOL.prefetch(now, {}, {"signals": {"depth": "m"}})
    assert PROTOCOL.prefetch(now, read, {}) == early
    step = PROTOCOL.step(now, {**read, "extract": model(found("a: attribute"))})
    assert step == NeedsCalls(early)


def test_what_a_model_reads_besides_the_depth_changes_nothing_of_it():
    run = begun()
    now, found_ = run.here(SAID), model(ExtractedLines())
    steps = [
        PROTOCOL.step(now, {"extract": found_, "signals": model(heard("deep", *rest))})
        for rest in (("neutral",), ("negative", "price", "look"))
    ]
    assert steps[0] == steps[1]


@pytest.mark.parametrize("intent", ["skip", "refuse", "dont_know", "off_topic"])
def test_what_is_read_as_no_answer_is_not_begun(intent):
    now = begun().here(SAID)
    read = replace(now, reading=replace(now.reading, intent=intent))
    written = {"signals": {"depth": "m"}}
    assert PROTOCOL.prefetch(now, {}, written)
    assert PROTOCOL.prefetch(read, {}, written) == ()
    assert [one.key for one in PROTOCOL.step(read, {}).inquiries] == ["question"]


def test_the_opening_is_not_begun():
    opened = begun().here("", "opening")
    assert PROTOCOL.prefetch(opened, {}, {"signals": {"depth": "m"}}) == ()


def test_nothing_is_shown_until_it_is_known_to_be_an_answer():
    run = begun()
    now, rules = run.here(SAID), rules_reading(PROTOCOL, run.here(SAID))
    written = {"signals": {"depth": "moderate"}, "question.moderate": {"text": ASKED}}

    def shown(**read: str) -> str:
        return preview(PROTOCOL, now, rules, {}, {**written, "extract": read})

    assert shown() == shown(intent="answer") == shown(intent="answer", care="none") == ""
    assert shown(**READ, concepts=[])
    assert shown(**{**READ, "care": "heavy"}, concepts=[]) == ""
    assert shown(**{**READ, "intent": "dont_know"}, concepts=[]) == ""


def test_where_rules_read_the_choice_waits_for_the_whole_graph():
    run = begun()
    now, read = run.here(SAID), {"signals": fallback(SIGNALS)}
    assert PROTOCOL.prefetch(now, read, {"signals": {"depth": "deep"}}) == ()
    step = PROTOCOL.step(now, {**read, "extract": model(found("rested eyes: attribute"))})
    assert [one.key for one in step.inquiries] == ["question"]
    assert step.inquiries[0].data.focus == "rested eyes"


# -- the graph at hand


def at_hand(run: Laddering, said: str = SAID, depth: str = "moderate"):
    return speculate(LoadedStage(run.here(said), run.state.talk.turn + 1), depth)


def node(run: Laddering, said: str = SAID, depth: str = "moderate"):
    """What was just said, as a node; None where nothing new stands at hand."""
    return at_hand(run, said, depth).graph.by_id.get(JUST_SAID)


def test_what_was_just_said_stands_a_rung_above_what_was_asked_about():
    run = begun()
    chosen = at_hand(run)
    new = chosen.graph.by_id[JUST_SAID]
    assert (new.text, new.type, new.elements) == (SAID, "functional_consequence", ("warm_light",))
    assert chosen.change.tied[0].key == ("n1", JUST_SAID, "leads_to")
    assert chosen.choice.chosen.strategy == "ladder_up"
    assert chosen.choice.chosen.candidate == JUST_SAID


def test_the_state_that_is_kept_knows_nothing_of_it():
    run = begun()
    kept = answered(run, "rested eyes: functional_consequence", "warm light > rested eyes").state
    assert JUST_SAID not in kept.model_dump_json()
    assert [one.text for one in kept.graph.nodes] == ["warm light", "rested eyes"]


def test_elements_that_are_named_are_known_at_once():
    assert node(begun(), "The price, and that it has no cable.").elements == ("battery", "price")


def test_a_shallow_answer_brings_nothing_unless_it_names_an_element():
    assert node(begun(), "Well, yes.", "shallow") is None
    assert node(begun(), "The price.", "shallow").elements == ("price",)


def test_what_is_said_again_is_the_node_that_is_known():
    chosen = at_hand(begun(), "Warm light.")
    assert chosen.change.merged == ("n1",)
    assert JUST_SAID not in chosen.graph.by_id


def focused(technique: str, kind: str) -> Laddering:
    """A talk in which the open question is of that technique, about a node of that type."""
    run = begun(25, (f"the thing: {kind}", ""))
    ways = run.made.methodology
    strategy = next(one.id for one in ways.strategies if one.technique == technique)
    asked = run.state.open.model_copy(update={"strategy": strategy, "focus": "n1"})
    run.state = run.state.model_copy(update={"asked": (*run.state.asked[:-1], asked)})
    return run


@pytest.mark.parametrize(
    ("technique", "kind", "stands"),
    [
        ("ladder_up", "instrumental_value", "terminal_value"),
        ("connect", "attribute", "functional_consequence"),
        ("elaborate", "functional_consequence", "functional_consequence"),
        ("elaborate", "attribute", "functional_consequence"),  # none leads to another
        ("ladder_down", "terminal_value", "instrumental_value"),
        ("ladder_down", "attribute", None),
        ("validate", "terminal_value", None),  # the top: it is said in other words
        ("ladder_up", "terminal_value", None),
    ],
)
def test_where_it_stands_goes_by_the_question(technique, kind, stands):
    chosen = at_hand(focused(technique, kind))
    new = chosen.graph.by_id.get(JUST_SAID)
    assert (new.type if new else None) == stands
    if new:
        ends = {chosen.change.tied[0].source, chosen.change.tied[0].target}
        assert ends == {"n1", JUST_SAID}
        assert (chosen.change.tied[0].target == "n1") == (technique == "ladder_down")


# -- the guard of what is shown


def shown(run: Laddering, read: dict, written: dict) -> str:
    return PROTOCOL.preview(run.here(SAID), read, {"signals": {"depth": "moderate"}, **written})


def test_it_is_shown_while_the_answer_is_being_read():
    written = {"extract": {"concepts": []}, "question.moderate": {"text": "And what does tha"}}
    assert shown(begun(), {}, written) == "And what does"


def test_words_for_another_depth_are_not_shown():
    assert shown(begun(), {}, {"question.deep": {"text": "And what does tha"}}) == ""


def test_once_it_is_whole_all_of_it_stays():
    written = {"question.moderate": {"text": "And what does tha"}}
    assert shown(begun(), {"question.moderate": model(ASKED)}, written) == ASKED


def test_what_a_guard_takes_back_is_shown_no_longer():
    run = begun()
    written = {"question.moderate": {"text": "And what does tha"}}
    for taken_back in (run.state.open.text, "I see graph.node.exhausted is true?", "No question."):
        assert shown(run, {"question.moderate": model(taken_back)}, written) == ""
    broken = Outcome("", Source.FALLBACK, "gone")
    assert shown(run, {"question.moderate": broken}, written) == ""


# -- what the focus becomes


def test_it_becomes_what_the_question_takes_up():
    move = answered(
        begun(),
        "reading for longer: functional_consequence; rested eyes: functional_consequence",
    )
    assert move.state.graph.by_id[move.state.open.focus].text == "rested eyes"
    assert move.details["meant"] == move.details["chosen"][1] == JUST_SAID
    assert move.details["focus"] == move.state.open.focus == "n3"


def test_of_what_is_taken_up_alike_the_highest_rung_counts_then_what_was_said_first():
    move = answered(
        begun(),
        "calm: psychosocial_consequence; peace: psychosocial_consequence; a lid: attribute",
    )
    assert move.state.graph.by_id[move.state.open.focus].text == "calm"


def test_what_was_asked_about_gives_way_to_what_was_said_besides():
    move = answered(begun(), "warm light: attribute; sleep: functional_consequence")
    assert move.state.graph.by_id[move.state.open.focus].text == "sleep"


def test_where_only_a_tie_is_found_it_is_at_its_higher_end():
    run = begun(25, ("warm light: attribute; sleep: functional_consequence", ""))
    move = answered(run, "", "warm light > sleep")
    assert move.state.graph.by_id[move.state.open.focus].text == "sleep"


def test_where_nothing_is_found_the_talk_stays_where_it_was():
    move = answered(begun())
    assert move.details["meant"] == JUST_SAID
    assert move.state.open.focus == "n1"
    run = Laddering(material(), Model())
    assert answered(run).state.open.focus == ""


def test_old_nodes_and_elements_keep_their_names():
    run = begun()
    read = {"extract": model(found("a lid: attribute")), "signals": model(heard("shallow"))}
    move = PROTOCOL.step(run.here("It is as it is."), {**read, "question.shallow": model(ASKED)})
    assert move.details["meant"] == move.state.open.focus
    assert move.state.open.focus.startswith(ELEMENT)


def test_what_rules_read_in_an_answer_is_found_again_too():
    run = begun()
    move = answered(run, extract=fallback(EXTRACT))
    assert move.details["read_by"] == {"extract": "rules", "signals": "model"}
    assert move.details["at_hand"] is True
    assert move.state.open.focus in move.state.graph.by_id


# -- where its words fail


@pytest.mark.parametrize("failed", [Outcome("", Source.FALLBACK, "gone"), "No question."])
def test_a_template_speaks_of_what_was_found(failed):
    failed = failed if isinstance(failed, Outcome) else model(failed)
    found_ = ("rested eyes: functional_consequence", "warm light > rested eyes")
    move = answered(begun(), *found_, **{"question.moderate": failed})
    assert move.details["fallback"] is True
    assert "“rested eyes”" in move.utterances[-1].text
    assert move.state.graph.by_id[move.state.open.focus].text == "rested eyes"


def test_a_question_that_was_asked_gives_way_to_the_next_pair():
    run = begun()
    again = {"question.moderate": model(run.state.open.text)}
    move = answered(run, "rested eyes: functional_consequence", **again)
    assert move.details["chosen"] != [move.details["strategy"], move.details["meant"]]
    assert move.firings[-1].guard == "repeat"


def test_where_a_reading_breaks_off_the_question_that_was_begun_is_dropped():
    run = begun()
    read = {
        "extract": model(found("rested eyes: functional_consequence", "warm light > rested eyes")),
        "signals": fallback(SIGNALS),
        "question.deep": model("Words for a choice that was not made?"),
    }
    now = run.here(SAID)
    assert [one.key for one in PROTOCOL.step(now, read).inquiries] == ["question"]
    move = PROTOCOL.step(now, {**read, "question": model(ASKED)})
    assert (move.utterances[-1].text, move.spoken_by) == (ASKED, ("question",))
    assert "at_hand" not in move.details


# -- where the answer could end the talk


def test_the_last_turn_is_not_begun():
    run = begun(turns=3)
    assert ahead(run, "m") == ["question.moderate"]
    run.say(SAID)
    assert ahead(run, "m") == []


def test_where_all_is_covered_and_nothing_new_came_it_waits():
    run = begun()
    one = run.made.concept.elements[:1]
    concept = run.made.concept.model_copy(update={"elements": one})
    run.made = run.made.model_copy(update={"concept": concept})
    run.state = run.state.model_copy(update={"unchanged": 2})
    assert ahead(run, "m") == []
    run.state = run.state.model_copy(update={"unchanged": 1})
    assert ahead(run, "m") == ["question.moderate"]


WORDS = ("alpha room", "beta water", "gamma price")
PARTS = ("warm_light", "dimming")
TYPES = ("attribute", "functional_consequence")
some_parts = st.lists(st.sampled_from(PARTS), unique=True).map(tuple)


@st.composite
def late(draw) -> Laddering:
    """A talk about two elements that may be close to its end."""
    run = Laddering(material(turns=9), Model())
    concept = run.made.concept.model_copy(update={"elements": run.made.concept.elements[:2]})
    run.made = run.made.model_copy(update={"concept": concept})
    nodes = tuple(
        GraphNode(f"n{i + 1}", text, draw(st.sampled_from(TYPES)), (2,), 1, draw(some_parts))
        for i, text in enumerate(WORDS[: draw(st.integers(0, 2))])
    )
    names = [one.id for one in nodes] + [ELEMENT + one for one in PARTS]
    open_question = PutQuestion(
        text="And then?", strategy="ladder_up", focus=draw(st.sampled_from(names))
    )
    turn = draw(st.integers(4, 8))
    changes = {
        "talk": Talk(limit=9, turn=turn),
        "asked": (*run.state.asked, open_question),
        "graph": Graph(nodes),
        "nodes": {name: draw(worn(turn)) for name in names},
        "unchanged": draw(st.integers(0, 3)),
    }
    run.state = run.state.model_copy(update=changes)
    return run


def worn(turn: int) -> st.SearchStrategy[NodeState]:
    """A node at which there is nothing more to be had, or nearly."""
    return st.builds(
        NodeState,
        created=st.just(1),
        turn=st.just(turn),
        focus_count=st.just(3),
        focus_streak=st.integers(0, 2),
        depths=st.sampled_from((("shallow",) * 3, ("deep", "shallow"), ())),
        exhausted=st.sampled_from((True, True, False)),
    )


of_these = st.builds(
    lambda concepts, ties: ExtractedLines(
        concepts=[f"{text} | {kind} | {', '.join(about)}" for text, kind, about in concepts],
        relations=[f"{one} | leads_to | {other}" for one, other in ties],
    ),
    st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(TYPES), some_parts), max_size=2),
    st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(WORDS)), max_size=1),
)


@given(late(), of_these, st.sampled_from(("shallow", "moderate", "deep")))
@settings(max_examples=examples(600), deadline=None)
def test_where_it_is_begun_no_reading_ends_the_talk(run, read, depth):
    loaded = LoadedStage(run.here("Well, it is like this for me."), run.state.talk.turn + 1)
    ends = decide(read_whole(loaded, model(read), model(heard(depth)))).ends
    assert speculate(loaded, depth) is None or not ends


def test_where_every_node_is_exhausted_it_waits():
    run = begun()
    nodes = {name: replace(one, exhausted=True) for name, one in run.state.nodes.items()}
    run.state = run.state.model_copy(update={"nodes": nodes})
    assert ahead(run, "m") == []


@given(turns)
@settings(max_examples=examples(25), deadline=None)
def test_what_is_begun_is_what_the_step_asks_for_whatever_is_read(said):
    run = Laddering(material(turns=8), Model())
    for answer, read in said:
        if run.over:
            break
        now = run.here(answer)
        written = {"signals": {"depth": read[1].depth[:1]}}
        early = PROTOCOL.prefetch(now, {}, written)
        step = PROTOCOL.step(now, {"extract": model(read[0]), "signals": model(read[1])})
        if early:
            assert step == NeedsCalls(early)
        run.model.readings = [read]
        run.say(answer)


@given(turns)
@settings(max_examples=examples(25), deadline=None)
def test_a_focus_is_always_something_that_the_kept_graph_knows(said):
    run = Laddering(material(turns=8), Model())
    elements = {ELEMENT + one.id for one in run.made.concept.elements}
    for answer, read in said:
        if run.over:
            break
        run.model.readings = [read]
        move = run.say(answer)
        assert run.state.open.focus in {"", *elements, *run.state.graph.by_id}
        for row in move.details.get("table", ()):
            known = {"", JUST_SAID, *elements, *run.state.graph.by_id}
            assert row["focus"] in known
