"""The simulated respondents' sheets hang together."""

from itertools import chain
from typing import get_args

import pytest
from pydantic import ValidationError

from plans.protocols import PROTOCOLS
from reflections.evaluation import personas
from reflections.evaluation.personas import Manner, Persona, Told, load
from reflections.evaluation.respondents import touched_words

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
MANNERS = set(get_args(Manner))
RESERVED = {"refusing", "reluctant"}  # keep something to themselves for good
LINES = {"asking_back": "ask_back", "joking": "joke", "injecting": "inject", "leaving": "stop"}


@pytest.fixture(params=SHIPPED)
def respondents(request):
    return load(request.param)


def told(one: Persona, when: str) -> int:
    return sum(fact.told == when for fact in one.facts)


def test_every_protocol_has_respondents():
    assert {*SHIPPED} == {*PROTOCOLS}


def test_each_protocol_has_all_manners_and_half_held_back(respondents):
    held = {half: [one for one in respondents if one.held_back is half] for half in (True, False)}
    assert [len(half) for half in held.values()] == [10, 10]
    assert {one.manner for one in respondents} == MANNERS
    assert all(len({one.manner for one in half}) >= 6 for half in held.values())


@pytest.mark.parametrize("when", ["probed", "trusted"])
def test_most_have_something_for_who_asks_well(respondents, when):
    assert sum(told(one, when) > 0 for one in respondents) >= 15


def test_every_persona_is_another_one():
    every = [one for protocol in SHIPPED for one in load(protocol)]
    for values in (
        [one.key for one in every],
        [one.background for one in every],
        [fact.text for one in every for fact in one.facts],
    ):
        assert len(set(values)) == len(values)


def test_there_is_enough_to_ask_for(respondents):
    for one in respondents:
        fewest = 4 if one.manner == "leaving" else 6
        assert fewest <= len(one.facts) - told(one, "hinted") <= 10, one.key
        assert told(one, "asked") >= 3, one.key
        assert told(one, "never") or one.manner not in RESERVED, one.key
        assert len({fact.key for fact in one.facts}) == len(one.facts), one.key


def test_everybody_hints_at_three_things_with_words_that_a_question_can_take_up(respondents):
    for one in respondents:
        hinted = [fact for fact in one.facts if fact.told == "hinted"]
        assert hinted == [fact for fact in one.facts if fact.hint], one.key
        assert len(hinted) == 3, one.key
        assert all(touched_words(fact, fact.hint) for fact in hinted), one.key


def test_each_fact_alone_gives_itself_away(respondents):
    for one in respondents:
        said = [*chain.from_iterable(dict(one.lines).values()), *(fact.hint for fact in one.facts)]
        for fact in one.facts:
            others = [*said, *(other.text for other in one.facts if other is not fact)]
            for words in fact.gives_away:
                assert words in fact.text
                assert not [s for s in others if words.casefold() in s.casefold()], one.key


def test_something_touches_each_fact_that_is_not_volunteered(respondents):
    for one in respondents:
        assert all(fact.about or fact.told == "volunteered" for fact in one.facts), one.key


def test_what_is_never_told_keeps_nothing_else_from_being_told(respondents):
    for one in respondents:
        about = {when: set[str]() for when in get_args(Told)}
        for fact in one.facts:
            about[fact.told].update(fact.about)
        asked_for = about["asked"] | about["probed"] | about["trusted"]
        assert not about["never"] & asked_for, one.key


def test_a_manner_has_its_lines(respondents):
    for one in respondents:
        assert getattr(one.lines, LINES.get(one.manner, "small")), one.key
