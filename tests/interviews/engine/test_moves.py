"""Which moves may follow an answer, and what is remembered of threads."""

from interviews.engine.moves import (
    LONGEST_THREAD,
    MOST_THREADS,
    LedState,
    Move,
    accepted,
    named,
    with_threads,
)
from interviews.engine.reading import parse
from tests.each import each

STAY, NEXT = Move("stay", "stay", "follow"), Move("q3", "next", "to learn it", "Why?", (2,))
HARD = Move("stay", "stay", "follow", only="hard")
LAST = Move("last", "last", "the closing question", "What else?", (9,))
LATER = Move("last", "last", "the closing question", "What else?", (9,), only="last_one")
BACK, END = Move("b1", "back", "the fire"), Move("end", "end", "goodbye")


@each(
    ("heard", "move"),
    [
        ("fully q3", NEXT),
        ("fully Q3 ask_back", NEXT),
        ("no q3 refuse: stay with b1", NEXT),
        ("partly stay heavy", STAY),
        ("fully b1, q3", BACK),
        ("fully q4", None),
        ("fully", None),
        ("no refuse: q3", None),
        ("", None),
    ],
)
def test_the_first_id_before_any_subject_names_the_move(heard, move):
    assert named((STAY, NEXT, BACK), heard) == move


@each(
    ("heard", "state", "follow"),
    [
        # tells something
        ("fully", {}, [NEXT, STAY, BACK]),
        ("partly ask_back", {}, [NEXT, STAY, BACK]),
        ("fully off_topic", {"door": "open"}, [NEXT, STAY, BACK]),
        # something hard: an open door, once
        ("fully heavy", {}, [STAY]),
        ("unknown heavy", {}, [STAY]),
        ("no skip heavy", {}, [STAY]),
        ("fully heavy", {"door": "asked"}, [NEXT, STAY, BACK]),
        ("fully heavy", {"door": "open"}, [NEXT, STAY, BACK]),
        ("no refuse heavy: my son", {}, [NEXT, BACK]),
        # nothing to stay with
        ("no skip", {}, [NEXT, BACK]),
        ("fully skip", {}, [NEXT, BACK]),
        ("no refuse", {}, [NEXT, BACK]),
        ("fully refuse: my son", {}, [NEXT, STAY, BACK]),
        ("unknown", {}, [NEXT, BACK]),
        ("no complaint", {}, [NEXT, BACK]),
        ("fully complaint", {}, [NEXT, STAY, BACK]),
        # one last question
        ("fully last_one", {}, [LATER]),
        ("no last_one", {"stays": 2}, [LATER]),
        ("fully last_one heavy", {}, [LATER]),
    ],
)
def test_what_may_follow_an_answer(heard, state, follow):
    moves = (NEXT, STAY, BACK, LATER)
    assert accepted(moves, parse(heard), LedState(**state)) == tuple(follow)


@each(
    ("heard", "follow"),
    [
        ("fully", [END]),
        ("fully heavy", [HARD]),
        ("fully refuse heavy: her name", [END, HARD]),
        ("no refuse heavy: her", [END]),
        ("no skip", [END]),
    ],
)
def test_what_is_for_something_hard_follows_nothing_else(heard, follow):
    assert accepted((END, HARD), parse(heard), LedState()) == tuple(follow)


@each("heard", ["fully", "no skip", "unknown", "fully last_one", "no refuse heavy"])
def test_at_least_one_move_may_follow(heard):
    for moves in ([NEXT, STAY, LATER], [LAST, STAY], [END, HARD]):
        assert accepted(moves, parse(heard), LedState())


@each(
    ("threads", "new", "followed", "kept"),
    [
        ((), [], (), ()),
        ((), ["the fire", "  a   letter "], (), ("the fire", "a letter")),
        (("the fire",), ["the fire"], (), ("the fire",)),
        (("the fire", "a letter"), ["a cousin"], ["the fire"], ("a letter", "a cousin")),
        ((), ["one", "two", "three"], (), ("one", "two")),
        ((), ["", "   "], (), ()),
        ((), ["x" * 200], (), ("x" * LONGEST_THREAD,)),
    ],
)
def test_threads_are_few_short_and_gone_once_followed(threads, new, followed, kept):
    assert with_threads(threads, new, followed) == kept


def test_the_oldest_thread_gives_way():
    many = tuple(f"thread {n}" for n in range(MOST_THREADS))
    assert with_threads(many, ["a new one"]) == (*many[1:], "a new one")
