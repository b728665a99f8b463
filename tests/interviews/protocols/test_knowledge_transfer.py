"""Knowledge transfers in the hand: what an answer comes to, and what is asked next."""

from dataclasses import replace

import pytest

from interviews.choices import EntryKind, SessionStatus
from interviews.engine.pipeline import replay
from interviews.engine.result import LAST
from interviews.engine.texts import wordings
from interviews.protocols.knowledge_transfer.context import FOLDER
from interviews.protocols.knowledge_transfer.protocol import PROTOCOL
from llm.tasks.outcome import Outcome, Source
from tests.each import each
from tests.interviews.protocols.transferring import (
    FAIR,
    NOT_KNOWN,
    QUESTIONS,
    RICH,
    VAGUE,
    Model,
    Transferring,
    extraction,
    material,
    plan,
)

HOLIDAY = "Before Easter I double the order by hand, because the list can't know public holidays."
PROBE = "You spoke of night jobs. Which of them did you take?"


def with_model(*extractions, **changes) -> Transferring:
    queues = {name: changes.pop(name) for name in ("selections", "wordings") if name in changes}
    return Transferring(material(**changes), Model(list(extractions), **queues))


# -- the beginning


def test_the_intro_says_what_it_is_and_names_nobody():
    run = Transferring()
    text = PROTOCOL.intro(run.here("", "opening")).text
    assert "AI" in text
    assert "prices and paper" in text
    assert "10" in text
    assert "days" in text
    assert "Ann" not in text


def test_the_first_question_is_the_oldest_of_the_highest_priority_and_greets():
    run = with_model()
    assert run.keys() == ["rephrase.rush-factor"]
    data = run.inquiries[0][0].data
    assert (data.manner, data.name, data.files) == (
        "first",
        "Ann",
        ["prices.xlsx: Calculates offers.", "reorder.py"],
    )
    assert data.remaining == 3
    assert run.last.progress == (1, 10, "rounds")
    assert run.last.remaining == 3
    question = run.last.utterances[0]
    assert (question.kind, question.question, question.number) == (
        EntryKind.QUESTION,
        "rush-factor",
        1,
    )


def test_a_later_p0_comes_before_an_older_p1():
    reverse = [*QUESTIONS[2:4], *QUESTIONS[:2]]
    run = Transferring(material(reverse)).all([RICH] * 9)
    assert run.asked == ["rush-factor", "safety", "holidays", "small-orders"]


def test_without_a_model_the_first_question_greets_too():
    assert Transferring().said.startswith("Hello, Ann. I've read the files")
    assert "read" not in Transferring(material(documents=())).said
    assert Transferring(name="").said.startswith("Hello. ")


def test_an_opening_that_fails_can_be_put_again_and_answered():
    run = Transferring()
    run.state = PROTOCOL.begin(run.plan, "en")
    assert PROTOCOL.repeat_question(run.here("", "opening")).text == QUESTIONS[0][2]
    run.say(RICH)
    assert run.item("rush-factor").answer == RICH
    assert run.state.open_id == "safety"


# -- what an answer comes to


def test_a_high_answer_is_kept_with_its_facts():
    facts = ["The rush factor of 1.35 is overtime by normal hours.", "Carla checks it in January."]
    run = with_model(extraction(facts=facts))
    run.say(RICH)
    item = run.item("rush-factor")
    assert (item.status, item.confidence, item.answer) == ("ANSWERED_BY_INTERVIEW", 0.9, RICH)
    assert [fact.text for fact in run.last.records] == facts
    assert {(f.question, f.confidence, f.position, f.source) for f in run.last.records} == {
        ("rush-factor", 0.9, item.position, "model")
    }
    assert run.asked == ["rush-factor", "safety"]
    assert run.last.remaining == 2


@pytest.mark.parametrize(("confidence", "sure"), [("medium", 0.6), ("low", 0.3)])
def test_a_gap_is_probed_once_and_then_left(confidence, sure):
    run = with_model(
        extraction(confidence, follow_up=PROBE), extraction(confidence, follow_up="And then what?")
    )
    run.say(FAIR)
    assert run.item("rush-factor").confidence == sure
    follow_up = run.item("followup-1")
    assert (follow_up.priority, follow_up.origin, follow_up.parent) == (
        "P0",
        "FOLLOW_UP",
        "rush-factor",
    )
    said = run.last.utterances[0]
    assert (said.kind, said.text, said.question, said.number) == (
        EntryKind.FOLLOW_UP,
        PROBE,
        "followup-1",
        2,
    )
    assert run.last.spoken_by == ("extract",)
    run.say(FAIR)
    assert run.state.open_id == "safety"
    assert run.last.details["follow_up_dropped"] == "And then what?"


def test_follow_ups_of_follow_ups_count_to_their_root():
    low = [extraction("low", follow_up=f"What of case {i}?") for i in range(9)]
    run = with_model(*low, follow_ups=2).all([FAIR] * 3)
    assert run.asked == ["rush-factor", "followup-1", "followup-2", "safety"]
    assert run.item("followup-2").parent == "followup-1"


def test_no_follow_up_where_none_is_allowed():
    run = with_model(extraction("low", follow_up=PROBE), follow_ups=0)
    run.say(FAIR)
    assert run.state.open_id == "safety"


def test_a_follow_up_to_a_high_answer_is_dropped_and_recorded():
    run = with_model(extraction("high", follow_up=PROBE))
    run.say(RICH)
    assert run.state.open_id == "safety"
    assert run.last.details["follow_up_dropped"] == PROBE


def test_a_low_answer_without_a_follow_up_leads_on():
    run = with_model(extraction("low", follow_up=None, facts=[]))
    run.say(VAGUE)
    assert run.state.open_id == "safety"
    assert run.last.records == ()


def test_a_follow_up_that_cant_be_said_is_replaced():
    run = with_model(extraction("medium", follow_up="Thank you for that."))
    run.say(FAIR)
    assert run.state.open.origin == "FOLLOW_UP"
    assert run.said.endswith("?")
    assert [firing.guard for firing in run.last.firings] == ["no_question"]


def test_a_follow_up_is_not_the_question_again():
    run = with_model(extraction("low", follow_up=f"Once more. {QUESTIONS[0][2]}"))
    run.say(FAIR)
    assert QUESTIONS[0][2] not in run.said
    assert [firing.guard for firing in run.last.firings] == ["repeat"]


# -- facts


def test_an_answer_in_which_a_model_found_no_fact_stands_beside_its_question():
    run = with_model(extraction("high", facts=[]))
    run.say(RICH)
    assert run.last.records == ()
    assert (run.item("rush-factor").answer, run.item("rush-factor").confidence) == (RICH, 0.9)
    assert run.state.open_id == "safety"


def test_nothing_is_made_of_nothing():
    run = with_model(extraction("low", facts=[]))
    run.say("I really can't say, it is one of those things, and it was never written down by us.")
    assert run.last.records == ()


def test_empty_and_double_facts_are_dropped_with_the_reason():
    facts = [
        "The participant answered the question.",
        "  ",
        "The rush factor is 1.35.",
        "the rush factor is 1.35",
        "The rush factor is 1.17.",
    ]
    run = with_model(extraction(facts=facts))
    run.say(RICH)
    assert [fact.text for fact in run.last.records] == [
        "The rush factor is 1.35.",
        "The rush factor is 1.17.",
    ]
    why = [one["why"] for one in run.last.details["facts_dropped"]]
    assert why == ["says nothing", "says nothing", "said twice"]


def test_facts_that_differ_in_a_figure_alone_are_two():
    text = "From an order of {} sheets on, the heavy paper comes from the second supplier."
    facts = [text.format(500), text.format(800), text.format(500).replace("comes", "come")]
    run = with_model(extraction(facts=facts))
    run.say("From 500 sheets on it comes from the second supplier, and from 800 on too.")
    assert [fact.text for fact in run.last.records] == facts[:2]


def test_a_fact_that_is_known_is_not_kept_again():
    run = with_model(extraction(facts=["A is 1."]), extraction(facts=["A is 1."]))
    run.all([RICH, RICH])
    assert [fact.text for fact in run.state.facts] == ["A is 1."]


def test_facts_are_bounded():
    many = [f"Customer {i} pays {i * 7} euros for a box." for i in range(60)]
    run = with_model(extraction(facts=[*many, "x" * 900]))
    run.say(" ".join(str(i * 7) for i in range(60)))
    assert len(run.last.records) == 12
    run = with_model(extraction(facts=["long " * 200]))
    run.say(RICH)
    assert len(run.last.records[0].text) <= 500


@each(
    "invented",
    [
        "Ask Maria Bianchi about the rush factor of 1.35.",
        "The rush factor follows the tax law of 1998.",
        "The rush factor is agreed with the Revenue Office.",
        "The rush factor was 1.42 before.",
    ],
)
def test_a_fact_with_a_name_or_a_figure_that_stands_nowhere_is_dropped(invented):
    run = with_model(extraction("medium", follow_up=None, facts=[invented, "Maria knows it."]))
    run.say("Ask Maria, she knows.")
    assert [fact.text for fact in run.last.records] == ["Maria knows it."]
    (dropped,) = run.last.details["facts_dropped"]
    assert dropped["why"].startswith("nobody said ")


def test_names_and_figures_may_come_from_the_files_and_from_earlier_answers():
    facts = [
        "The factor of 1.35 in prices.xlsx is Carla's.",
        "The safety of 1.17 stands in reorder.py since 2019, as Carla says.",
    ]
    run = with_model(extraction(facts=facts[:1]), extraction(facts=facts[1:]))
    run.all([RICH, "That one is as old as the factor, and hers as well."])
    assert [fact.text for fact in run.state.facts] == facts


def test_a_small_number_that_may_have_been_said_in_words_makes_a_fact_unsure():
    run = with_model(extraction(facts=["The rush factor rests on 12 night jobs."]))
    run.say("We took the overtime of a dozen night jobs, which Carla had written down for us.")
    (fact,) = run.last.records
    assert fact.confidence == 0.3


# -- corrections and contradictions

IN_2019, IN_2021 = "The rush factor is from 2019.", "The rush factor is from 2021."


def told_twice(how: str, *more, known: int = 1, fact: int = 1, **changes) -> Transferring:
    change = {"known": known, "fact": fact, "how": how}
    fields = {"facts": [IN_2021], "changes": [change]} | changes
    run = with_model(extraction(facts=[IN_2019]), extraction(**fields), *more)
    return run.all(["It is from 2019.", "The factor is from 2021, by the way."])


def test_a_correction_takes_the_place_of_what_was_known():
    run = told_twice("corrects")
    assert [(fact.text, fact.corrects) for fact in run.state.facts] == [
        (IN_2019, ()),
        (IN_2021, (1,)),
    ]
    assert run.state.corrected == {1}
    run.say(HOLIDAY)
    known = run.inquiries[-1][0].data.known
    assert [(one.number, one.fact) for one in known if "factor is" in one.fact] == [(2, IN_2021)]


def test_of_two_facts_that_contradict_each_other_it_is_asked_which_holds():
    holds = extraction(facts=[IN_2021], changes=[{"known": 1, "fact": 1, "how": "corrects"}])
    run = told_twice("contradicts", holds)
    assert run.state.facts[1].contradicts == (1,)
    asks = run.item("discovered-1")
    assert (asks.priority, asks.status) == ("P0", "OPEN")
    assert asks.text == f"Which is right: “{IN_2019[:-1]}” or “{IN_2021[:-1]}”?"
    assert run.asked[-1] in ("discovered-1", "holidays")  # the question may be worded already
    run.state = run.state.model_copy(update={"open_id": "discovered-1"})
    run.say("In 2021.")
    assert run.state.facts[-1].corrects == (1, 2)
    assert run.state.corrected == {1, 2}


def test_a_follow_up_that_asks_which_holds_is_enough():
    asks = "Earlier you said 2019. Which of the two years holds?"
    run = told_twice("contradicts", confidence="medium", follow_up=asks)
    assert run.said == asks
    assert not [item for item in run.state.items if item.origin == "DISCOVERED"]


@each(
    "changes",
    [{"known": 7}, {"known": 0}, {"known": -1}, {"fact": 3}, {"how": "breaks"}, {"facts": ["No."]}],
)
def test_a_change_of_what_there_is_not_changes_nothing(changes):
    given = {"how": "corrects"} | changes
    run = told_twice(given.pop("how"), **given)
    assert run.state.corrected == set()


# -- answered by the way

BESIDES = "It's overtime by normal hours. And before a holiday I correct the paper list by hand."


def test_a_question_answered_by_the_way_is_closed_and_not_asked():
    list_ = "Before a holiday the paper list is corrected by hand."
    run = with_model(extraction(answered=["holidays"], facts=["It is overtime.", list_]))
    run.say(BESIDES)
    item = run.item("holidays")
    assert (item.status, item.answer, item.round) == ("ANSWERED_BY_INTERVIEW", BESIDES, 0)
    assert [fact.question for fact in run.last.records] == ["rush-factor", "holidays"]
    run.all([RICH] * 9)
    assert run.asked == ["rush-factor", "safety", "small-orders"]


def test_the_question_that_was_chosen_meanwhile_gives_way_if_it_was_just_answered():
    run = with_model(extraction(answered=["safety"], facts=[]))
    run.say("Overtime by hours; and the safety of 1.17 must stay because of spoiled sheets.")
    assert run.state.open_id == "holidays"


@each("named", ["small-orders", "nonsense", "rush-factor", "holidays"])
def test_a_question_that_was_not_answered_stays_open_whatever_the_model_says(named):
    run = with_model(extraction(answered=[named]))
    run.say("We looked at the overtime of the night jobs and took that.")
    assert run.last.details["answered_dropped"] == [named]
    assert {run.item(key).status for key in ("small-orders", "holidays")} == {"OPEN"}


# -- people

MARIA = {"name": "Maria", "about": ""}


def test_somebody_of_whom_nothing_is_known_is_asked_about():
    run = with_model(extraction("medium", follow_up=None, facts=[], people=[MARIA]))
    run.say("Ask Maria.")
    asks = run.item("discovered-1")
    assert asks.text == "Who is Maria, and how can your successor reach them?"
    assert asks.priority == "P1"
    assert [(one.name, one.about) for one in run.state.people] == [("Maria", "")]


def test_what_is_told_of_somebody_later_is_added():
    told = MARIA | {"about": "keeps the payroll"}
    run = with_model(
        extraction(people=[MARIA]), extraction(people=[told]), extraction(people=[told])
    )
    run.all(["Ask Maria.", "Maria keeps the payroll.", "Maria, as I said."])
    assert [(one.name, one.about) for one in run.state.people] == [("Maria", "keeps the payroll")]


@each(
    ("person", "kept"),
    [
        ({"name": "Maria Bianchi", "about": ""}, []),
        ({"name": "Vera", "about": "keeps the keys"}, []),
        ({"name": "Maria", "about": "of the firm Bianchi since 1998"}, [("Maria", "")]),
        ({"name": "Maria", "about": "knows it"}, [("Maria", "knows it")]),
    ],
)
def test_nobody_is_made_up(person, kept):
    run = with_model(extraction(people=[person]))
    run.say("Ask Maria, she knows it.")
    assert [(one.name, one.about) for one in run.state.people] == kept


# -- discoveries

NEW = [
    {"text": "Who pays for the night shift in August?", "priority": "P1"},
    {"text": "How did you arrive at the rush factor of 1.35?", "priority": "P0"},
    {"text": "Where is the spare key of the cutter kept?", "priority": "P0"},
]


def test_a_rich_answer_discovers_three_questions_of_which_one_is_a_duplicate():
    run = with_model(extraction(discovered_questions=NEW))
    run.say(RICH)
    found = [item for item in run.state.items if item.origin == "DISCOVERED"]
    assert [(i.id, i.priority, i.parent, i.status) for i in found] == [
        ("discovered-1", "P1", "rush-factor", "OPEN"),
        ("discovered-2", "P0", "rush-factor", "OPEN"),
    ]
    assert run.last.details["discoveries_dropped"] == [
        {"text": NEW[1]["text"], "why": "in the backlog already"}
    ]
    assert run.state.open_id == "safety"  # this turn's selection was under way
    run.say(RICH)
    assert run.state.open_id == "discovered-2"


def test_a_discovery_is_new_also_among_themselves_and_against_what_was_skipped():
    twice = [NEW[0], {"text": "Who pays the night shift in August?", "priority": "P0"}]
    run = with_model(extraction(discovered_questions=twice))
    run.say(RICH)
    assert run.last.details["discovered"] == ["discovered-1"]
    run = with_model(extraction(discovered_questions=[{"text": QUESTIONS[0][2]}]))
    run.say("", "skip")
    run.say(RICH)
    assert run.last.details["discovered"] == []


@each(
    "text",
    [
        "Who may change the rush factor of 1.35?",
        "Who set the rush factor of 1.35?",
        "Where is the rush factor of 1.35 written down?",
    ],
)
def test_a_question_that_asks_something_else_of_the_same_thing_is_new(text):
    run = with_model(extraction(discovered_questions=[{"text": text, "priority": "P0"}]))
    run.say(RICH)
    assert run.item("discovered-1").text == text


def test_a_question_about_a_second_person_is_new():
    checks = "Who checks the rush factor together with {}?"
    found = [{"text": checks.format(name)} for name in ("Carla", "Vera")]
    run = with_model(extraction(discovered_questions=found))
    run.say(f"{RICH} Vera does too.")
    assert run.last.details["discovered"] == ["discovered-1", "discovered-2"]


def test_questions_about_other_figures_are_two():
    text = "Why does the heavy paper come from the second supplier from {} sheets on?"
    new = [{"text": text.format(number)} for number in (500, 800)]
    run = with_model(extraction(discovered_questions=new))
    run.say(RICH)
    assert run.last.details["discovered"] == ["discovered-1", "discovered-2"]


def test_what_the_follow_up_asks_is_no_discovery():
    new = [{"text": "Which of the night jobs did you take?"}]
    probe = "You spoke of overtime. Which of the night jobs did you take?"
    run = with_model(extraction("medium", follow_up=probe, discovered_questions=new))
    run.say(FAIR)
    assert run.last.details["discovered"] == []


def test_fifty_discoveries_are_three():
    subjects = ("cutter", "folder", "printer", "glue", "paper", "van", "till", "lamp", "desk")
    many = [
        {"text": f"Who repairs the {subject} in week {i}?", "priority": "P0"}
        for i in range(6)
        for subject in subjects
    ]
    run = with_model(extraction(discovered_questions=many[:50]))
    run.say(RICH)
    assert len(run.last.details["discovered"]) == 3
    assert len(run.last.details["discoveries_dropped"]) == 47


def test_the_backlog_has_a_bound():
    questions = [(f"q{i}", "P1", f"What is item {i} of {i * 31}?", "") for i in range(200)]
    run = with_model(extraction(discovered_questions=NEW), questions=questions)
    run.say(RICH)
    assert len(run.state.items) == 200
    assert {o["why"] for o in run.last.details["discoveries_dropped"]} == {"the backlog is full"}


def test_an_unknown_priority_is_p1_and_p2_is_never_asked():
    new = [
        {"text": NEW[0]["text"], "priority": "urgent"},
        {"text": NEW[2]["text"], "priority": "p2"},
    ]
    run = with_model(extraction(discovered_questions=new))
    run.all([RICH] * 9)
    assert run.item("discovered-1").priority == "P1"
    assert "discovered-1" in run.asked
    assert run.item("discovered-2").status == "OPEN"
    assert "recycled" not in run.asked


def test_the_interview_goes_on_with_what_the_last_answer_brings_up():
    run = with_model(extraction(discovered_questions=[NEW[2]]), questions=QUESTIONS[:1])
    assert run.last.remaining == 0
    run.say(RICH)
    assert run.state.open_id == "discovered-1"
    assert run.keys() == ["extract", "rephrase.discovered-1"]
    run.say(RICH)
    assert (run.state.last_asked, run.last.reason) == (True, "backlog_answered")


# -- the choice


def test_extraction_and_selection_are_asked_side_by_side():
    three = [*QUESTIONS[:2], ("third", "P0", "Who orders the glue?", "")]
    run = with_model(questions=three, selections=["third"])
    run.say(RICH)
    assert run.keys() == ["extract", "select", "rephrase.third"]
    assert run.last.details["selected"] == "third"
    assert run.last.details["selected_by"] == "model"


def test_no_selection_where_only_one_is_open():
    run = with_model()
    run.say(RICH)
    assert run.keys() == ["extract", "rephrase.safety"]
    assert run.last.details["selected_by"] == "only one open"


@each("wanted", ["small-orders-2", "recycled", "safety", "", "x" * 5_000])
def test_an_id_that_is_not_open_gives_the_oldest_of_the_highest_priority(wanted):
    run = with_model(selections=[wanted])
    run.all([RICH, RICH])
    assert run.state.open_id == "holidays"
    assert run.last.details.get("selection_refused", "") == wanted


def test_the_guess_is_the_nearest_and_stands_first_in_the_prompt():
    run = with_model()
    run.say(RICH)
    run.say("Small orders of less than 48 euros are for a few customers.")
    (select,) = (one for one in run.inquiries[-1] if one.key == "select")
    assert [one.id for one in select.data.candidates] == ["small-orders", "holidays"]
    assert run.last.details["guess"] == "small-orders"


def test_the_selection_is_shown_the_exchanges_before_the_last_one():
    run = with_model()
    run.say(RICH)
    run.say("Small orders of less than 48 euros are for a few customers.")
    (select,) = (one for one in run.inquiries[-1] if one.key == "select")
    assert [one.question for one in select.data.history] == [QUESTIONS[0][2]]
    assert RICH.startswith(select.data.history[0].answer[:40])


# -- what an answer is


@each(
    ("text", "trigger"),
    [("", "skip"), ("skip", "user_answer"), ("I'd rather not say.", "user_answer")],
)
def test_a_question_can_be_left_out(text, trigger):
    run = with_model()
    run.say(text, trigger)
    assert run.keys() == ["rephrase.safety"]
    assert run.inquiries[-1][0].data.manner == "skipped"
    item = run.item("rush-factor")
    assert (item.status, item.confidence, item.answer) == ("SKIPPED", None, "")
    assert run.last.records == ()


REFUSED = {"intent": "refuse", "closed_subject": "the paper list"}


def test_a_refused_subject_is_closed_for_the_rest():
    """Neither a planned question nor a follow-up nor a discovery speaks of it any more."""
    new = [{"text": "Who keeps the paper list?"}, {"text": "Who owns the spare key?"}]
    low = extraction("low", follow_up="Let me come back to the paper list. Who has it?")
    run = with_model(extraction(**REFUSED, facts=[], discovered_questions=new), low)
    run.say("I'd rather not get into the paper list, that's between Carla and me.")
    assert run.item("rush-factor").status == "SKIPPED"
    assert run.last.details["discoveries_dropped"][0]["why"] == "about a closed subject"
    rephrase = run.inquiries[-1][-1]
    assert (rephrase.key, rephrase.data.closed) == ("rephrase.safety", ["the paper list"])
    run.say(FAIR)
    assert run.state.open.origin != "FOLLOW_UP"
    extract = run.inquiries[-1][0]
    assert extract.data.closed == ["the paper list"]
    run.all([RICH] * 9)
    assert "holidays" not in run.asked
    assert {"safety", "small-orders", "discovered-1"} <= set(run.asked)


def test_a_wording_that_speaks_of_a_closed_subject_is_replaced():
    closed = {"intent": "refuse", "closed_subject": "Carla"}
    words = f"Leaving Carla and the night jobs aside, then. {QUESTIONS[1][2]}"
    run = with_model(extraction(**closed), wordings=["x", words])
    run.say("Please leave Carla out of this.")
    assert "Carla" not in run.said
    assert run.said.endswith(QUESTIONS[1][2])
    assert run.last.firings[0].guard == "closed_subject"


def test_what_a_refusal_tells_about_the_work_is_kept():
    run = with_model(extraction(**REFUSED, facts=["Two people keep the paper list."]))
    run.say("There are two of us who keep it, but I won't say who.")
    assert [fact.text for fact in run.last.records] == ["Two people keep the paper list."]
    assert run.item("rush-factor").status == "SKIPPED"


def test_whoever_does_not_know_is_asked_who_would():
    asks = "That was before your time. Who would know it?"
    run = with_model(
        extraction("low", intent="dont_know", follow_up=asks, facts=[]),
        extraction("low", intent="dont_know", follow_up="Who else?", facts=[]),
    )
    run.say("No idea, that was before my time.")
    assert (run.said, run.state.open.origin) == (asks, "FOLLOW_UP")
    assert run.item("rush-factor").status == "NOT_KNOWN"
    run.say("No idea.")
    assert run.state.open_id == "safety"
    assert run.item("followup-1").status == "NOT_KNOWN"
    assert run.state.facts == ()


def test_who_would_know_is_asked_in_written_words_if_the_model_asks_nothing():
    run = with_model(extraction("low", intent="dont_know", follow_up=None, facts=[]))
    run.say("No idea.")
    assert run.state.open.origin == "FOLLOW_UP"
    assert run.said in (
        "That's fine. Who would know that?",
        "That's all right. Who could be asked about it?",
    )
    assert not run.last.firings


@pytest.mark.parametrize("options", [{"follow_ups": 0}, {"rounds": 1}])
def test_who_would_know_is_asked_within_the_bounds(options):
    run = with_model(extraction("low", intent="dont_know", facts=[]), **options)
    run.say("No idea.")
    assert not any(item.origin == "FOLLOW_UP" for item in run.state.items)


GRIEF = "My wife died, I was away that spring, and Carla settled the factor without me."


def test_something_hard_is_never_probed_and_only_the_work_is_kept():
    run = with_model(
        extraction("low", care="heavy", follow_up="How was it?", facts=["Carla settled it."])
    )
    run.say(GRIEF)
    assert run.state.open_id == "safety"
    assert run.inquiries[-1][-1].data.manner == "gently"
    assert [fact.text for fact in run.last.records] == ["Carla settled it."]
    assert run.last.details["follow_up_dropped"] == "How was it?"


def test_grief_is_no_fact_if_a_model_found_none():
    run = with_model(extraction("medium", care="heavy", facts=[]))
    run.say(GRIEF)
    assert run.last.records == ()


def test_grief_is_no_fact_and_is_not_probed_without_a_model():
    run = Transferring()
    run.say("My wife died, I was away that spring.")
    assert run.last.records == ()
    assert run.state.open_id == "safety"
    assert "noted" not in run.said
    assert run.item("rush-factor").answer.startswith("My wife died")


def test_a_roundabout_word_of_danger_is_heard_without_a_model():
    run = Transferring()
    run.say(
        "I keep thinking it would have been better if it had been me, and that I could still put "
        "that right."
    )
    assert run.last.reason == "distress"
    assert run.item("rush-factor").answer == ""
    run = Transferring()
    run.say("It would have been better if it had been me who set the factor, not Carla.")
    assert run.last.reason != "distress"


def test_words_that_only_sound_hard_are_kept_beside_their_question_without_a_model():
    run = Transferring()
    told = "My boss had a stroke that spring, so I set it to 1.35 by myself."
    run.say(told)
    assert run.item("rush-factor").answer == told
    assert run.state.open_id == "safety"


def test_the_third_answer_off_topic_in_a_row_leads_on():
    run = with_model(*[extraction("low", intent="off_topic", facts=["A duck walks in."])] * 3)
    for reason, number in (("off_topic", 1), ("off_topic", 2), ("skipped", 3)):
        run.say("A duck walks into a print shop.")
        assert (run.last.reason, run.state.round) == (reason, number)
    assert run.item("rush-factor").status == "SKIPPED"
    assert (run.state.open_id, run.state.facts) == ("safety", ())


def test_off_topic_twice_in_the_last_round_ends_it():
    run = with_model(*[extraction("low", intent="off_topic", facts=[])] * 4, rounds=1)
    run.all(["A duck walks in."] * 2)
    assert (run.state.last_asked, run.state.round) == (True, 1)
    run.all(["A duck walks in."] * 2)  # led back to the closing question once
    assert (run.over, run.state.round, run.last.reason) == (True, 1, "skipped_last")


def test_a_question_back_is_answered_and_the_question_put_again():
    run = with_model(extraction(intent="ask_back", facts=[]))
    before = run.said
    run.say("Why do you ask that?")
    assert [u.kind for u in run.last.utterances] == [
        EntryKind.INTERVIEWER_ANSWER,
        EntryKind.QUESTION,
    ]
    again = run.last.utterances[1].text
    assert before.endswith(again)
    assert again.count("?") == 1
    assert again != before  # what led over to it has been said
    assert run.last.heard_as == EntryKind.CANDIDATE_QUESTION
    assert run.state.round == 1
    assert run.item("rush-factor").status == "OPEN"


@each("intent", ["stop", "pause", "ask_back"])
def test_what_is_told_beside_a_wish_is_kept(intent):
    run = with_model(extraction("medium", intent=intent, facts=["Carla set 1.35 in 2019."]))
    run.say("Carla set it in 2019, that's all. Can we stop, and who reads this?")
    assert [fact.text for fact in run.last.records] == ["Carla set 1.35 in 2019."]
    item = run.item("rush-factor")
    assert (item.status, item.confidence) == ("ANSWERED_BY_INTERVIEW", 0.6)
    run.state = run.state.model_copy(update={"awaiting": ""})
    run.say(RICH)
    assert run.item("rush-factor").answer.endswith(RICH)
    assert run.item("rush-factor").answer.startswith("Carla set it in 2019")
    assert run.item("rush-factor").confidence == 0.9


def test_whoever_reads_the_reply_to_the_stop_is_told_what_was_asked():
    run = with_model(extraction(intent="stop", facts=[]))
    run.all(["I want to stop.", "That would be good."])
    assert run.inquiries[-1][0].data.question.endswith("1.35?\nShall we end the interview here?")
    assert run.last.reason == "stopped_by_participant"


def test_what_is_told_with_the_yes_to_the_stop_is_kept():
    run = with_model(extraction("medium", intent="stop", facts=["Carla set 1.35 in 2019."]))
    run.all(["I want to stop.", "Yes, stop here. It was Carla who set it in 2019, by the way."])
    assert run.last.reason == "stopped_by_participant"
    assert [fact.text for fact in run.last.records] == ["Carla set 1.35 in 2019."]
    assert run.item("rush-factor").status == "ANSWERED_BY_INTERVIEW"


def test_a_wish_to_withdraw_leaves_nothing_behind():
    run = with_model(extraction("medium", intent="withdraw", facts=["Carla set 1.35."]))
    run.say("Carla set it. Please delete everything that I said.")
    assert (run.last.records, run.state.facts) == ((), ())


def test_a_question_in_other_words_is_the_one_that_is_answered():
    plainer = "Where does the number 1.35 come from?"
    run = with_model(extraction(intent="clarify", facts=[]))
    run.model.asides.append(plainer)
    run.say("What do you mean?")
    assert (run.last.reason, run.said) == ("clarification", plainer)
    assert (run.state.round, run.state.reworded) == (1, plainer)
    run.say(RICH)
    extract = run.inquiries[-1][0]
    assert extract.data.question == plainer
    assert run.state.reworded == ""


def test_a_model_reads_every_answer_whatever_its_words():
    """Words like "why" or "I don't know" decide nothing where a model reads them as an answer."""
    for text in ("Why? Because of the night jobs.", "I don't know, ask Maria.", "Carla?"):
        run = with_model(extraction("high", facts=["Maria knows it."]))
        run.say(text)
        assert run.item("rush-factor").status == "ANSWERED_BY_INTERVIEW"
        assert run.keys()[0] == "extract"


def test_nothing_is_judged_if_the_model_has_failed():
    def failing(call):
        return Outcome(call.task.fallback(call.data), Source.FALLBACK, "main: overloaded")

    run = Transferring(material(), failing)
    run.say(VAGUE)
    item = run.item("rush-factor")
    assert (item.status, item.confidence) == ("ANSWERED_BY_INTERVIEW", None)
    assert (item.answer, run.last.records) == (VAGUE, ())
    assert run.state.open_id == "safety"


@each(
    "text",
    [
        "Who reads this?",
        "Why do you want to know?",
        "What happens to my answers?",
        "Chi leggerà le mie risposte?",
        "Perché lo chiede?",
        "A chi va tutto questo?",
        "Кому это достанется?",
        "Кто это будет читать?",
        "Зачем вам это знать?",
    ],
)
def test_what_the_interview_is_for_is_answered_without_a_model(text):
    run = Transferring()
    run.say(text)
    assert run.last.reason == "question_back"
    assert "AI" in run.said


@each("text", ["I don't understand the question.", "Non ho capito.", "Не понял вопрос."])
def test_who_has_not_understood_gets_it_in_other_words(text):
    run = Transferring()
    run.say(text)
    assert run.last.reason == "clarification"
    assert run.said.endswith(QUESTIONS[0][2])
    assert run.state.round == 1


@each(
    "text",
    [
        "Who gets the rush factor? Carla decides it, by the night jobs of the month.",
        "Why 1.35: overtime by normal hours, twelve night jobs.",
        "What is done with it, and why, only Carla knows, and she left in May.",
        "Carla agreed on it in 2019, you know Carla?",
        f"{RICH} Is that what you wanted?",
    ],
)
def test_what_tells_something_is_an_answer(text):
    run = Transferring()
    run.say(text)
    assert run.item("rush-factor").answer == text


# -- the end


def test_all_p0_and_p1_answered():
    run = with_model().all([RICH] * 9)
    assert (run.last.status, run.last.reason) == (SessionStatus.COMPLETED, "last_answered")
    assert run.moves[-2].reason == "backlog_answered"
    assert run.asked == ["rush-factor", "safety", "holidays", "small-orders"]
    assert run.item("recycled").status == "OPEN"
    assert run.last.remaining == 0
    assert run.last.utterances[0].kind == EntryKind.OUTRO


@each(
    ("answers", "begins"),
    [([RICH] * 9, "That was my last question."), (["Stop.", "Yes."], "We'll stop here.")],
)
@each(("name", "thanks"), [("Ann", "your time, Ann."), ("", "your time.")])
def test_the_goodbye_says_what_is_saved_and_who_reads_it(answers, begins, name, thanks):
    run = Transferring(name=name).all(answers)
    assert run.said == (
        f"{begins} Everything to do with the work is saved and will be put together for whoever "
        f"takes over, and the people behind this interview can read it. Thank you for {thanks}"
    )
    ctx, results = run.turns[-1]
    assert replay(PROTOCOL, replace(ctx, remembered=run.last.read_by_rules), results) == run.last


# -- the closing question


def at_the_last(*extractions, **given) -> Transferring:
    """The closing question is open."""
    run = with_model(extraction(), *extractions, rounds=1, **given)
    run.say(RICH)
    assert run.state.last_asked
    return run


def test_the_answer_to_the_closing_question_is_one_like_any_other():
    told = "The recycled paper sticks in the folder. Who orders it?"
    run = at_the_last(
        extraction(
            "low",
            follow_up=PROBE,
            facts=["Recycled paper sticks."],
            answered=["recycled"],
            discovered_questions=[NEW[2]],
        )
    )
    asked = run.last.utterances[0]
    assert (asked.kind, asked.question, asked.number) == (EntryKind.LAST_QUESTION, LAST, None)
    assert (run.last.progress, run.last.remaining) == ((1, 1, "rounds"), 0)
    assert run.keys() == ["extract"]  # nothing is chosen or worded

    run.say(told)
    assert (run.last.status, run.last.reason) == (SessionStatus.COMPLETED, "last_answered")
    item = run.item(LAST)
    assert (item.status, item.answer, item.origin) == ("ANSWERED_BY_INTERVIEW", told, "LAST")
    assert [fact.question for fact in run.last.records] == ["recycled"]
    assert run.item("recycled").status == "ANSWERED_BY_INTERVIEW"
    assert run.item("discovered-1").status == "OPEN"  # an open point, no longer asked
    assert run.state.round == 1


@each(
    ("said", "status"), [("I don't know.", "NOT_KNOWN"), ("Skip.", "SKIPPED"), ("Stop.", "SKIPPED")]
)
def test_nothing_more_to_say_ends_it(said, status):
    run = Transferring(material(rounds=1)).all([RICH, said])
    assert (run.last.status, run.last.reason) == (SessionStatus.COMPLETED, "skipped_last")
    assert run.item(LAST).status == status


@each("button", ["skip", "stop"])
def test_a_button_at_the_closing_question_ends_it(button):
    run = Transferring(material(rounds=1)).all([RICH])
    move = run.say("", button)
    assert (move.status, move.reason) == (SessionStatus.COMPLETED, "skipped_last")


def test_who_has_time_for_one_more_is_asked_the_closing_question_only():
    run = with_model(extraction(heard="fully last_one", follow_up=PROBE), extraction(facts=[]))
    run.say(f"{RICH} One more and then I have to go.")
    assert run.item("rush-factor").status == "ANSWERED_BY_INTERVIEW"
    assert (run.last.reason, run.state.last_asked) == ("last_one", True)
    run.say(RICH)
    assert (run.last.status, run.last.reason) == (SessionStatus.STOPPED, "last_answered")
    assert run.said.startswith("We'll stop here.")


def test_a_question_back_between_a_wish_for_one_more_and_the_answer_keeps_the_wish():
    run = with_model(extraction(heard="no ask_back last_one", facts=[]), extraction())
    run.say("Who reads this? One more, then I have to go.")
    assert run.state.open_id == "rush-factor"
    run.say(RICH)
    assert (run.last.reason, run.state.last_asked) == ("last_one", True)


def test_the_rounds_are_used_up_and_the_last_answer_is_kept():
    run = with_model(rounds=2).all([RICH] * 2)
    assert (run.last.status, run.last.reason) == (SessionStatus.WAITING_ANSWER, "rounds_used")
    assert run.item("safety").answer == RICH
    assert len(run.last.records) == 0 or run.last.records[0].question == "safety"
    assert run.keys() == ["extract"]
    assert run.item("holidays").status == "OPEN"


def test_no_follow_up_without_a_round():
    run = with_model(extraction("low", follow_up=PROBE), rounds=1)
    run.say(FAIR)
    assert run.last.reason == "rounds_used"


def test_remaining_is_bounded_by_the_rounds():
    run = with_model(rounds=2)
    assert run.last.remaining == 1
    run.say(RICH)
    assert run.last.remaining == 0


def test_the_participant_ends_it():
    run = with_model()
    run.say("", "stop")
    assert (run.last.status, run.last.reason) == (SessionStatus.STOPPED, "stopped_by_participant")
    run = with_model()
    run.all(["I want to stop.", "yes"])
    assert run.last.status == SessionStatus.STOPPED
    run = with_model()
    run.all(["I want to stop.", "No, let us go on."])
    assert not run.over
    assert run.last.utterances[-1].question == "rush-factor"


# -- without a model


def test_vague_answers_get_one_follow_up_from_another_angle():
    run = Transferring()
    run.say(VAGUE)
    assert run.item("rush-factor").confidence == 0.3
    assert run.last.records == ()
    assert run.state.open_id == "followup-1"
    assert "prices.xlsx" in run.said
    run.say(VAGUE)
    assert run.state.open_id == "safety"


def test_not_knowing_asks_who_would_know_and_the_interview_moves_on():
    run = Transferring().all([NOT_KNOWN])
    assert run.said == "That's all right. Who could be asked about it?"
    run.say("No idea.")
    assert run.state.facts == ()
    assert run.state.open_id == "safety"
    assert "noted" not in run.said
    assert {run.item(key).status for key in ("rush-factor", "followup-1")} == {"NOT_KNOWN"}


@each(
    ("language", "text"),
    [
        ("en", "I don't know, ask Maria."),
        ("it", "Non lo so, chieda a Maria."),
        ("ru", "Я не знаю, спросите Марию."),
    ],
)
def test_who_names_somebody_else_is_not_probed(language, text):
    run = Transferring(material(languages=(language,)), language=language)
    run.say(text)
    assert (run.item("rush-factor").answer, run.last.records) == (text, ())
    assert run.state.open_id == "safety"


def test_fixed_follow_ups_come_back_without_a_guard():
    run = Transferring(material(rounds=20)).all([FAIR, FAIR] * 4)
    follow_ups = [m for m in run.moves if m.reason == "follow_up"]
    assert len(follow_ups) == 4
    assert not [move.firings for move in run.moves if move.firings]


@each("text", ["Carla decides.", "No.", "Hm.", "Sure, I think so.", RICH])
def test_without_a_model_an_answer_is_no_fact(text):
    run = Transferring()
    run.say(text)
    item = run.item("rush-factor")
    assert (item.status, item.answer) == ("ANSWERED_BY_INTERVIEW", text)
    assert run.last.records == ()


@each("language", sorted(path.stem for path in FOLDER.glob("*.yaml")))
def test_what_is_asked_first_without_a_model_fits_anything_that_was_said(language):
    options = {"rounds": 20, "follow_ups": 2, "languages": (language,)}
    run = Transferring(material(**options), language=language).all([FAIR] * 6)
    asked = [move.utterances[0].text for move in run.moves if move.reason == "follow_up"]
    assert len(set(asked)) == 4
    assert set(asked[::2]) <= set(wordings(language, "more", FOLDER))
    assert set(asked[1::2]) <= set(wordings(language, "probe", FOLDER))


def test_a_fair_answer_is_probed_and_a_rich_one_is_not():
    run = Transferring()
    run.say(FAIR)
    assert run.item("rush-factor").confidence == 0.6
    assert run.state.open_id == "followup-1"
    run.say(RICH)
    assert run.state.open_id == "safety"
    run.say(RICH)
    assert run.item("safety").confidence == 0.9
    assert run.state.open_id == "holidays"


LANGUAGES = {
    "en": (RICH, "It depends.", "Nobody knows that."),
    "it": (
        "Nel 2019 con Carla abbiamo preso le ore straordinarie di dodici lavori di notte, le "
        "abbiamo divise per le ore normali e abbiamo ottenuto 1,35, che poi verifichiamo.",
        "Dipende.",
        "Nessuno lo sa.",
    ),
    "ru": (
        "В 2019 году мы с Карлой взяли сверхурочные часы двенадцати ночных заказов, разделили их "
        "на обычные часы и получили 1,35, а каждый январь Карла сверяет это с ведомостью зарплаты.",
        "По-разному.",
        "Никто не знает.",
    ),
}


@each("language", LANGUAGES)
def test_an_interview_without_a_model_in_each_language(language):
    rich, vague, unknown = LANGUAGES[language]
    run = Transferring(material(languages=(language,)), language=language)
    run.say(rich)
    assert (run.item("rush-factor").confidence, run.state.open_id) == (0.9, "safety")
    run.say(vague)
    assert (run.item("safety").confidence, run.state.open_id) == (0.3, "followup-1")
    run.say(unknown)
    assert run.state.open_id == "holidays"
    run.say("", "skip")
    run.say(rich)
    assert run.last.reason == "backlog_answered"
    assert run.state.facts == ()
    assert run.item("small-orders").answer == rich
    spoken = [line.text for line in run.lines if line.role == "interviewer"]
    assert not [text for text in spoken if "{" in text]
    assert (
        PROTOCOL.intro(run.here("")).text
        != PROTOCOL.intro(Transferring(language="sw").here("")).text
        or language == "en"
    )


def test_a_language_without_sentences_gets_the_question_alone():
    run = Transferring(material(languages=("sw",)), language="sw")
    assert run.said == QUESTIONS[0][2]


# -- what a prompt is told


def test_a_question_without_sources_goes_with_what_the_nearest_document_holds():
    run = with_model(questions=[("gaps", "P0", "Who may change the 1.35, and when?", "")])
    (source,) = run.inquiries[0][0].data.sources
    assert source.document == "prices.xlsx"
    assert "rush factor 1.35" in source.holds


def test_the_sources_of_a_question_go_with_it_and_with_what_came_from_it():
    run = with_model(extraction("low", follow_up=PROBE))
    data = run.inquiries[0][0].data
    assert data.sources[0].document == "prices.xlsx"
    assert "rush factor 1.35" in data.sources[0].holds
    run.all([FAIR, FAIR])
    (extract,) = (one for one in run.inquiries[-1] if one.key == "extract")
    assert extract.data.sources[0].document == "prices.xlsx"
    assert extract.data.root == QUESTIONS[0][2]
    assert extract.data.before[0].answer == FAIR
    assert {one.data.name for one in run.inquiries[-1] if one.key.startswith("rephrase")} == {""}


def test_a_long_conversation_is_condensed_to_facts():
    questions = [(f"q{i}", "P0", f"What is item {i} of shelf {i * 31}?", "") for i in range(12)]
    read = [extraction(facts=[f"Item {i} is on shelf {i * 31}."]) for i in range(12)]
    run = with_model(*read, questions=questions, rounds=20)
    for i in range(11):
        run.say(f"{i} " + "Much is to be said about the shelf. " * 40)
    history = next(o for o in run.inquiries[-1] if o.key.startswith("rephrase")).data.history
    assert len(history) == 10
    assert history[0].answer.startswith("Item 0 is on shelf 0.")
    assert history[-1].answer.startswith("9 Much is to be said")
    assert sum(len(one.question) + len(one.answer) for one in history) < 10_000


def test_it_says_what_is_asked_again():
    run = with_model()
    again = PROTOCOL.repeat_question(run.here("")).text
    assert run.said.endswith(again)
    assert again.endswith("?")
    assert PROTOCOL.trace_details(run.here("")) == {"question": "rush-factor", "round": 1}
    assert PROTOCOL.begin(plan(material()), "en").open_id == "rush-factor"
