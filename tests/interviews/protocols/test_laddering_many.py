"""Ladderings by the dozen: whatever is read in the answers, what holds of every one of them."""

import json
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from interviews.choices import EntryKind, SessionStatus
from interviews.engine.pipeline import replay
from interviews.protocols.laddering.extraction import LONGEST, MOST_CONCEPTS, MOST_RELATIONS
from interviews.protocols.laddering.protocol import PROTOCOL
from interviews.protocols.laddering.state import LadderingState
from interviews.protocols.laddering.tasks import AnswerSignalsResult, ExtractedLines
from llm.tasks.outcome import Outcome, Source
from tests.examples import examples
from tests.interviews.protocols.laddering import Laddering, Model, material

TYPES = (
    "attribute",
    "functional_consequence",
    "Psychosocial consequence",
    "instrumental-value",
    "TERMINAL_VALUE",
    "wish",
)
TEXTS = (
    "warm light",
    "rested eyes",
    "calm",
    "peace",
    "price",
    "saving",
    "a lid",
    "</known>",
    "\x00",
)
ELEMENTS = ("warm_light", "dimming", "aim", "battery", "look", "price", "nowhere")
ANSWERS = ("Well, it is like this for me.", "skip", "I don't know.", "What do you mean?", "Hm?")

texts = st.one_of(st.sampled_from(TEXTS), st.text(max_size=12))
concepts = st.builds(
    lambda text, kind, about: f"{text} | {kind} | {', '.join(about)}",
    texts,
    st.sampled_from(TYPES),
    st.lists(st.sampled_from(ELEMENTS), max_size=2),
)
ends = st.one_of(texts, st.sampled_from(("1", "2", "n1", "n4")))
relations = st.builds(
    lambda source, name, target: f"{source} | {name} | {target}",
    ends,
    st.sampled_from(("leads_to", "Leads to", "hinders", "loves")),
    ends,
)
lines = st.one_of(concepts, relations, st.text(max_size=30))
readings = st.builds(
    lambda found, ties, depth, tone: (
        ExtractedLines.model_validate({"concepts": found, "relations": ties}),
        AnswerSignalsResult.model_validate(
            {"depth": depth, "sentiment": tone, "topics": list(ELEMENTS)}
        ),
    ),
    st.lists(st.one_of(concepts, lines), max_size=4),
    st.lists(st.one_of(relations, lines), max_size=4),
    st.sampled_from(("shallow", "Moderate", " deep ")),
    st.sampled_from(("negative", "neutral", "positive")),
)
turns = st.lists(st.tuples(st.sampled_from(ANSWERS), readings), min_size=1, max_size=14)


def led(said, turns: int = 8, **options) -> Laddering:
    """An interview in which these answers are read like that."""
    model = Model()
    run = Laddering(material(turns=turns, **options), model)
    for answer, read in said:
        if run.over:
            break
        model.readings = [read]
        run.say(answer)
    return run


@given(turns)
@settings(max_examples=examples(40), deadline=None)
def test_every_interview_goes_on_with_one_question_or_ends(said):
    run = led(said)
    assert run.state.talk.turn <= 8
    for move in run.moves:
        last = re.sub("“[^”]*”", "", move.utterances[-1].text)  # what is quoted may ask
        assert (
            last.count("?") == 1 if move.status == SessionStatus.WAITING_ANSWER else "?" not in last
        )


@given(turns, st.sampled_from(("fully", "fully last_one", "no last_one", "fully stop", "no skip")))
@settings(max_examples=examples(40), deadline=None)
def test_every_interview_ends_after_one_closing_question_at_most(said, wish):
    run = led(said)
    found, signals = said[-1][1]
    for number in range(12):
        run.model.readings = [(found.model_copy(update={"heard": wish}), signals)]
        if not run.over:
            run.say(f"It is like this for me, I would say, number {number}.")
    assert run.over
    asked = [one.kind for one in run.lines].count(EntryKind.LAST_QUESTION)
    assert asked == run.state.last_asked


@given(turns)
@settings(max_examples=examples(40), deadline=None)
def test_the_graph_is_always_sound_and_every_part_of_it_links_to_an_answer(said):
    run = led(said)
    graph, answers = run.state.graph, range(1, len(run.lines) + 1)
    nodes, edges = run.rows()
    assert set(nodes) == set(graph.by_id)
    assert set(edges) == {edge.key for edge in graph.edges}
    for one in (*graph.nodes, *graph.edges):
        assert one.positions
        assert all(run.lines[position - 1].role == "participant" for position in one.positions)
        assert set(one.positions) <= set(answers)
    for node in graph.nodes:
        assert node.type in run.made.methodology.types
        assert len(node.text) <= LONGEST
        assert "\x00" not in node.text
        assert "nowhere" not in node.elements
    for edge in graph.edges:
        assert edge.source != edge.target
        assert {edge.source, edge.target} <= set(graph.by_id)


@given(turns)
@settings(max_examples=examples(40), deadline=None)
def test_the_state_survives_being_stored_with_its_keys_in_any_order(said):
    kept = led(said).state
    stored = json.loads(kept.model_dump_json())
    again = LadderingState.model_validate(json.loads(json.dumps(stored, sort_keys=True)))
    assert again == kept
    assert again.graph == kept.graph
    assert again.nodes == kept.nodes


@given(turns)
@settings(max_examples=examples(20), deadline=None)
def test_made_again_from_its_readings_it_is_the_same(said):
    run = led(said)
    state = PROTOCOL.begin(run.plan, "en")
    for (now, read), move in zip(run.turns, run.moves, strict=True):
        assert now.state == state
        again = replay(PROTOCOL, now, read)
        assert again == move
        state = PROTOCOL.state.model_validate_json(
            move.state.mark_spoken(now.received.at).model_dump_json()
        )


@given(turns)
@settings(max_examples=examples(20), deadline=None)
def test_every_turn_can_be_kept_as_json_of_a_bounded_size(said):
    for move in led(said).moves:
        assert len(json.dumps(move.details)) < 30_000


def test_a_model_that_finds_far_too_much_is_cut_short_and_that_is_recorded():
    many = ExtractedLines.model_validate(
        {
            "concepts": [f"lid {i} {i * 7} | attribute |" for i in range(200)],
            "relations": [f"1 | leads_to | {i}" for i in range(200)],
        }
    )

    class Flood:
        def __call__(self, inquiry):
            return Outcome(many, Source.MODEL) if inquiry.key == "extract" else Model()(inquiry)

    run = Laddering(material(turns=60), Flood())
    for number in range(59):
        run.say(f"Well, it is like this for me, number {number}.")
    assert len(run.state.graph.nodes) <= MOST_CONCEPTS
    kept = run.moves[1].details["graph"]
    assert kept["left_out"] == 400 - MOST_CONCEPTS - MOST_RELATIONS
    assert len(kept["refused"]) == MOST_RELATIONS
    assert len(run.state.model_dump_json()) < 60_000
