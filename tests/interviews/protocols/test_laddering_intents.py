"""What a laddering does about answers that don't answer, and about hard ones."""

from dataclasses import replace
from itertools import pairwise

import pytest

from interviews.engine.common_rules import rules_reading
from interviews.engine.pipeline import replay
from interviews.protocols.laddering.protocol import PROTOCOL
from interviews.protocols.laddering.signals.moment import ELEMENT
from llm.tasks.outcome import Outcome, Source
from llm.tasks.templates import render
from tests.each import each
from tests.interviews.protocols.laddering import (
    FAIR,
    RICH,
    Laddering,
    Model,
    found,
    heard,
    material,
    no_answer,
)
from tests.readings import as_heard

SAID = "Well, for me it is like this."
LIGHT = (found("warm light: attribute @warm_light"), heard())
DEATH = (found("my mother died: psychosocial_consequence", care="heavy"), heard("deep", "negative"))


KEY = "question.gentle.open_up.element:dimming"
BEGUN = {  # what two models have written so far
    "signals": {"depth": "d"},
    "extract": {"concepts": ["my mother died | psychosocial_consequence |"], "relations": []},
}


def about_light(*readings, turns: int = 25) -> Laddering:
    """A talk in which a question about warm light is open; then these are read."""
    run = Laddering(material(turns=turns), Model(readings=[LIGHT]))
    run.say("I like the warm light.")
    run.model.readings = list(readings)
    return run


def focuses(run: Laddering) -> list[str]:
    return [put.focus for put in run.state.asked]


# -- no answer


@pytest.mark.parametrize("said", ["skip", "I'd rather not say."])
def test_what_is_unmistakably_left_out_is_read_by_nobody(said):
    run = about_light()
    run.say(said)
    assert run.keys() == ["question.open_up.element:dimming"]
    assert run.inquiries[-1][0].data.manner == "skipped"
    assert (run.last.reason, run.state.talk.turn) == ("left_out", 2)


def test_after_not_knowing_there_is_another_way_in():
    run = about_light(no_answer("dont_know"))
    before = run.state.open
    move = run.say("I haven't the faintest.")
    assert (move.reason, run.state.talk.turn) == ("nothing_told", 2)
    assert run.inquiries[-1][-1].data.manner == "skipped"
    assert (run.state.open.strategy, run.state.open.focus) != (before.strategy, before.focus)
    assert len(run.state.graph.nodes) == 1


def test_what_is_told_beside_a_wish_is_kept():
    run = about_light((found("cheap: attribute @price", intent="skip"), heard()))
    move = run.say("No idea, it was cheap. Next one?")
    assert [one.text for one in run.state.graph.nodes] == ["warm light", "cheap"]
    assert move.reason == "left_out"
    assert replay(PROTOCOL, *run.turns[-1]) == move


def test_a_wish_with_content_is_worded_before_the_content_is_known():
    run = about_light()
    now = run.here("No idea, it was cheap. Next one?")
    read = found("cheap: attribute @price", intent="skip")
    begun = PROTOCOL.step(_as_read(now, "skip"), {})
    whole = PROTOCOL.step(_as_read(now, "skip"), {"extract": Outcome(read, Source.MODEL)})
    assert [one.key for one in begun.inquiries] == ["question.open_up.element:dimming"]
    assert [one.key for one in whole.inquiries] == [one.key for one in begun.inquiries]


@pytest.mark.parametrize("intent", ["skip", "refuse", "off_topic"])
@pytest.mark.parametrize("words", [{}, {"wordings": ["No question."]}])
def test_what_was_left_is_not_asked_about_next(intent, words):
    run = about_light(*[no_answer(intent)] * 3)
    run.model.wordings = words.get("wordings", []) * 3
    left = run.state.open.focus
    while run.state.open.focus == left and run.state.strayed < 2:
        run.say("Never mind that.")
    run.say("Never mind that.")
    assert run.state.open.focus != left


def test_what_they_refuse_is_closed_for_good():
    run = about_light(no_answer("refuse", closed_subject="what the price was"))
    left = run.state.open.focus
    run.say("I won't talk about what it cost.")
    assert run.state.closed == ("what the price was",)
    assert run.state.nodes[left].closed
    assert run.state.nodes[ELEMENT + "price"].closed
    run.model.readings = [(found("a low price: attribute"), heard("deep"))] + [LIGHT] * 12
    for number in range(12):
        run.say(f"{FAIR} {number}")
    later = focuses(run)[3:]
    closed = {name for name, state in run.state.nodes.items() if state.closed}
    assert len(closed) == 3  # what was said of it later is closed as well
    assert not closed & set(later)
    assert run.inquiries[-1][-1].data.closed == ["what the price was"]


def test_a_question_about_a_closed_subject_gives_way_to_a_template():
    run = about_light(no_answer("refuse", closed_subject="my brother"))
    run.model.wordings = ["And what does your brother say about it?"]
    move = run.say("I'd rather leave my brother out of this, if you don't mind.")
    assert "brother" not in run.said
    assert move.firings[0].guard == "closed_subject"


def with_elements(*places: int) -> Laddering:
    """A talk about a few of the elements."""
    made = material()
    elements = tuple(made.concept.elements[place] for place in places)
    concept = made.concept.model_copy(update={"elements": elements})
    return Laddering(made.model_copy(update={"concept": concept}), Model())


def test_a_closed_part_of_the_topic_keeps_nothing_from_ending():
    run = with_elements(0, -1)  # warm light, price
    two = found("warm light: attribute @warm_light; a chair: attribute"), heard()
    run.model.readings = [two, no_answer("refuse", closed_subject="the price")]
    run.say("I like the warm light.")
    run.say("I'd rather not speak of the price, really.")
    run.model.readings = [(found("tea: attribute"), heard())]
    while not run.state.last_asked:
        run.say("Tea goes with it.")
    assert run.last.reason == "all_covered"
    assert run.last.details["coverage"] == {"warm_light": 0.2, "price": 0.0}


@each(
    ("language", "said"),
    [
        ("en", "This is a stupid question."),
        ("en", "Leave me alone."),
        ("en", "I don't want to talk about my husband."),
        ("en", "Why do you keep asking why?"),
        ("en", "I still don't understand. Haha."),
        ("it", "Che domanda stupida."),
        ("it", "Lasciami in pace."),
        ("it", "Non voglio parlare di mio marito."),
        ("it", "Perché continua a chiedermi perché?"),
        ("ru", "Глупый вопрос."),
        ("ru", "Отстаньте от меня!"),
        ("ru", "Не хочу говорить о муже."),
        ("ru", "Кто это читает?"),
    ],
)
def test_without_a_model_nothing_is_made_of_what_is_said_to_the_interviewer(language, said):
    run = Laddering(language=language)
    run.say(said)
    assert run.state.graph.nodes == ()


def test_when_everything_is_closed_it_ends():
    run = with_elements(-1)
    run.model.readings = [no_answer("refuse", closed_subject="the price")]
    assert run.say("I'd rather not speak of the price, really.").reason == "all_exhausted"


def test_a_yes_is_an_answer():
    run = Laddering()
    run.say(RICH)
    for said in ("Yes.", "Sure", "no", "Thanks!"):
        assert run.say(said).reason == "by_graph"


def test_off_topic_is_led_back_and_uses_a_turn_from_the_second_on():
    run = about_light(*[no_answer("off_topic")] * 3)
    asked = run.state.open
    turns = []
    for _ in range(2):
        assert run.say("Why did the chicken cross the road?").reason == "off_topic"
        assert run.state.open == asked
        turns.append(run.state.talk.turn)
    assert turns == [1, 2]
    run.say("To get to the other side!")
    assert (run.state.talk.turn, run.state.open == asked) == (3, False)


def test_straying_never_uses_the_last_turn_up():
    run = about_light(*[no_answer("off_topic")] * 5, turns=3)
    while not run.state.last_asked:
        assert run.state.talk.turn < 3
        run.say("Why did the chicken cross the road?")
    assert (run.last.reason, run.state.talk.turn) == ("turn_limit", 3)


# -- the open question again


def test_the_open_question_in_other_words_takes_no_turn():
    run = about_light(no_answer("clarify"), no_answer("ask_back"))
    open_ = run.state.open
    assert run.say("How am I to take that?").reason == "clarification"
    assert run.said == "Take last night: what was it like to read in warm light?"
    assert run.say("And whose idea is this?").reason == "question_back"
    assert run.said.endswith("what was it like to read in warm light?")
    assert (run.state.open, run.state.talk.turn) == (open_, 1)
    read = next(one for one in run.inquiries[-1] if one.key == "extract")
    assert read.data.question == run.state.reworded == run.said.split("\n")[-1]


def test_a_reply_is_told_what_may_not_be_told():
    run = about_light(no_answer("ask_back"))
    run.say("What do the people behind this hope to hear?")
    call = next(one for one in run.inquiries[-1] if one.key == "answer")
    told = render(call.task, call.data).system
    assert "believe, hope for or promise" in told
    assert run.made.concept.context.insight not in told
    assert run.made.concept.context.insight in PROTOCOL.private_texts(run.here(""))


# -- something hard


@each("intent", ["answer", "dont_know", "refuse"])
def test_after_something_hard_comes_a_gentle_question_about_something_else(intent):
    hard = DEATH[0].model_copy(update=as_heard({"intent": intent, "care": "heavy"}))
    run = about_light((hard, DEATH[1]))
    left = run.state.open.focus
    run.say("My mother died beside that lamp.")
    asked = run.inquiries[-1][-1].data
    assert asked.manner == "gentle"
    assert asked.answer == "My mother died beside that lamp."
    assert asked.strategy == "Open up"
    assert run.state.open.focus.startswith(ELEMENT)
    assert {name for name, one in run.state.nodes.items() if one.closed} == {left, "n2"}


def test_a_model_that_asks_into_something_hard_is_not_heard():
    run = about_light(DEATH)
    run.model.wordings = ["That is sad. What exactly happened, minute by minute?"]
    move = run.say("My mother died beside that lamp.")
    assert [one.guard for one in move.firings] == ["heavy"]
    assert "“dimming by itself”" in run.said
    assert "happened" not in run.said


def test_nothing_of_a_gentle_question_is_shown_before_it_is_whole():
    run = about_light()
    now = _as_read(run.here("My mother died beside that lamp."), "answer", "heavy")
    read = {"signals": Outcome(DEATH[1], Source.MODEL), "extract": Outcome(DEATH[0], Source.MODEL)}
    gentle = "That is sad. And how is the dimming for you?"
    written = {KEY: {"text": gentle}}
    assert PROTOCOL.preview(now, read, written) == ""
    whole = {KEY: Outcome(gentle, Source.MODEL)}
    assert PROTOCOL.preview(now, {**read, **whole}, {}) == gentle


def test_what_takes_an_answer_in_is_not_said_again_with_the_question():
    run = about_light(DEATH, no_answer("ask_back"))
    run.model.wordings = ["That is sad. And how is the dimming for you?"]
    run.say("My mother died beside that lamp.")
    assert run.said == "That is sad. And how is the dimming for you?"
    run.say("Who wants to know?")
    assert run.last.utterances[-1].text == "And how is the dimming for you?"


def test_templates_of_one_kind_don_t_follow_each_other_without_a_model():
    run = Laddering(material(turns=12))
    many = "I like a cushion, a blanket, a kettle, a biscuit, a window, a radio and a violin."
    for number in range(9):
        run.say(many if number == 0 else f"It is so for me and I would say it like that {number}.")
    frames = [put.text.split("“")[0] for put in run.state.asked[1:]]
    assert all(one != other for one, other in pairwise(frames))


def test_nothing_ever_asks_about_something_hard_later():
    run = about_light(DEATH)
    for number in range(20):
        run.say(f"It is as it is, number {number}.")
        assert run.state.open.focus not in ("n1", "n2")
        shown = run.inquiries[-1][-1].data
        assert not any("died" in tie for tie in getattr(shown, "tied", []))


def test_the_question_after_something_hard_is_begun_before_the_answer_is_read():
    run = about_light()
    now = _as_read(run.here("My mother died beside that lamp."), "answer", "heavy")
    (early,) = PROTOCOL.prefetch(now, {}, BEGUN)
    read = {"extract": Outcome(DEATH[0], Source.MODEL), "signals": Outcome(DEATH[1], Source.MODEL)}
    assert early.key == KEY
    assert [one.key for one in PROTOCOL.step(now, read).inquiries] == [KEY]


def test_a_question_that_was_begun_before_that_was_known_is_not_used():
    run = about_light()
    now = run.here("My mother died beside that lamp.")
    (guess,) = PROTOCOL.prefetch(now, {}, BEGUN)
    hard = PROTOCOL.prefetch(_as_read(now, "answer", "heavy"), {}, BEGUN)
    assert guess.key not in [one.key for one in hard]


HARD = {
    "en": "My mother died last winter, and since then I can't sleep in the dark.",
    "it": "Mia madre è morta l'inverno scorso, e da allora non dormo al buio.",
    "ru": "Моя мама умерла прошлой зимой, и с тех пор я не сплю в темноте.",
}


LATER = {
    "en": "I miss her every day.",
    "it": "Mi manca ogni giorno.",
    "ru": "Мне её не хватает каждый день.",
}


@pytest.mark.parametrize("language", HARD)
def test_without_a_model_a_part_that_nobody_spoke_of_follows_something_hard(language):
    run = Laddering(language=language)
    move = run.say(HARD[language])
    first, question = (one.text for one in move.utterances)
    assert first
    assert not first.endswith("?")
    assert run.state.open.focus.startswith(ELEMENT)
    assert run.state.open.text == question
    new = [node.id for node in run.state.graph.nodes]
    assert all(run.state.nodes[name].closed for name in new)
    while not run.over:
        run.say(LATER[language])  # which rules can't tell from what was hard
        assert run.state.open.focus not in run.state.graph.by_id


# -- what nobody could judge


def test_what_a_model_failed_to_judge_is_not_judged_by_rules():
    run = about_light()
    broken = Outcome(heard("shallow"), Source.FALLBACK, "timeout")
    reading = run.model
    run.model = lambda call: broken if call.key == "signals" else reading(call)
    move = run.say(RICH)
    assert move.details["depth"] == ""
    assert "llm.response_depth" not in move.details["signals"]
    assert run.state.nodes["n1"].depths == ()


def test_whoever_reads_the_reply_to_the_stop_is_told_what_was_asked():
    run = about_light(no_answer("stop"))
    before = run.state.open.text
    run.all(["I want to stop.", "That would be good."])
    asked = f"{before}\nShall we end the interview here?"
    assert [call.data.question for call in run.inquiries[-1] if call.key == "extract"] == [asked]
    assert run.last.reason == "stopped_by_participant"


def test_what_is_told_with_the_yes_to_the_stop_is_kept():
    told = found("my eyes rest: functional_consequence", "1 > n1", intent="stop")
    run = about_light((told, heard()))
    run.all(["I want to stop.", "Yes, let us end it. My eyes rest by it, that is all."])
    assert run.last.reason == "stopped_by_participant"
    assert [node.text for node in run.state.graph.nodes] == ["warm light", "my eyes rest"]
    assert "my eyes rest" in [getattr(one, "text", "") for one in run.last.records]


def test_without_any_model_rules_judge():
    run = Laddering()
    assert run.say(RICH).details["depth"] == "deep"


def _as_read(now, intent: str, care: str = "none"):
    """The context of an answer that is read as that."""
    reading = rules_reading(PROTOCOL, now).floor
    return replace(now, reading=reading.but(intent, care=care))


@pytest.mark.parametrize("intent", ["stop", "pause", "ask_back"])
def test_what_is_told_beside_a_question_left_open_is_kept(intent):
    told = found("my eyes rest: functional_consequence", "1 > n1", intent=intent)
    run = about_light((told, heard()))
    before = run.state.talk
    move = run.say("My eyes rest by it, that is all. Could we leave it there, or who reads this?")
    assert [node.text for node in run.state.graph.nodes] == ["warm light", "my eyes rest"]
    assert "my eyes rest" in [getattr(one, "text", "") for one in move.records]
    assert run.state.talk == before
    run.say("no")
    run.model.readings = [(found("I read longer: psychosocial_consequence", "n2 > 1"), heard())]
    run.say("And so I read longer.")
    assert len(run.state.graph.nodes) == 3
