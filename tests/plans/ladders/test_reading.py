"""Files of concepts and methodologies: what they come to, and every problem with its place."""

import json

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from plans.portability.problems import BrokenDocument
from plans.protocols.laddering.schema.reader import read_concept, read_methodology
from plans.protocols.laddering.schema.vocabulary import Term, register_term, registered_terms
from tests.each import each
from tests.examples import examples
from tests.plans.ladders.small import CONCEPT, METHODOLOGY, TERMS


def problems(content: str | bytes, read=None, name: str = "small.yaml") -> list[str]:
    read = read or (lambda text, name: read_methodology(text, name, TERMS))
    with pytest.raises(BrokenDocument) as caught:
        read(content, name)
    return [str(problem) for problem in caught.value.problems]


def test_a_methodology_is_read_as_it_is_written():
    made = read_methodology(METHODOLOGY, "small.yaml", TERMS)

    assert made.types == ("thing", "effect")
    assert made.languages == ("en",)
    assert made.allows("leads_to", "thing", "effect")
    assert not made.allows("leads_to", "effect", "thing")
    assert not made.allows("causes", "thing", "effect")
    assert made.strategies[0].signal_weights == {
        "graph.node.exhausted.true": -5.0,
        "graph.node_count": 0.5,
    }
    assert made.phase_weight("coverage", "early", "aside") == 1.5
    assert made.phase_weight("exploratory", "late", "up") == 1.0


def test_json_says_the_same_as_yaml():
    as_json = json.dumps(yaml.safe_load(METHODOLOGY), indent=1)

    assert read_methodology(as_json, "s.json", TERMS) == read_methodology(METHODOLOGY, "", TERMS)


def test_a_concept_is_read_as_it_is_written():
    made = read_concept(CONCEPT, "lamp.yaml")

    assert made.context.topic == "reading in the evening"
    assert made.elements[0].names == ("warm light", "soft light")


@each(
    ("old", "new", "expected"),
    [
        (
            "exhausted.true:",
            "exhausted.maybe:",
            "small.yaml, line 27, strategies[0].signal_weights.graph.node.exhausted.maybe: "
            "must end in one of its values: true, false",
        ),
        ("exhausted.true:", "exhausted:", "must end in one of its values: true, false"),
        (
            "graph.node_count: 0.5",
            "graph.node_cuont: 0.5",
            "small.yaml, line 28, strategies[0].signal_weights.graph.node_cuont: "
            "is not a known signal; did you mean “graph.node_count”?",
        ),
        ("graph.node_count: 0.5", "graph.node_count.5: 1", "is a number and takes no value"),
        ("node_count: 0.5", "node_count: much", "graph.node_count: must be a number"),
        ("node_count: 0.5", "node_count: .nan", "graph.node_count: must be a number"),
        ("node_count: 0.5", "node_count: 1e9", "graph.node_count: must be at most 100"),
        (
            "signals: [graph.node_count, ",
            "signals: [",
            "small.yaml, line 28, strategies[0].signal_weights.graph.node_count: "
            "graph.node_count is not among the signals that this methodology uses",
        ),
        ("[graph.node_count, g", "[llm.mood, g", "signals[0]: “llm.mood” is not a known signal"),
        ("[graph.node_count,", "[graph.node_count, graph.node_count,", "in this list already"),
        (
            "early: {aside",
            "early: {beside",
            "line 39, phase_weights.coverage.early.beside: is not a strategy of this file",
        ),
        ("early: {aside: 1.5", "early: {aside: -1", "must be at least 0"),
        ("    early:", "    soon:", "phase_weights.coverage.soon: must be 'early', 'mid' or"),
        ("  - id: effect", "  - id: thing", "line 10, ladder[1].id: another type has this id"),
        (
            "    cues: {en: [helps, saves]}\n",
            "    words: {en: [rest, Rest]}\n",
            "line 13, ladder[1].words.en[1]: “Rest” marks effect already",
        ),
        (
            "there.\n  - id: effect\n",
            "there.\n    words: {en: [rest]}\n  - id: effect\n    words: {it: [x], en: [rest]}\n",
            "ladder[1].words.en[0]: “rest” marks thing already",
        ),
        ("{en: [helps, saves]}", "{en: ['']}", "ladder[1].cues.en[0]: may not be empty"),
        ("  - id: aside", "  - id: up", "line 31, strategies[1].id: another strategy has this id"),
        (
            "source: thing,",
            "source: cause,",
            "line 18, relations[0].between[0].source: “cause” is not a type of this ladder",
        ),
        ("[effect]}", "[effect, end]}", "between[0].targets[1]: “end” is not a type"),
        ("technique:", "tecnique:", "did you mean “technique”?"),
        ("name: Up", "name: ''", "strategies[0].name: may not be empty"),
        ("id: small", "id: very small", "id: may hold only Latin letters, digits, - and _"),
        ("focus_preference: newest", "focus_preference: oldest", "focus_preference: must be"),
        ("{focus}", "{topic}", "templates.en[0]: only {focus} may stand in braces here"),
        ("{focus}", "{focus", "only {focus} may stand in braces here"),
        ("Thank you.", '"{focus}"', "closing.en: nothing may stand in braces here"),
        ("id: small", "id: small\nxyz: 1", "small.yaml, line 4, xyz: is not a known field"),
        ("opening: {en:", "opening: {it: Buongiorno, en:", "closing: holds nothing in it"),
        ('en: ["What else', 'it: ["What else', "strategies[1].templates: holds nothing in en"),
        ("version: 1", "version: 2", "line 2, version: must be at most 1"),
        ("    technique: widen\n", "", "strategies[1].technique: is missing"),
    ],
)
def test_each_mistake_is_told_with_file_line_and_field(old: str, new: str, expected: str):
    assert METHODOLOGY.count(old) >= 1
    assert any(expected in one for one in problems(METHODOLOGY.replace(old, new, 1)))


def test_everything_wrong_is_told_at_once_in_order_of_lines():
    text = METHODOLOGY.replace("exhausted.true", "exhausted.maybe").replace("{aside: 1", "{x: 1")

    assert [one.split(":")[0] for one in problems(text)] == [
        "small.yaml, line 27, strategies[0].signal_weights.graph.node.exhausted.maybe",
        "small.yaml, line 39, phase_weights.coverage.early.x",
    ]


@each(
    ("old", "new", "expected"),
    [
        ("id: price", "id: light", "lamp.yaml, line 11, elements[1].id: another element has this"),
        (
            "label: price",
            "label: price\n    aliases: [Soft  Light!]",
            "line 13, elements[1].aliases[0]: “Soft  Light!” stands for the element light already",
        ),
        ("[soft light]", "[Warm light]", "“Warm light” stands for this element already"),
        ("label: price", "label: '?!'", "elements[1].label: must hold a letter or a digit"),
        ("  topic: reading in the evening", "  insight: x", "context.topic: is missing"),
        ("aliases:", "alias:", "did you mean “aliases”?"),
        ("aliases: [soft light]", "aliases: soft", "must be a list"),
    ],
)
def test_a_concepts_mistakes_are_told_too(old: str, new: str, expected: str):
    found = problems(CONCEPT.replace(old, new, 1), read_concept, "lamp.yaml")

    assert any(expected in one for one in found)


@each(
    ("content", "expected"),
    [
        ("", "x.yaml, There is nothing in it."),
        ("- a\n- b", "x.yaml, line 1: must be a block of named fields"),
        ("{", "This is not valid JSON"),
        ("a: [", "This is not valid YAML"),
        (b"\xff\xfea", "it looks like UTF-16"),
    ],
)
def test_what_is_no_such_file_is_told_in_a_sentence(content: str | bytes, expected: str):
    assert any(expected in one for one in problems(content, name="x.yaml"))


LINES = METHODOLOGY.splitlines()


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, len(LINES) - 1), st.text(max_size=20))
def test_a_spoiled_line_gives_a_methodology_or_a_broken_document(place: int, text: str):
    spoiled = "\n".join([*LINES[:place], text, *LINES[place + 1 :]])
    try:
        read_methodology(spoiled, "s.yaml", TERMS)
    except BrokenDocument as error:
        assert all(str(problem).startswith("s.yaml, ") for problem in error.problems)


def test_a_signal_is_announced_once(monkeypatch):
    monkeypatch.setattr("plans.protocols.laddering.schema.vocabulary._TERMS", {})
    with pytest.raises(RuntimeError, match="no signals are known"):
        registered_terms()
    register_term(Term("graph.size"))

    assert registered_terms() == {"graph.size": Term("graph.size")}
    with pytest.raises(ValueError, match=r"graph\.size already"):
        register_term(Term("graph.size"))
