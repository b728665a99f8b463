"""What a life story does without a model."""

from dataclasses import replace
from pathlib import Path

import pytest

from interviews.choices import EntryKind, SpeakerRole
from interviews.engine.common_rules import decide, match_rule
from interviews.engine.context import TranscriptLine
from interviews.engine.result import NeedsCalls
from interviews.protocols.life_story.guards import follow_up_problem
from interviews.protocols.life_story.protocol import PROTOCOL
from llm.tasks.outcome import Outcome, Source
from plans import demo
from plans.portability.reader import read_script
from tests.interviews.protocols.here import here, plan, said, step

LONG = (
    "We had a wooden desk by the window and I remember the smell of chalk and the long winter "
    "mornings when the stove was lit before anybody came in and we all kept our coats on."
)
PROBES = ("Who sat beside you?", "What hung on the wall?")


def floor(answer, spoken=(), probes=PROBES, **changes):
    """The turn as the tasks' fallbacks decide it; `spoken` are follow-ups asked before."""
    asked = [TranscriptLine(SpeakerRole.INTERVIEWER, EntryKind.FOLLOW_UP, s) for s in spoken]
    now = here(answer, plan=plan(probes=probes), **changes)
    now = replace(now, transcript=(*now.transcript, *asked))
    readings = {}
    while isinstance(found := decide(PROTOCOL, now, readings, match_rule(now)), NeedsCalls):
        readings |= {
            c.key: Outcome(c.task.fallback(c.data), Source.FALLBACK) for c in found.inquiries
        }
    return said(found)[-1]


def test_short_answers_get_the_probes_of_the_question_once_each_in_their_order():
    following = ("scripted_question", "What comes to mind about first work?")
    assert floor("Chalk.") == ("follow_up", PROBES[0])
    assert floor("A boy.", PROBES[:1]) == ("follow_up", PROBES[1])
    assert floor("A map.", PROBES) == following
    assert floor("A map.", [f"I see. {PROBES[0]}"]) == ("follow_up", PROBES[1])


def test_a_probe_is_asked_though_an_earlier_question_was_like_it():
    assert floor("Chalk.", ["Who was sitting beside you?"]) == ("follow_up", PROBES[0])


@pytest.mark.parametrize(
    ("answer", "probes", "changes"),
    [
        (LONG, PROBES, {}),
        ("Chalk.", (), {}),
        ("Chalk.", PROBES, {"seconds": 280}),
        ("I don't know.", PROBES, {}),
        ("I can't remember", PROBES, {}),
        ("My brother died.", PROBES, {}),
    ],
)
def test_without_need_or_leave_nothing_is_probed(answer, probes, changes):
    assert floor(answer, probes=probes, **changes)[0] == "scripted_question"


@pytest.mark.parametrize("name", ["life_story_en", "life_story_ru"])
def test_no_guard_holds_back_a_shipped_probe(name):
    path = Path(demo.__file__).parent / f"scripts/{name}.yaml"
    script = read_script(path.read_text(encoding="utf-8"))
    for question in script.questions:
        for probe in question.probes.splitlines():
            private = (question.objective, question.guidance)
            assert follow_up_problem(probe, script.language, private, [question.text]) == "", probe


def test_a_model_reads_the_probes_that_are_left():
    (call, *_) = step(here(LONG, plan=plan(probes=PROBES))).inquiries
    assert call.data.probes == list(PROBES)
