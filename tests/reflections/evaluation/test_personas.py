"""The simulated respondents' sheets hang together."""

from itertools import chain
from typing import get_args

import pytest
from pydantic import ValidationError

from reflections.evaluation import personas
from reflections.evaluation.personas import Manner, Persona, load

SHEET = """
- key: ferrywoman
  held_back: true
  name: Ada
  language: en
  background: Runs a cable ferry.
  traits: {knowledge: high, verbosity: low, memory: high, reflexivity: low, disclosure: medium,
    understanding: high}
  mood: calm
  manner: brief
  facts:
    - {key: cable, told: asked, about: [born], gives_away: [the cable], text: By the cable.}
  lines: {small: [Well.], dont_know: [No idea.], refuse: [I'd rather not.]}
"""


@pytest.fixture
def sheets(tmp_path, monkeypatch):
    monkeypatch.setattr(personas, "SHEETS", tmp_path)
    load.cache_clear()
    yield tmp_path
    load.cache_clear()


def test_a_sheet_is_read(sheets):
    (sheets / "ferries.yaml").write_text(SHEET)
    [ada] = load("ferries")
    assert (ada.key, ada.held_back, ada.start) == ("ferrywoman", True, {})
    assert (ada.facts[0].told, ada.facts[0].gives_away) == ("asked", ("the cable",))
    assert (ada.lines.refuse, ada.lines.stop) == (("I'd rather not.",), ())


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("told: later", "told: asked"),
        ("manner: loud", "manner: brief"),
        ("gives_away: []", "gives_away: [the cable]"),
        ("secret: no", "held_back: true"),
    ],
)
def test_a_wrong_sheet_is_refused(sheets, wrong, right):
    (sheets / "ferries.yaml").write_text(SHEET.replace(right, wrong))
    with pytest.raises(ValidationError):
        load("ferries")


SHIPPED = sorted(path.stem for path in personas.SHEETS.glob("*.yaml"))
EVERY = [(protocol, one) for protocol in SHIPPED for one in load(protocol)]
MANNERS = set(get_args(Manner))
RESERVED = {"refusing", "reluctant"}  # keep something to themselves for good


@pytest.fixture(params=EVERY, ids=lambda param: "/".join((param[0], param[1].key)))
def persona(request):
    return request.param[1]


def told(one: Persona, when: str) -> int:
    return sum(fact.told == when for fact in one.facts)


@pytest.mark.parametrize("protocol", SHIPPED)
def test_each_protocol_has_all_manners_and_half_held_back(protocol):
    held = {
        half: [one for one in load(protocol) if one.held_back is half] for half in (True, False)
    }
    assert [len(half) for half in held.values()] == [10, 10]
    assert {one.manner for one in load(protocol)} == MANNERS
    assert all(len({one.manner for one in half}) >= 6 for half in held.values())


@pytest.mark.parametrize("protocol", SHIPPED)
def test_most_have_something_for_whom_they_trust(protocol):
    for when in ("probed", "trusted"):
        assert sum(told(one, when) > 0 for one in load(protocol)) >= 15, when


def test_every_persona_is_another_one():
    for values in (
        [one.key for _, one in EVERY],
        [one.background for _, one in EVERY],
        [fact.text for _, one in EVERY for fact in one.facts],
    ):
        assert len(set(values)) == len(values)


def test_there_is_enough_to_ask_for(persona):
    assert (4 if persona.manner == "leaving" else 6) <= len(persona.facts) <= 10
    assert told(persona, "asked") >= 3
    assert told(persona, "never") or persona.manner not in RESERVED
    assert len({fact.key for fact in persona.facts}) == len(persona.facts)


def test_each_fact_alone_gives_itself_away(persona):
    for fact in persona.facts:
        others = [one.text for one in persona.facts if one is not fact]
        unset = [*others, *chain.from_iterable(dict(persona.lines).values())]
        for words in fact.gives_away:
            assert words in fact.text
            assert not [text for text in unset if words.casefold() in text.casefold()]


def test_something_touches_each_fact_that_is_not_volunteered(persona):
    assert all(fact.about or fact.told == "volunteered" for fact in persona.facts)


@pytest.mark.parametrize(
    ("manner", "line"),
    [("asking_back", "ask_back"), ("joking", "joke"), ("injecting", "inject"), ("leaving", "stop")],
)
def test_a_manner_has_its_lines(manner, line):
    assert all(getattr(one.lines, line) for _, one in EVERY if one.manner == manner)
