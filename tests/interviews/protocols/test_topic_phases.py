"""The table of phases: every row, and what must hold for every sequence of answers."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from interviews.engine.signal import Band
from interviews.protocols.topic_exploration.exploration import (
    Exploration,
    Phase,
    TopicState,
    deepen_turns,
)
from interviews.protocols.topic_exploration.phases import PhaseRow, TopicAnswer, advance, use_turn
from plans.protocols.topic_exploration.content import base_turns
from tests.each import each
from tests.examples import examples

ALLOWED = {  # without a wish to stop
    Phase.EXPLORE: {Phase.EXPLORE, Phase.DEEPEN, Phase.DEEP_OFFER, Phase.LAST},
    Phase.DEEP_OFFER: {Phase.DEEP_OFFER, Phase.DEEPEN, Phase.LAST},
    Phase.DEEPEN: {Phase.DEEPEN, Phase.LAST},
    Phase.LAST: {Phase.DATA_COLLECTION, Phase.END},
    Phase.DATA_COLLECTION: {Phase.DATA_COLLECTION, Phase.END},
}
STOPPED = {Phase.DATA_COLLECTION, Phase.END}


def exploration(*goals: int, minutes: int = 10, fields: bool = True, angles: int = 9):
    """Topics with so many sub-goals each."""
    base = base_turns(minutes * 60, len(goals))
    budget = {"angles": angles, "base": base, "max": base + 2}
    topics = tuple(TopicState(sub_goals=n, **budget) for n in goals)
    return Exploration(topics=topics, aim=topics[0].due, has_fields=fields)


def walk(now, *heard):
    """Through several answers; the rows that were taken."""
    rows = []
    for one in heard:
        now, row = advance(now, one)
        rows.append(row)
    return now, rows


def low(left=500):
    return TopicAnswer(Band.LOW, left, score=0.1)


def medium(left=500):
    return TopicAnswer(Band.MEDIUM, left, score=0.45)


def high(left=500):
    return TopicAnswer(Band.HIGH, left, score=0.8)


def test_budgets():
    now = exploration(3, 3, 3, minutes=15)  # 20 turns for three topics
    assert [(t.min, t.base, t.max) for t in now.topics] == [(1, 6, 8)] * 3
    assert exploration(*[1] * 20, minutes=1).topics[0].base == 2


def test_low_moves_on_after_the_minimum():
    now, rows = walk(exploration(5, 5), low())
    assert rows == [PhaseRow.LOW]
    assert (now.phase, now.topic) == (Phase.EXPLORE, 1)


def test_medium_stays_to_the_base_then_moves_on():
    now, rows = walk(exploration(9, 9, minutes=5), *[medium()] * 3)
    assert rows == [PhaseRow.STAY, PhaseRow.STAY, PhaseRow.BASE_USED]
    assert now.topic == 1


def test_high_buys_up_to_two_bonus_turns_from_who_has_most_to_give():
    now, rows = walk(exploration(9, 9, 9, minutes=5), *[high()] * 5)
    assert rows == [
        PhaseRow.STAY,
        PhaseRow.BONUS,
        PhaseRow.BONUS,
        PhaseRow.BASE_USED,
        PhaseRow.STAY,
    ]
    assert [t.max for t in now.topics] == [4, 3, 3]
    assert [t.bonus for t in now.topics] == [2, 0, 0]


def test_the_last_topic_gets_no_bonus():
    _, rows = walk(exploration(9, minutes=1), high(), high())
    assert rows == [PhaseRow.STAY, PhaseRow.BASE_USED]


def test_a_turn_beyond_the_minimum_leaves_the_others_theirs():
    _, rows = walk(exploration(9, 9, 9, minutes=10), medium(89))
    assert rows == [PhaseRow.BASE_USED]
    _, rows = walk(exploration(9, 9, 9, minutes=10), medium(90))
    assert rows == [PhaseRow.STAY]


def test_a_topic_with_nothing_left_to_ask_is_done():
    _, rows = walk(exploration(1, 9, angles=1, minutes=10), medium(), medium())
    assert rows == [PhaseRow.STAY, PhaseRow.BASE_USED]


def test_time_out_leads_to_the_offer():
    now, rows = walk(exploration(5, 5), medium(0))
    assert rows == [PhaseRow.TIME_OUT]
    assert now.phase is Phase.DEEP_OFFER


def test_the_last_topic_leads_to_deepen_when_something_is_open():
    now, _ = walk(exploration(5), low())
    assert now.phase is Phase.DEEPEN


def test_the_last_topic_without_time_leads_to_the_offer():
    now, _ = walk(exploration(5), low(0))
    assert now.phase is Phase.DEEP_OFFER


def test_nothing_open_leads_to_the_closing_question_at_once_and_then_to_the_data():
    now, rows = walk(exploration(1), high())
    assert rows == [PhaseRow.ALL_COVERED]
    assert now.phase is Phase.LAST
    now, rows = walk(now, low())
    assert rows == [PhaseRow.LAST_ANSWERED]
    assert now.phase is Phase.DATA_COLLECTION


def test_without_fields_it_ends_after_the_closing_question():
    now, _ = walk(exploration(1, fields=False), high())
    assert now.phase is Phase.LAST
    assert walk(now, high())[0].phase is Phase.END


def test_a_wish_to_stop_leads_to_the_data():
    now, rows = walk(exploration(5, 5), TopicAnswer(stop=True, seconds_left=500))
    assert rows == [PhaseRow.STOP]
    assert now.phase is Phase.DATA_COLLECTION
    assert now.closed_early


# the last two lead to DEEPEN, and to the closing question
@each("answers", [[], [medium()], [low(), low()], [low(), low(), low(), low()]])
def test_a_wish_to_stop_uses_no_turn(answers):
    before, _ = walk(exploration(5, 5), *answers)
    now, rows = walk(before, TopicAnswer(stop=True, covers=False, seconds_left=500))
    assert rows == [PhaseRow.STOP]
    assert (now.topics, now.deepen_used) == (before.topics, before.deepen_used)


def offered():
    return walk(exploration(3, 3), medium(0))[0]


def test_the_offer_accepted():
    now, rows = walk(offered(), TopicAnswer(offer="ACCEPT"))
    assert rows == [PhaseRow.ACCEPTED]
    assert now.phase is Phase.DEEPEN
    assert now.topic == 1  # never begun comes first
    assert now.extended


def test_the_offer_refused():
    now, rows = walk(offered(), TopicAnswer(offer="REFUSE"))
    assert rows == [PhaseRow.REFUSED]
    assert now.phase is Phase.LAST


def test_the_offer_is_put_twice_at_most():
    now, rows = walk(offered(), TopicAnswer(), TopicAnswer())
    assert rows == [PhaseRow.ASKED_AGAIN, PhaseRow.REFUSED]
    assert now.phase is Phase.LAST


def test_a_wish_to_stop_at_the_offer_is_a_refusal_without_a_closing_question():
    assert walk(offered(), TopicAnswer(stop=True))[0].phase is Phase.DATA_COLLECTION


def test_deepen_gives_a_second_turn_only_to_what_engages():
    begun, _ = walk(exploration(5, 5), low(), low())
    _, rows = walk(begun, low(), low())
    assert rows == [PhaseRow.DEEPEN_NEXT, PhaseRow.DEEPEN_DONE]
    _, rows = walk(begun, high(), high(), high(), high())
    assert rows == [
        PhaseRow.DEEPEN_STAY,
        PhaseRow.DEEPEN_NEXT,
        PhaseRow.DEEPEN_STAY,
        PhaseRow.DEEPEN_DONE,
    ]


def test_after_an_offer_deepen_gives_no_more_than_was_offered_whatever_it_earns():
    begun, _ = walk(exploration(5, 5, 5), high(), high(), low(), low(), low(0))
    begun = begun.model_copy(update={"phase": Phase.DEEP_OFFER, "offers": 1})
    offered = sum(deepen_turns(topic) for topic in begun.topics if topic.open)
    now, _ = walk(begun, TopicAnswer(offer="ACCEPT"))
    asked = 0
    while now.phase is Phase.DEEPEN:
        now, asked = advance(now, high(-100))[0], asked + 1
    assert asked == offered == 4


def test_deepen_is_not_cut_by_the_clock():
    begun, _ = walk(exploration(5, 5), low(), low())
    now, _ = walk(begun, high(-100))
    assert now.phase is Phase.DEEPEN


def test_data_collection_ends_when_it_is_done():
    now, _ = walk(exploration(1), high(), medium(), TopicAnswer())
    assert now.phase is Phase.DATA_COLLECTION
    assert walk(now, TopicAnswer(data_done=True))[0].phase is Phase.END


bands = st.sampled_from([(Band.LOW, 0.1), (Band.MEDIUM, 0.45), (Band.HIGH, 0.8)])
answers = st.tuples(
    bands,
    st.integers(0, 400),
    st.integers(0, 40).map(lambda n: n == 0),
    st.sampled_from(["ACCEPT", "REFUSE", "NEUTRAL"]),
    st.booleans(),
    st.fixed_dictionaries({"covers": st.booleans(), "heavy": st.booleans()}),
    st.integers(0, 200),  # the topic that is closed, if there is one of this number
)


@settings(max_examples=examples(400), deadline=None)
@given(
    goals=st.lists(st.integers(0, 10), min_size=1, max_size=20),
    angles=st.integers(0, 4),
    minutes=st.integers(1, 120),
    fields=st.booleans(),
    script=st.lists(answers, min_size=30, max_size=30),
)
def test_whatever_is_answered(goals, angles, minutes, fields, script):
    now = exploration(*goals, minutes=minutes, fields=fields, angles=angles)
    constant = sum(t.max + t.bonus for t in now.topics)
    left, most = minutes * 60.0, sum(t.max for t in now.topics) + 2 * len(goals) + 2 * 12 + 8
    turns = data_turns = closing_questions = 0
    stopped = False
    while now.phase is not Phase.END:
        (band, score), pace, stop, offer, done, read, closed = script[turns % len(script)]
        left -= pace
        data_turns += now.phase is Phase.DATA_COLLECTION
        closes = frozenset({closed} & set(range(len(goals))))
        over = done or data_turns > 5
        heard = TopicAnswer(band, left, stop, offer, over, score, **read, closed_topics=closes)
        before = now
        now, row = advance(now, heard)
        turns += 1
        stops = stop and before.phase is not Phase.DATA_COLLECTION
        stopped |= stops
        assert now.phase in (STOPPED if stops else ALLOWED[before.phase]), row
        closing_questions += now.phase is Phase.LAST
        assert sum(t.max + t.bonus for t in now.topics) == constant
        for topic in now.topics:
            assert topic.min <= topic.effective_base <= topic.max
            assert topic.used <= topic.max
            assert topic.bonus <= 2
            assert 0 <= topic.engagement <= 1
            assert topic.covered <= topic.asked
        if now.phase in (Phase.EXPLORE, Phase.DEEPEN):
            assert now.aim not in before.current.asked or now.topic != before.topic
            assert now.aim not in now.current.asked
        assert turns <= most + len(goals) * 12
        if row is PhaseRow.BONUS:
            assert not before.is_last
    assert closing_questions == 1 or (stopped and closing_questions == 0)
    offered_and_refused = now.offers > 0 and not now.extended
    if not now.closed_early and not offered_and_refused:
        assert all(topic.started or topic.closed for topic in now.topics)


def test_jokes_use_turns_but_never_more_than_a_topic_has():
    now = exploration(9, 9, minutes=3)
    for _ in range(20):
        now = use_turn(now)
    assert now.current.used == now.current.max - 1


@given(st.integers(0, 10), st.floats(0, 1))
def test_deepen_gives_one_or_two(goals, engagement):
    topic = exploration(goals).topics[0].model_copy(update={"engagement": engagement})
    assert 1 <= deepen_turns(topic) <= 2


@each(
    ("refused", "left"),
    [(1, (2, 3)), (2, (3,)), (3, (2,))],  # the angle asked about, the next one, the last one
)
def test_a_closed_angle_is_passed_over_and_no_other_one(refused, left):
    now, _ = advance(exploration(1, 1, angles=3, minutes=60), medium())
    answer = replace(medium(), closed_goals=frozenset({(0, refused)}))
    now, _ = advance(now, answer)
    assert now.topics[0].angles_left == left
