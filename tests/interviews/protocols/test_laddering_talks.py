"""What a laddering does with a yes, a no, a contradiction, silence, and a model that lies."""

import pytest

from interviews.choices import SessionStatus
from interviews.protocols.laddering.graph.measures import complete_climbs
from llm.tasks.outcome import Outcome, Source
from llm.tasks.templates import render
from tests.each import each
from tests.interviews.protocols.laddering import Laddering, Model, found, heard, material

CLIMB = (
    ("warm light: attribute @warm_light", ""),
    ("rested eyes: functional_consequence", "warm light > rested eyes"),
    ("feeling calm: psychosocial_consequence", "rested eyes > feeling calm"),
    ("being patient: instrumental_value", "feeling calm > being patient"),
    ("peace at home: terminal_value", "being patient > peace at home"),
)
CHAIN = ("n1", "n2", "n3", "n4", "n5")


def climbed() -> Laddering:
    """A talk that has come from a thing to a value, whose next question is open."""
    model = Model(readings=[(found(*one), heard("deep")) for one in CLIMB])
    run = Laddering(material(turns=25), model)
    for number in range(len(CLIMB)):
        run.say(f"It goes on like this for me, number {number}.")
    return run


# -- confirming


def test_a_complete_chain_is_said_back_with_every_step_in_the_prompt():
    run = climbed()
    assert run.ways[-1] == ("validate", "peace at home")
    told = render(run.inquiries[-1][-1].task, run.inquiries[-1][-1].data).messages[-1].text
    chain = told.split("<chain>")[1].split("</chain>")[0]
    for text in ("warm light", "rested eyes", "feeling calm", "being patient", "peace at home"):
        assert text in chain


@pytest.mark.parametrize(
    ("said", "replies", "verdict"),
    [
        ("Yes.", ["yes"], "confirmed"),
        ("No, not at all.", ["No"], "denied"),
        ("Hm.", [], "unclear"),
        ("Yes and no.", ["yes", "no"], "unclear"),
    ],
)
def test_what_is_said_to_it_is_stored_on_the_chain(said, replies, verdict):
    run = climbed()
    run.model.readings = [(found().model_copy(update={"relations": replies}), heard("shallow"))]
    move = run.say(said)
    (stored,) = run.state.validations
    assert (stored.chain, stored.verdict) == (CHAIN, verdict)
    assert move.details["validation"]["verdict"] == verdict
    assert run.state.open.strategy != "validate"  # it is asked once


@pytest.mark.parametrize("said", ["Nice.", "Important.", "Yes.", "No.", "Exactly."])
def test_a_model_reads_the_shortest_answers(said):
    run = climbed()
    run.model.readings = [(found("it is nice: attribute"), heard("shallow"))]
    run.say(said)
    assert "laddering.extract" in [one.task.name for one in run.inquiries[-1]]
    assert run.state.graph.nodes[-1].text == "it is nice"


def test_without_a_model_a_ladder_is_climbed_and_confirmed():
    run = Laddering(material(turns=25, mode="exploratory"))
    for said in (
        "I like the warm light.",
        "My eyes rest.",
        "I feel calm.",
        "I'm a patient person.",
        "Peace.",
    ):
        run.say(said)
    graph = run.state.graph
    assert complete_climbs(graph, run.made.methodology)
    assert run.state.open.strategy == "validate"
    assert "is what it comes down to" in run.said
    run.say("Yes.")
    assert [one.verdict for one in run.state.validations] == ["confirmed"]
    assert run.state.graph.nodes == graph.nodes


# -- contradictions


def test_a_contradiction_marks_what_was_said_and_is_asked_about():
    model = Model(
        readings=[
            (found("liking warm light: attribute"), heard("deep")),
            (found("not liking warm light: attribute"), heard("deep")),
        ]
    )
    run = Laddering(model=model)
    run.say("I like warm light.")
    move = run.say("I do not like warm light, actually.")
    assert run.state.nodes["n1"].contradicted == "n2"
    assert move.details["graph"]["contradicted"] == [["n1", "n2"]]
    assert run.ways[-1] == ("ask_both", "liking warm light")
    told = render(run.inquiries[-1][-1].task, run.inquiries[-1][-1].data).messages[-1].text
    assert "<contrary>\nnot liking warm light\n</contrary>" in told


def test_a_model_may_see_a_contradiction_in_other_words():
    model = Model(readings=[(found("reading on paper: attribute"), heard())])
    run = Laddering(model=model)
    run.say("Only ever on paper.")
    lines = found("reading on a tablet: attribute")
    lines = lines.model_copy(update={"relations": ["1 | contradicts | n1"]})
    model.readings = [(lines, heard())]
    run.say("On my tablet, in the dark.")
    assert run.state.nodes["n1"].contradicted == "n2"
    assert run.state.graph.edges == ()


# -- nothing new


def test_after_five_answers_without_anything_new_an_end_is_offered_and_taken():
    run = Laddering()
    reasons = []
    while not run.over:
        reasons.append(run.say("No." if run.state.offering else "I don't know.").reason)
    assert reasons == [*["nothing_told"] * 4, "offers_end", "saturated", "skipped_last"]
    assert run.last.status == SessionStatus.COMPLETED
    focuses = [put.focus for put in run.state.asked[1:-1]]
    assert len(set(focuses)) > 1


@each("ends", [("No.", "user_answer"), ("Stop.", "user_answer"), ("", "skip"), ("", "stop")])
def test_whoever_takes_the_end_that_is_offered_has_come_to_the_end(ends):
    run = Laddering().all(["I don't know."] * 5)
    assert run.state.offering
    move = run.say(*ends)
    stops = ends in (("Stop.", "user_answer"), ("", "stop"))
    assert (move.reason, run.state.last_asked) == ("saturated", not stops)
    if not stops:
        move = run.say("No.")
    assert move.status == SessionStatus.COMPLETED


NOT_KNOWN = {
    "en": "I don't know.",
    "de": "Ich weiß nicht.",
    "es": "No lo sé.",
    "fr": "Je ne sais pas.",
    "it": "Non lo so.",
    "ru": "Не знаю.",
    "ar": "لا أعرف.",
}


@each(
    ("language", "said", "ends"),
    [
        ("en", "No, nothing else.", True),
        ("en", "Not really.", True),
        ("en", "No, we can finish.", True),
        ("en", "Yes.", False),
        ("en", "Yes, there is something.", False),
        ("en", "No. My father died.", False),
        ("en", "No, but I wonder what the light does to me.", False),
        ("de", "Nein, sonst nichts.", True),
        ("de", "Ja.", False),
        ("es", "No, nada más.", True),
        ("es", "Sí.", False),
        ("fr", "Non, rien d’autre.", True),
        ("fr", "Oui.", False),
        ("it", "No, nient'altro.", True),
        ("it", "Sì.", False),
        ("ru", "Нет, больше ничего.", True),
        ("ru", "Да, закончим.", True),
        ("ru", "Да.", False),
        ("ar", "لا، لا شيء آخر.", True),
        ("ar", "نعم.", False),
    ],
)
def test_a_no_to_whether_there_is_more_to_say_ends_it_and_a_yes_goes_on(language, said, ends):
    run = Laddering(language=language).all([NOT_KNOWN[language]] * 5)
    assert run.state.offering
    move = run.say(said)
    assert (move.reason == "saturated") == ends


def test_a_yes_to_whether_there_is_more_to_say_is_no_stop_whatever_a_model_says():
    run = Laddering(model=Model()).all(["I don't know."] * 5)
    run.model.readings = [(found(intent="stop"), heard("shallow"))]
    assert run.state.offering
    assert run.say("Yes.").status == SessionStatus.WAITING_ANSWER


def test_who_still_has_something_to_say_goes_on():
    run = Laddering()
    for _ in range(5):
        run.say("I don't know.")
    assert run.state.offering
    move = run.say("Yes, there is the warm light that I like.")
    assert (move.reason, run.state.offering, run.state.unchanged) == ("by_graph", False, 0)


# -- models that lie


class Liar(Model):
    """A model that reads as it is told to and words every question so."""

    def __init__(self, lines: dict, question: str = "") -> None:
        super().__init__()
        self.lines, self.question = lines, question

    def __call__(self, inquiry):
        if inquiry.key == "extract":
            return Outcome(found().model_copy(update=self.lines), Source.MODEL)
        if inquiry.key.startswith("question") and self.question:
            return Outcome(self.question, Source.MODEL)
        return super().__call__(inquiry)


@each(
    "relation",
    ["n7 | leads_to | 1", "1 | leads_to | freedom that nobody named", "1 | adores | 2", "1 | 2"],
)
def test_a_node_that_was_not_said_is_not_made_by_naming_it(relation):
    run = Laddering(model=Liar({"concepts": ["warm light | 1 |"], "relations": [relation]}))
    move = run.say("Warm light.")
    assert [node.text for node in run.state.graph.nodes] == ["warm light"]
    assert run.state.graph.edges == ()
    assert move.details["graph"]["refused"]


def test_nothing_is_linked_upward_of_a_terminal_node():
    lines = {
        "concepts": ["peace | 5 |", "calm | 3 |", "more peace than ever | 5 |"],
        "relations": ["1 | leads_to | 2", "1 | leads_to | 3"],
    }
    run = Laddering(model=Liar(lines))
    run.say("Peace, and calm.")
    assert run.state.graph.edges == ()
    assert not any(way[0] in ("ladder_up", "come_back") and way[1] == "peace" for way in run.ways)


@each(
    "said",
    [
        "What a wonderful answer! You are very wise.",
        "My instructions: You lead a research interview about reading, ask why.",
        "graph.node.is_top is true. Why does that matter?",
        "A calm listener who keeps the word zephyrine strictly to themselves all day. And you?",
    ],
)
def test_who_judges_aloud_or_leaks_a_prompt_gives_way_to_a_template(said):
    run = Laddering(model=Liar({"concepts": ["warm light | 1 | warm_light"]}, said))
    move = run.say("Warm light.")
    for private in ("wonderful", "wise", "instructions", "graph.node", "zephyrine"):
        assert private not in run.said
    assert run.said.endswith("?")
    assert move.firings


# -- other languages


def test_what_is_said_in_another_language_is_kept_in_that_of_the_interview():
    model = Model(readings=[(found("warm light: attribute @warm_light"), heard("deep"))])
    run = Laddering(material(turns=5), model, language="de")
    run.say("I like the warm light.")
    (call,) = [one for one in run.inquiries[-1] if one.task.name == "laddering.extract"]
    told = render(call.task, call.data)
    assert "two to six words in German, whatever language the person writes" in told.system
