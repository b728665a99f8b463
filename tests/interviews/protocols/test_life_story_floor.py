"""What a life story does without a model."""

from dataclasses import replace
from pathlib import Path

import pytest

from interviews.engine.guards import Limits, check
from interviews.engine.texts import wordings
from interviews.protocols.life_story.notes import found_by_rules
from plans import demo
from plans.portability.reader import read_script
from tests.each import each
from tests.interviews.protocols.here import called, here, led, plan, said, spoken, takes_in, unled
from tests.interviews.protocols.storying import Storying

LONG = (
    "We had a wooden desk by the window and I remember the smell of chalk and the long winter "
    "mornings when the stove was lit before anybody came in and we all kept our coats on."
)
PROBES = ("Who sat beside you?", "What hung on the wall?")
NEXT = "What comes to mind about first work?"


def floor_said(answer, *args, **changes):
    return said(floor_move(answer, *args, **changes))


def floor_move(answer, asked=(), probes=PROBES, **changes):
    """The turn without a model, with time to stay; `asked` are follow-ups that were put before."""
    ctx = here(answer, plan=plan(4, probes=probes), **changes)
    lines = map(spoken, asked)
    return unled(replace(ctx, transcript=(*ctx.transcript, *lines)))


def floor(answer, *args, **changes):
    return floor_said(answer, *args, **changes)[-1]


def test_short_answers_get_the_probes_of_the_question_once_each_in_their_order():
    following = ("scripted_question", NEXT)
    assert floor("Chalk and cold coats.") == ("follow_up", PROBES[0])
    assert floor("The boy from Riga street.", PROBES[:1]) == ("follow_up", PROBES[1])
    assert floor("The map with the pins.", PROBES) == following
    assert floor("The map with the pins.", [f"I see. {PROBES[0]}"]) == ("follow_up", PROBES[1])


@each(
    ("answer", "probed"),
    [
        ("The usual.", False),
        ("I'd tell you, but then I'd have to adopt you.", False),
        ("Just the two of us, my cousin Nell and me.", True),
        ("Until 1962.", True),
    ],
)
def test_a_second_probe_follows_only_what_names_something(answer, probed):
    kind, _ = floor(answer, PROBES[:1], state={"stays": 1})
    assert (kind == "follow_up") is probed


@pytest.mark.parametrize("answer", ["Scunthorpe. Happy now?", "At school. Is that what you meant?"])
def test_whoever_asks_back_is_not_probed(answer):
    assert floor(answer)[0] == "scripted_question"


def test_a_probe_is_asked_though_an_earlier_question_was_like_it():
    assert floor("Chalk and cold coats.", ["Who was sitting beside you?"]) == (
        "follow_up",
        PROBES[0],
    )


@each(
    ("answer", "probes", "changes"),
    [
        (LONG, PROBES, {}),
        ("Chalk and cold coats.", (), {}),
        ("Chalk and cold coats.", PROBES, {"seconds": 280}),
        ("Chalk.", PROBES, {}),
        ("42. Next!", PROBES, {}),
        ("I don't know.", PROBES, {}),
        ("I can't remember", PROBES, {}),
        ("Chalk and cold coats.", PROBES, {"state": {"stays": 3}}),
        ("No, that's all.", PROBES, {"state": {"door": "asked"}}),
    ],
)
def test_without_need_or_leave_nothing_is_probed(answer, probes, changes):
    assert floor(answer, probes=probes, **changes)[0] == "scripted_question"


@pytest.mark.parametrize(
    "answer",
    ["My brother died.", "We laughed all summer at the lake, and there my father had a stroke."],
)
def test_something_hard_is_taken_in_without_a_word_on_what_they_feel(answer):
    taken_in, door = floor_said(answer)
    assert takes_in(taken_in[1], asks=False)
    assert (door[0], door[1] in wordings("en", "door")) == ("follow_up", True)
    for words in ("sorry", "hard", "easy", "pain", "heavy", "feel", "sad"):
        assert words not in f"{taken_in[1]} {door[1]}".lower()


def test_behind_the_door_there_is_room_to_tell_and_then_the_next_question():
    hard = floor_move("My mother died in winter, and I still wait for her to call.")
    assert (hard.reason, hard.state.door) == ("stay", "asked")
    room = floor_move("Yes.", [hard.state.open_question], state=dict(hard.state))
    assert said(room) == [("follow_up", room.state.open_question)]
    assert room.state.open_question in wordings("en", "listening")
    told, question = floor_said("She was still warm.", state=dict(room.state))
    assert takes_in(told[1], asks=True)
    assert question == ("scripted_question", NEXT)


@pytest.mark.parametrize("answer", ["No.", "no", "No, thanks."])
def test_a_no_at_the_door_is_respected(answer):
    hard = floor_move("My mother died in winter, and I still wait for her to call.")
    lead, question = floor_said(answer, state=dict(hard.state))
    assert lead[1] in wordings("en", "respect")
    assert question == ("scripted_question", NEXT)


CERTAIN = {
    "en": {
        "My name is Anna Reed, and I was born in Riga in 1950.": {
            "name": "Anna Reed",
            "birth_year": "1950",
        },
        "I was born on 4 May 1952.": {"birth_year": "1952"},
        "I have two children.": {"number_of_children": "two"},
        "My name is hard to spell.": {},
        "I have grown children.": {},
        "I have two children in my class.": {},
        "I was born after my brother died in 1950.": {},
    },
    "it": {
        "Mi chiamo Anna. Sono nata a Riga nel 1950.": {"name": "Anna", "birth_year": "1950"},
        "Ho due figli.": {"number_of_children": "due"},
        "Mi chiamo in un modo difficile da scrivere.": {},
        "Ho figli grandi.": {},
    },
    "ru": {
        "Меня зовут Анна. Я родилась в Риге в 1950 году.": {"name": "Анна", "birth_year": "1950"},
        "У меня двое детей.": {"number_of_children": "двое"},
        "Меня зовут так, что трудно написать.": {},
        "У меня взрослые дети.": {},
    },
}


@each(("answer", "notes"), [pair for found in CERTAIN.values() for pair in found.items()])
def test_only_what_is_certain_is_noted(answer, notes):
    assert found_by_rules(answer) == notes


@pytest.mark.parametrize("name", ["life_story_en", "life_story_ru"])
def test_no_guard_holds_back_a_shipped_probe(name):
    path = Path(demo.__file__).parent / f"scripts/{name}.yaml"
    script = read_script(path.read_text(encoding="utf-8"))
    for question in script.questions:
        for probe in question.probes.splitlines():
            private = (question.objective, question.guidance)
            limits = Limits(script.language, private, asked=(question.text,))
            assert check(probe, limits).text == probe


def test_a_model_reads_the_probes_that_are_left():
    ctx = here(LONG, plan=plan(4, probes=PROBES))
    stay = next(line for line in called(ctx).moves if line.startswith("stay"))
    assert " / ".join(PROBES) in stay


def test_a_probe_about_a_closed_subject_is_left_out():
    probes = ("What did your father say of it?", PROBES[1])
    closed = {"closed": ("my father",)}
    assert floor("Chalk and cold coats.", probes=probes, state=closed)[1] == PROBES[1]


@pytest.mark.parametrize(("asked", "closed"), [([PROBES[0]], ()), ([], ("whoever sat beside me",))])
def test_a_model_can_choose_no_probe_that_was_asked_or_is_closed(asked, closed):
    ctx = here(LONG, plan=plan(4, probes=PROBES), state={"closed": closed})
    ctx = replace(ctx, transcript=(*ctx.transcript, *map(spoken, asked)))
    assert said(led(ctx, "fully stay", PROBES[0])) == [("scripted_question", NEXT)]


def test_what_was_refused_in_distress_is_not_asked_again_after_the_care_text():
    care = floor_move("I don't want to talk about school. I want to die.")
    assert (care.reason, care.state.closed) == ("distress", ("school",))
    waiting = {"closed": care.state.closed, "awaiting": care.state.awaiting}
    again = floor_move("Yes.", state=waiting)
    assert "school" not in " ".join(text for _, text in said(again))
    assert again.utterances[0].text in wordings("en", "respect")
    assert again.utterances[-1].text == NEXT
    assert again.heard_as == "care_reply"


@pytest.mark.parametrize("answer", ["She liked the garden in spring.", "I miss her voice so much."])
def test_what_is_told_right_after_something_hard_is_taken_in_and_not_probed(answer):
    """Rules can't tell whether it still belongs to the loss."""
    behind = {"door": "asked", "stays": 1}
    lead, following = floor_said(answer, state=behind)
    assert takes_in(lead[1], asks=True)
    assert following == ("scripted_question", NEXT)


def test_a_script_is_asked_to_its_end_without_a_model():
    run = Storying(plan(4).material).all([LONG] * 9)
    assert [u.number for move in run.moves for u in move.utterances if u.number] == [1, 2, 3, 4]
    assert run.said == "Goodbye."
