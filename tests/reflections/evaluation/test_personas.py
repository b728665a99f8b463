"""The simulated respondents' sheets hang together."""

import pytest
from pydantic import ValidationError

from reflections.evaluation import personas
from reflections.evaluation.personas import load

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
