"""How a model's words are taken apart, and how many follow-ups the time allows."""

from interviews.engine.leading import split, stays_by_pace
from tests.each import each


@each(
    ("said", "parts"),
    [
        ("Who was it?", ("", "Who was it?")),
        ("A long way. Who was it?", ("A long way.", "Who was it?")),
        ("A cello. All that way. Who was it?", ("A cello. All that way.", "Who was it?")),
        ("Your aunt? What was she like?", ("", "Your aunt? What was she like?")),
        ("Tell me more.", ("", "Tell me more.")),
        ("", ("", "")),
    ],
)
def test_what_stands_before_the_question(said, parts):
    assert split(said, "And who was it?") == parts


@each(
    ("seconds", "items", "most", "stays"),
    [
        (600, 2, 3, 3),  # five minutes for each
        (600, 2, 2, 2),
        (600, 4, 3, 1),  # two and a half
        (600, 5, 3, 1),  # two
        (600, 8, 3, 0),  # a little more than one
        (190, 1, 3, 2),
        (0, 3, 3, 0),
        (600, 0, 3, 3),
        (600, 2, 0, 0),
    ],
)
def test_stays_share_the_time_with_what_is_still_to_come(seconds, items, most, stays):
    assert stays_by_pace(seconds, items, 60, most) == stays
    assert stays_by_pace(seconds / 2, items, 30, most) == stays
