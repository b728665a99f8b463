"""The onboarding package as the successor reads it, from a handover in the hand."""

import pytest

from interviews.choices import SpeakerRole
from llm.tasks.outcome import Outcome, Source
from reflections.protocols.knowledge_transfer import makers
from reflections.protocols.knowledge_transfer.markdown import package_markdown
from reflections.protocols.knowledge_transfer.package import Beginning, compose_package
from reflections.protocols.knowledge_transfer.questions import context_rows
from reflections.protocols.knowledge_transfer.types import (
    AskedQuestion,
    Handover,
    KnownFact,
    Package,
    SummaryStatement,
)
from tests.interviews.protocols.transferring import (
    FAIR,
    QUESTIONS,
    VAGUE,
    Model,
    Transferring,
    extraction,
    material,
)
from tests.reflections.transferred import held_transfer


def package_of(run: Transferring) -> Package:
    """The package without a model's words."""
    told = Outcome(Beginning(orientation=SummaryStatement(text="")), Source.FALLBACK, "offline")
    return compose_package(handover(run), [], "2026-05-04T12:00:00", told)


def handover(run: Transferring) -> Handover:
    """What was said and known in it."""
    answers: dict[str, list[tuple[int, str]]] = {}
    question = ""
    for position, line in enumerate(run.lines, start=1):
        if line.role == SpeakerRole.PARTICIPANT:
            answers.setdefault(question, []).append((position, line.text))
        question = line.question or question
    facts = enumerate(run.state.facts, start=1)
    return Handover(
        session="s",
        title="A handover",
        language="en",
        material=run.made,
        backlog=run.state.items,
        facts=tuple(
            KnownFact(n, f.text, f.question, f.position, f.confidence, contradicts=f.contradicts)
            for n, f in facts
        ),
        said=tuple(
            AskedQuestion(key, run.item(key).asked, tuple(said)) for key, said in answers.items()
        ),
        people=run.state.people,
    )


def read(*extractions, says=()) -> str:
    """The package's text after these answers."""
    run = Transferring(material(QUESTIONS), Model(list(extractions)))
    return package_markdown(package_of(run.all(says)))


def test_it_holds_none_of_the_interviewers_phrases():
    run = Transferring().all([VAGUE, FAIR, "No.", "Hm.", "No idea.", "Carla does."])
    text = package_markdown(package_of(run))
    asked = {item.asked for item in run.state.items if item.origin == "FOLLOW_UP"}
    assert len(asked) >= 2
    for phrase in ("Could you say a little more", "Let me ask differently", "Thank you", "noted"):
        assert phrase not in text
    assert text.count(QUESTIONS[0][2]) == 1
    assert f"> {FAIR}" in text


def test_the_answer_to_a_follow_up_stands_under_its_question():
    text = read(
        extraction("medium", facts=[], follow_up="You took night jobs. Which of them?"),
        extraction(facts=["Twelve night jobs were taken."]),
        says=[FAIR, "Twelve of them."],
    )
    assert "You took night jobs" not in text
    heading, follow_up = text.index(f"### {QUESTIONS[0][2]}"), text.index("*Which of them?*")
    assert heading < text.index(f"> {FAIR}") < follow_up < text.index("Twelve night jobs were")


def test_a_follow_up_that_cleared_a_vague_answer_leaves_no_open_point():
    low, clear = extraction("low", facts=[], follow_up="You say so. Which?"), extraction(facts=[])
    assert f"**{QUESTIONS[0][2]}**" not in read(low, clear, says=[VAGUE, FAIR])
    assert f"**{QUESTIONS[0][2]}**" in read(low, low, says=[VAGUE, VAGUE])


def test_who_was_named_stands_under_people_and_who_is_unknown_is_an_open_point():
    people = [{"name": "Carla", "about": "keeps the payroll"}, {"name": "Maria", "about": ""}]
    text = read(extraction(facts=[], people=people), says=["Carla keeps the payroll. Ask Maria."])
    assert "## People\n\n- Carla: keeps the payroll (answer 2)\n- Maria (answer 2)" in text
    assert "**Who is Maria, and how can your successor reach them?** (P1" in text


def test_facts_that_contradict_each_other_say_so():
    change = {"known": 1, "fact": 1, "how": "contradicts"}
    text = read(
        extraction(facts=["The factor is from 2019."]),
        extraction(facts=["The factor is from 2021."], changes=[change]),
        says=["From 2019.", "From 2021."],
    )
    assert "The factor is from 2021. (answer 4, contradicts fact 1: ask which is right)" in text
    assert "Which is right: “The factor is from 2019” or “The factor is from 2021”?" in text


def test_an_answer_without_a_fact_is_in_the_context_too():
    run = Transferring().all([FAIR])
    made = package_of(run)
    (answer,) = (r for r in context_rows("s", made.questions, ()) if r["type"] == "answer")
    assert (answer["question"], answer["answer"]) == (QUESTIONS[0][2], FAIR)


def test_what_was_answered_by_the_way_is_no_open_point_and_quoted():
    told = "Overtime. And the paper list before a public holiday I correct by hand."
    text = read(extraction(answered=["holidays"], facts=[]), says=[told])
    assert f"**{QUESTIONS[2][2]}**" not in text


@pytest.mark.django_db
def test_a_corrected_fact_is_no_longer_handed_over():
    session = held_transfer()
    rows = session.facts.order_by("number").values("text", "question", "confidence", "source")
    told = [{**row, "position": 3} for row in rows]
    told[1] |= {"corrects": [1]}
    session.state |= {"facts": told}
    session.save()
    assert [fact.number for fact in makers.handover_of(session).facts] == [2, 3, 4]


@pytest.mark.django_db
def test_merged_facts_contradict_what_any_of_them_did():
    session = held_transfer()
    rows = session.facts.order_by("number").values("text", "question", "confidence", "source")
    told = [{**row, "position": 3} for row in rows]
    told[3] |= {"contradicts": [2]}
    session.state |= {"facts": told}
    session.save()
    first, second, third, fourth = session.facts.order_by("number")
    for one, into in ((second, first), (fourth, third)):
        one.merged_into = into
        one.save()
    known = makers.known_facts(session)
    assert [(fact.number, fact.contradicts) for fact in known] == [(1, ()), (3, (1,))]


@pytest.mark.django_db
def test_the_words_of_a_heavy_answer_stay_out_of_it():
    grief = "My wife died that spring, and I was away."
    session = held_transfer(answers=(("rush-factor", grief, 0.6, ()),))
    decided = {"reason": "answered", "details": {"care": "heavy"}}
    session.turns.filter(entries__text=grief).update(decision=decided)
    (said,) = makers.handover_of(session).said
    assert [words for _, words in said.answers] == [""]
    told = Outcome(Beginning(orientation=SummaryStatement(text="")), Source.FALLBACK, "offline")
    text = package_markdown(
        compose_package(makers.handover_of(session), [], "2026-05-04T12:00:00", told)
    )
    assert grief not in text
    assert "Something personal was said here" in text
