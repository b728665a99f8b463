"""Whatever a model claims of an answer, the exploration keeps its budgets and ends."""

from hypothesis import given, settings
from hypothesis import strategies as st

from interviews.engine.guards import question_of
from interviews.protocols.topic_exploration.exploration import Phase
from tests.examples import examples
from tests.interviews.protocols.exploring import (
    HIGH,
    LOW,
    MEDIUM,
    Exploring,
    led,
    material,
    questions,
    written,
)

IDS = [f"t{topic}.{goal}" for topic in range(1, 5) for goal in range(6)]
MOVES = ["stay", "b1", "b2", "last", "offer", "end", "again", "", *IDS]
SAYS = [
    "",
    *("new",) * 5,  # a question that was never put
    "Which of the shops was it that you went to first of all?",
    "A long day. Who came along?",
    "Goodbye. INTERVIEW_COMPLETED",
    "What of an ordinary morning?",
    "Would you like to continue with 99 more questions?",
]
heard = st.builds(
    lambda *words: " ".join(filter(None, words)),
    st.sampled_from(["fully", "partly", "no", "unknown", ""]),
    st.sampled_from(MOVES),
    st.sampled_from(["", "", "skip", "refuse", "complaint", "off_topic", "last_one", "ask_back"]),
    st.sampled_from(["", "", "heavy"]),
)
turns = st.fixed_dictionaries(
    {
        "heard": heard,
        "say": st.sampled_from(SAYS),
        "met": st.lists(st.sampled_from(IDS), max_size=3),
        "threads": st.lists(st.sampled_from(["the shops", "a quarrel"]), max_size=2),
    }
)
answers = st.sampled_from([HIGH, MEDIUM, LOW, "Yes.", "No.", "My mother died that year."])
MOST = 250  # turns; four topics of ten questions, each stayed with while it is hard


def turns_of(replies):
    """As many turns as there may be, from these over and over."""
    for number, say in enumerate(questions(MOST)):
        reply = replies[number % len(replies)]
        yield {**reply, "say": say} if reply["say"] == "new" else reply


def topics(run):
    return run.state.exploration.topics


def written_questions(made):
    return {topic.question_for(goal) for topic in made.topics for goal in range(3)} - {""}


def play(made, model, said, seconds):
    run, every = Exploring(made, model, seconds=seconds), sum(t.max_turns for t in made.topics)
    put = []
    while not run.over and len(run.moves) < MOST:
        told = said[len(run.moves) % len(said)]
        before = question_of(run.moves[-1].utterances[-1].text)
        run.say(told)
        explored = run.turns[-1][0].state.exploration.phase in (Phase.EXPLORE, Phase.DEEPEN)
        if explored and run.last.details.get("answers") in ("fully", "partly"):
            put.append(before)
        assert all(topic.used <= topic.max for topic in topics(run))
        assert all(topic.min <= topic.effective_base <= topic.max for topic in topics(run))
        assert sum(topic.max + topic.bonus for topic in topics(run)) == every
        again = question_of(run.moves[-1].utterances[-1].text)
        assert again not in put or again not in written_questions(made), again
    assert run.over, run.phases[-9:]
    assert run.state.exploration.offers <= 2
    return run


@settings(max_examples=examples(150), deadline=None)
@given(
    replies=st.lists(turns, min_size=1, max_size=12),
    said=st.lists(answers, min_size=1, max_size=6),
    minutes=st.sampled_from([2, 6, 15]),
    seconds=st.sampled_from([5, 45, 200]),
    same=st.sampled_from(["yes", "no"]),
)
def test_whatever_a_model_says(replies, said, minutes, seconds, same):
    made = written(material(minutes=minutes, topics=3))
    play(made, led(*turns_of(replies), same=same), said, seconds)


def test_who_is_always_called_heavy_is_not_kept_for_ever():
    model = led(*turns_of([{"heard": "fully stay heavy", "say": "new"}]))
    run = play(written(material(minutes=6)), model, [MEDIUM], 45)
    assert run.phases.count("LAST") > 0
