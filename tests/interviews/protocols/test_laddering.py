"""A laddering of twenty turns whose answers are given, turn by turn, and what its end rests on."""

import json
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest

from interviews.choices import EntryKind, SessionStatus
from interviews.engine.pipeline import replay
from interviews.engine.result import LAST
from interviews.protocols.laddering.protocol import PROTOCOL
from interviews.protocols.laddering.strategy_choice import KEPT
from llm.tasks.outcome import Outcome, Source
from llm.tasks.templates import render
from tests.each import each
from tests.interviews.protocols.laddering import (
    FAIR,
    NOTHING,
    RICH,
    Laddering,
    Model,
    found,
    heard,
    material,
)

SHALLOW = ("", "", "shallow")
ANSWERS = (  # what is found in each: things, ties, and how deep it goes
    ("warm light: attribute @warm_light; price: attribute @price", "", "moderate"),
    ("rested eyes: functional_consequence @warm_light", "warm light > rested eyes", "moderate"),
    ("feeling calm: psychosocial_consequence @warm_light", "rested eyes > feeling calm", "deep"),
    ("being patient: instrumental_value @warm_light", "feeling calm > being patient", "deep"),
    ("peace at home: terminal_value @warm_light", "being patient > peace at home", "deep"),
    SHALLOW,
    (
        "it goes dark by itself: attribute @dimming; "
        "falling asleep sooner: functional_consequence @dimming",
        "it goes dark by itself > falling asleep sooner",
        "moderate",
    ),
    (
        "a narrow beam: attribute @aim; my wife sleeps on: functional_consequence @aim; "
        "no cable: attribute @battery",
        "a narrow beam > my wife sleeps on; no cable > my wife sleeps on",
        "moderate",
    ),
    SHALLOW,
    SHALLOW,
    SHALLOW,
    ("saving money: functional_consequence @price", "price > saving money", "moderate"),
    ("", "saving money > peace at home", "deep"),
    SHALLOW,
    SHALLOW,
    SHALLOW,
    ("a plain shape: attribute @look", "a plain shape > my wife sleeps on", "moderate"),
    SHALLOW,
    SHALLOW,
    SHALLOW,
)
LADDER = ["warm light", "rested eyes", "feeling calm", "being patient"]


def led(**options) -> Laddering:
    """An interview with these answers, as far as it goes."""
    model = Model()
    run = Laddering(material(**({"turns": 25} | options)), model)
    for number, (concepts, ties, depth) in enumerate(ANSWERS):
        if run.over:
            break
        model.readings = [(found(concepts, ties), heard(depth))]
        run.say(f"Well, for me it is like this, as far as I can tell, number {number}.")
    return run


@cache
def walk() -> Laddering:
    """The interview of this file, led once."""
    return led()


# -- what happens in it


def test_it_begins_with_the_methodologys_question_about_the_topic():
    first = walk().moves[0].utterances[-1].text
    assert first == "To begin with, what comes to mind when you think of reading in the evening?"
    assert walk().inquiries[0] == []


def test_it_climbs_to_a_value_and_has_it_confirmed_then():
    ways = walk().ways
    assert ways[:4] == [("ladder_up", text) for text in LADDER]
    assert ways[4] == ("validate", "peace at home")
    assert walk().moves[5].details["signals"]["graph.chain_completion.has_complete_chain"] == "true"


def test_nothing_is_confirmed_before_a_chain_is_whole():
    for move in walk().moves[1:-1]:
        whole = move.details["signals"]["graph.chain_completion.has_complete_chain"] == "true"
        assert whole or move.details["strategy"] != "validate"


def test_after_a_shallow_answer_it_turns_to_what_nobody_has_spoken_of():
    assert walk().moves[6].details["depth"] == "shallow"
    assert walk().ways[5] == ("open_up", "element:dimming")


def test_it_comes_back_to_what_stands_alone():
    assert walk().ways[9] == ("connect", "price")
    kept = walk().moves[10].details
    assert kept["signals"]["graph.node.is_orphan"] == "true"
    assert "it is tied to nothing" in kept["why"]


def test_two_chains_are_tied_by_what_was_asked_about_one_of_them():
    before, after = (walk().moves[turn].details["signals"] for turn in (12, 14))
    assert walk().ways[11:14] == [
        ("ladder_up", "saving money"),
        ("ladder_up", "falling asleep sooner"),
        ("elaborate", "saving money"),
    ]
    assert walk().moves[13].details["graph"]["tied"] == [["n12", "n6", "leads_to"]]
    assert before["graph.node.chain_depth"] == 0.4
    assert after["graph.node.chain_depth"] == 0.6  # price, saving money, peace at home


def test_what_is_exhausted_is_left_until_something_comes_of_it():
    worn = [move.details["exhausted"] for move in walk().moves[1:]]
    first = next(turn for turn, names in enumerate(worn) if names)
    assert walk().state.graph.by_id[worn[first][0]].text == "saving money"
    assert "n12" not in [put.focus for put in walk().state.asked[first + 2 :]]
    assert walk().moves[first + 1].details["exhaustion"]["n12"] > 0.3


def test_all_elements_and_three_answers_without_anything_new_end_it():
    last = walk().last
    assert (len(walk().moves), last.reason, last.status) == (
        21,
        "all_covered",
        SessionStatus.WAITING_ANSWER,
    )
    assert all(score > 0 for score in last.details["coverage"].values())
    assert [move.details["unchanged"] for move in walk().moves[-4:]] == [0, 1, 2, 3]


# -- why it happened


def test_each_choice_is_the_first_of_its_table_and_its_score_the_sum_of_its_reasons():
    for move in walk().moves[1:]:
        table = move.details["table"]
        assert [row["score"] for row in table] == sorted((r["score"] for r in table), reverse=True)
        for row in table:
            points = sum(row["because"].values())
            expected = (points * row["phase"] if points > 0 else points) + row["bonus"]
            assert row["score"] == pytest.approx(expected, abs=0.01)


def test_each_reason_is_one_of_the_signals_of_that_turn():
    for move in walk().moves[1:-1]:
        signals = move.details["signals"]
        for name in move.details["table"][0]["because"]:
            signal, _, value = name.partition("=")
            assert signal in signals
            assert not value or signals[signal] == value


def test_the_table_is_bounded_and_holds_what_else_could_be_asked_there():
    strategies = {one.id for one in walk().made.methodology.strategies}
    for move in walk().moves[1:-1]:
        table, focus = move.details["table"], move.details["focus"]
        assert {row["strategy"] for row in table if row["focus"] == focus} <= strategies
        assert len(table) <= KEPT + len(strategies)
        assert len(json.dumps(move.details)) < 20_000


def test_the_prompt_of_a_question_says_why():
    inquiry = walk().inquiries[10][-1]
    told = render(inquiry.task, inquiry.data)
    message = told.messages[-1].text
    assert "Connect" in message
    assert "it is tied to nothing (+1.0)" in message
    assert "graph.node.is_orphan" in message
    assert "Whether this was said but is tied to nothing else." in message
    assert "<focus>\nprice\n</focus>" in message
    for part in ("Means-end chain", "Psychosocial consequence", "reading in the evening"):
        assert part in told.system
    assert "You speak English." in told.system


# -- the same again


def test_every_turn_made_again_from_its_readings_comes_out_the_same():
    for (now, readings), move in zip(walk().turns, walk().moves, strict=True):
        again = replay(PROTOCOL, now, readings)
        assert again.state.model_dump_json() == move.state.model_dump_json()
        assert again == move


def test_the_same_answers_lead_the_same_way():
    again = led()
    assert again.ways == walk().ways
    assert [m.details for m in again.moves] == [m.details for m in walk().moves]


def test_the_rows_are_the_graph():
    nodes, edges = walk().rows()
    graph = walk().state.graph
    assert list(nodes) == [node.id for node in graph.nodes]
    assert [(n.text, n.positions, n.elements) for n in nodes.values()] == [
        (n.text, n.positions, n.elements) for n in graph.nodes
    ]
    assert list(edges) == [edge.key for edge in graph.edges]


def test_coverage_is_told_element_by_element():
    rows = {row.topic: row for row in PROTOCOL.covered(walk().plan, walk().state)}
    light, look = rows["warm_light"], rows["look"]
    assert (light.coverage, light.covered, light.sub_goals) == ("full", 5, 5)
    assert (look.label, look.coverage, look.covered) == ("how it looks", "partial", 1)
    assert light.turns == 5  # four climbs, one confirmation
    assert 0 < light.engagement < 1
    begun = PROTOCOL.begin(walk().plan, "en")
    assert {row.coverage for row in PROTOCOL.covered(walk().plan, begun)} == {"none"}


# -- ends


def test_the_count_on_the_page_is_the_questions_number():
    run = led(turns=4)
    asked = run.moves[:4]
    assert [move.progress[0] for move in asked] == [move.utterances[-1].number for move in asked]
    assert [move.progress[0] for move in run.moves] == [1, 2, 3, 4, 4, 4]


def test_the_turn_limit_ends_it():
    run = led(turns=4)
    assert [move.reason for move in run.moves[-2:]] == ["turn_limit", "last_answered"]
    assert (run.last.status, run.state.talk.turn) == (SessionStatus.COMPLETED, 4)
    assert run.last.progress == (4, 4, "turns")


def worn(run: Laddering, *left: str) -> Laddering:
    """The interview with everything exhausted but these."""
    nodes = {n: replace(one, exhausted=n not in left) for n, one in run.state.nodes.items()}
    run.state = run.state.model_copy(update={"nodes": nodes})
    return run


def about_light(**options) -> Laddering:
    """One answer about a concept that has one element."""
    made = material(**options)
    concept = made.concept.model_copy(update={"elements": made.concept.elements[:1]})
    run = Laddering(made.model_copy(update={"concept": concept}))
    run.say(RICH)
    return run


def test_it_ends_when_nothing_is_left_anywhere():
    assert worn(about_light()).say("skip").reason == "all_exhausted"
    assert worn(about_light(), "n1").say("skip").reason == "left_out"


def test_what_is_exhausted_and_yields_again_goes_on():
    run = worn(about_light())
    assert run.say("It looks like a fire.").reason == "by_graph"


def test_elements_that_nobody_has_spoken_of_keep_it_going():
    run = Laddering()
    run.say(RICH)
    assert worn(run).say("skip").reason == "left_out"


# -- the closing question


def test_the_longest_chain_is_said_back_in_their_words_and_asked_what_is_missing():
    asked = walk().last.utterances[-1]
    assert (asked.kind, asked.question, asked.number) == (EntryKind.LAST_QUESTION, LAST, None)
    chain = ", from that ".join(f"“{text}”" for text in (*LADDER, "peace at home"))
    assert chain in asked.text
    assert asked.text.endswith(("What's missing in it?", "What would you add?"))


def last_after(*read, closed: tuple[str, ...] = (), **options) -> Laddering:
    """The closing question is open after three answers, read like this in the end."""
    readings = [*[(found(), heard())] * (3 - len(read)), *read]
    run = Laddering(material(turns=3), Model(readings=readings), **options)
    run.state = run.state.model_copy(update={"closed": closed})
    return run.all([FAIR] * 3)


THREE = found(
    "warm light: attribute; rested eyes: functional_consequence; calm: psychosocial_consequence",
    "1 > 2; 2 > 3",
)
SAID_BACK = "“warm light”, from that “rested eyes”, from that “calm”"


def test_a_chain_of_three_is_said_back():
    assert SAID_BACK in last_after((THREE, heard())).said


@each("closed", [("calm",), ("the warm light",)])
def test_nothing_closed_is_said_back(closed):
    run = last_after((THREE, heard()), closed=closed)
    assert run.state.last_asked
    assert "“" not in run.said


def test_without_a_chain_or_where_rules_have_read_it_asks_what_else_there_is():
    two = found("warm light: attribute; rested eyes: functional_consequence", "1 > 2")
    assert "“" not in last_after((two, heard())).said
    offline = Laddering(material(turns=3)).all([RICH] * 3)
    assert offline.state.last_asked
    assert "“" not in offline.said


def test_its_answer_grows_the_graph_as_any_other_does_and_takes_no_turn():
    more = found("the grandchildren: psychosocial_consequence"), heard("deep")
    run = last_after((THREE, heard()))
    run.model.readings = [more]
    move = run.say("You forgot the grandchildren.")
    assert (move.status, move.reason) == (SessionStatus.COMPLETED, "last_answered")
    assert [one.text for one in move.records] == ["the grandchildren"]
    assert run.state.talk.turn == 3
    assert "question" not in "".join(run.keys())


@each(("name", "goodbye"), [("Ann", "Goodbye, Ann."), ("", "Goodbye.")])
def test_the_goodbye_says_what_is_saved_and_who_reads_it(name, goodbye):
    run = last_after((THREE, heard()), name=name)
    run.say("Nothing.")
    ends = "Your answers are saved, and the people behind this interview will read them. "
    assert run.said.endswith(ends + goodbye)
    stopped = Laddering(name=name).all(["Stop.", "Yes."])
    assert stopped.said == f"We'll stop here. Thank you for your time. {ends}{goodbye}"


def test_who_has_time_for_one_more_is_asked_the_closing_question_only():
    read = THREE.model_copy(update={"heard": "fully last_one"}), heard()
    run = Laddering(material(turns=9), Model(readings=[read]))
    run.say("It's the warm light. One more and then I have to go.")
    assert (run.last.reason, run.state.last_asked) == ("last_one", True)
    assert SAID_BACK in run.said
    run.say(FAIR)
    assert (run.last.status, run.last.reason) == (SessionStatus.STOPPED, "last_answered")


# -- without a model


@pytest.mark.parametrize("methodology", ["means_end_chain", "jobs_to_be_done", "critical_incident"])
@pytest.mark.parametrize("mode", ["coverage", "exploratory"])
@pytest.mark.parametrize("answers", [(RICH, FAIR), (NOTHING,), ("skip", RICH), ("Hm.", "It is.")])
def test_templates_never_ask_the_same_twice_in_a_row(methodology, mode, answers):
    run = Laddering(material(methodology, mode=mode))
    for number in range(30):
        if run.over:
            break
        run.say(answers[number % len(answers)])
    assert run.over
    said = [put.text for put in run.state.asked]
    assert all(one != other for one, other in pairwise(said))
    assert all(text.endswith("?") for text in said)
    chosen = [move.details for move in run.moves[1:] if move.details.get("strategy")]
    assert all(details["fallback"] for details in chosen)


class Parrot:
    """A model that always asks the same."""

    def __call__(self, inquiry):
        if inquiry.key.startswith("question"):
            return Outcome("And why does that matter to you?", Source.MODEL)
        return Model()(inquiry)


def test_a_model_that_repeats_itself_gives_way_to_other_pairs():
    run = Laddering(model=Parrot())
    run.all([RICH, FAIR, RICH])
    said = [put.text for put in run.state.asked]
    assert len(set(said)) == len(said)
    assert [move.firings[0].guard for move in run.moves[2:]] == ["repeat", "repeat"]
    for move in run.moves[2:]:
        asked, kept = move.state.open, move.details
        assert kept["fallback"]
        assert [asked.strategy, asked.focus] == [kept["strategy"], kept["focus"]]
        assert kept["chosen"] != [kept["strategy"], kept["focus"]]
