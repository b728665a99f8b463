"""What a life story does without a model."""

from dataclasses import replace
from pathlib import Path

import pytest

from interviews.choices import EntryKind, SpeakerRole
from interviews.engine.common_rules import decide, rules_reading
from interviews.engine.context import TranscriptLine
from interviews.engine.guards import Limits, check
from interviews.engine.result import NeedsCalls
from interviews.protocols.life_story.notes import found_by_rules
from interviews.protocols.life_story.protocol import PROTOCOL
from llm.tasks.outcome import Outcome, Source
from plans import demo
from plans.portability.reader import read_script
from tests.each import each
from tests.interviews.protocols.here import (
    asks,
    here,
    moved,
    noted,
    plan,
    said,
    stay,
    step,
    takes_in,
)

LONG = (
    "We had a wooden desk by the window and I remember the smell of chalk and the long winter "
    "mornings when the stove was lit before anybody came in and we all kept our coats on."
)
PROBES = ("Who sat beside you?", "What hung on the wall?")
NEXT = "What comes to mind about first work?"


def floor_said(answer, *args, **changes):
    return said(floor_move(answer, *args, **changes))


def floor_move(answer, spoken=(), probes=PROBES, **changes):
    """The turn as the tasks' fallbacks decide it; `spoken` are follow-ups asked before."""
    asked = [TranscriptLine(SpeakerRole.INTERVIEWER, EntryKind.FOLLOW_UP, s) for s in spoken]
    now = here(answer, plan=plan(probes=probes), **changes)
    now = replace(now, transcript=(*now.transcript, *asked))
    readings = {}
    while isinstance(
        found := decide(PROTOCOL, now, readings, rules_reading(PROTOCOL, now)), NeedsCalls
    ):
        readings |= {
            c.key: Outcome(c.task.fallback(c.data), Source.FALLBACK) for c in found.inquiries
        }
    return found


def floor(answer, *args, **changes):
    return floor_said(answer, *args, **changes)[-1]


def test_short_answers_get_the_probes_of_the_question_once_each_in_their_order():
    following = ("scripted_question", "What comes to mind about first work?")
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
    kind, _ = floor(answer, PROBES[:1], state={"followups_count": 1})
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
        ("No, that's all.", PROBES, {"state": {"at_own_pace": True}}),
    ],
)
def test_without_need_or_leave_nothing_is_probed(answer, probes, changes):
    assert floor(answer, probes=probes, **changes)[0] == "scripted_question"


@pytest.mark.parametrize(
    "answer",
    ["My brother died.", "We laughed all summer at the lake, and there my father had a stroke."],
)
def test_something_hard_is_taken_in_without_a_word_on_what_they_feel(answer):
    taken_in, pace = floor_said(answer)
    assert takes_in(taken_in[1], asks=False)
    assert pace[0] == "follow_up"
    for words in ("sorry", "hard", "easy", "pain", "heavy", "feel", "sad"):
        assert words not in f"{taken_in[1]} {pace[1]}".lower()


def test_what_is_told_after_the_invitation_is_taken_in_before_the_next_question():
    invited = {"at_own_pace": True, "follow_up": "Take your time."}
    taken_in, question = floor_said("She was still warm.", state=invited)
    assert takes_in(taken_in[1], asks=True)
    assert question == ("scripted_question", "What comes to mind about first work?")


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
    (call, *_) = step(here(LONG, plan=plan(probes=PROBES))).inquiries
    assert call.data.probes == list(PROBES)


def test_a_probe_about_a_closed_subject_is_left_out():
    probes = ("What did your father say of it?", PROBES[1])
    closed = {"closed": ("my father",)}
    assert floor("Chalk and cold coats.", probes=probes, state=closed)[1] == PROBES[1]


@pytest.mark.parametrize(
    ("spoken", "closed"), [([PROBES[0]], ()), ([], ("whoever sat beside me",))]
)
def test_a_model_can_choose_no_probe_that_was_asked_or_is_closed(spoken, closed):
    now = here(LONG, plan=plan(probes=PROBES), state={"closed": closed}, notes={})
    asked = [TranscriptLine(SpeakerRole.INTERVIEWER, EntryKind.FOLLOW_UP, s) for s in spoken]
    now = replace(now, transcript=(*now.transcript, *asked))
    move = moved(now, plan=stay(PROBES[0]), notes=noted(), p_2=asks(NEXT))
    assert PROBES[0] not in [text for _, text in said(move)]


def test_what_was_refused_in_distress_is_not_asked_again_after_the_care_text():
    care = moved(here("I don't want to talk about school. I want to die."))
    assert (care.reason, care.state.closed) == ("distress", ("school",))
    waiting = {"closed": care.state.closed, "awaiting": care.state.awaiting}
    again = moved(here("Yes.", state=waiting, notes={}), p_2=asks(NEXT))
    assert "school" not in " ".join(text for _, text in said(again))
    assert "leave" in again.utterances[0].text or "have to talk" in again.utterances[0].text
    assert again.utterances[-1].text == NEXT
    assert again.heard_as == "care_reply"


@pytest.mark.parametrize("answer", ["She liked the garden in spring.", "I miss her voice so much."])
def test_after_something_hard_what_is_told_next_is_taken_in_and_not_probed(answer):
    """Rules can't tell whether it still belongs to the loss."""
    lead, following = floor_said(answer, state={"after_hard": True})
    assert takes_in(lead[1], asks=True)
    assert following == ("scripted_question", NEXT)
    assert floor("Chalk and cold.", state={"after_hard": True}) == ("scripted_question", NEXT)


def test_a_question_right_after_something_hard_is_known_as_such():
    invited = floor_move("My mother died in winter, and I still wait for her to call.")
    assert (invited.reason, bool(invited.state.invitation)) == ("own_pace", True)
    told = floor_move("We had sixty years together.", state=dict(invited.state))
    assert (told.state.after_hard, told.state.invitation) == (True, "")
