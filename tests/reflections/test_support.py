"""What a lying model writes of an interview doesn’t reach a product, if it can be told."""

import pytest

from reflections.evidence.clauses import widen
from reflections.evidence.support import CARELESS, SUPPORT, UNFOUNDED
from reflections.experts.llm_tasks import REFLECT
from reflections.summaries.llm_tasks import FACTS, RETELL
from tests.fake_provider.experts import lie
from tests.fake_provider.narratives import lie as retell
from tests.reflections.held import again
from tests.reflections.narrated import checks, product, told_story
from tests.reflections.telling import told_session
from tests.scripted import scripted

PARTIES = "I don't trust the parties any more, not since the mill."
SHOP = "At nineteen I began in a print shop, and I stayed there for eleven years."
CLAUSE = "I don't trust the parties any more"


@pytest.mark.parametrize(
    ("quote", "answer", "language", "clause", "negated"),
    [
        ("trust the parties", PARTIES, "en", CLAUSE, True),
        ("began in a print shop", SHOP, "en", "At nineteen I began in a print shop", False),
        ("trust them", "I don't, frankly, trust them.", "en", "I don't, frankly, trust them", True),
        ("stayed with my aunt", "No, I stayed with my aunt", "en", "I stayed with my aunt", False),
        ("left at nine", "It was no good. We left at nine!", "en", "We left at nine", False),
        ("vertraue den Parteien", "Ich vertraue den Parteien nicht.", "de", None, True),
        ("ich ihnen traue", "Ich glaube nicht, dass ich ihnen traue.", "de", None, True),
        ("fido dei partiti", "Non mi fido dei partiti.", "it", None, True),
        ("доверяю партиям", "Я больше не доверяю партиям.", "ru", None, True),
        ("dors bien la nuit", "Je n’ai rien dit: je dors bien la nuit.", "fr", None, True),
        ("confío en los partidos", "Ya no confío en los partidos.", "es", None, True),
        ("أثق بالأحزاب", "لم أعد أثق بالأحزاب.", "ar", None, True),
        ("nothing to be said", "There was nothing to be said.", "en", None, False),
    ],
)
def test_a_quote_is_widened_to_its_clause(quote, answer, language, clause, negated):
    assert widen(quote, answer, language) == (clause or answer.rstrip("."), negated)


def test_of_a_clause_without_end_some_words_on_either_side_are_taken():
    answer = "and then so it went " * 60 + "until we sold the boat " + "and on it went " * 60
    text, _ = widen("sold the boat", answer, "en")
    assert "until we sold the boat and on" in text
    assert len(text) < 230
    assert text in answer


# -- products


@pytest.fixture
def scripted_model(settings):
    settings.LLM_PROVIDER = "scripted"
    return scripted


def verdicts(*said: str):
    """These, then right ones on the two controls."""
    numbered = enumerate([*said, "unsupported", "supported"], 1)
    return SUPPORT.output.model_validate(
        {"verdicts": [{"number": number, "verdict": verdict} for number, verdict in numbered]}
    )


def all_of_them(verdict: str, count: int = 20):
    return SUPPORT.output.model_validate(
        {"verdicts": [{"number": n, "verdict": verdict} for n in range(1, count + 1)]}
    )


MISQUOTE = ("They trust the parties.", [(3, "trust the parties")])
INVENTED = ("They loved the sea.", [(3, "I always loved the open sea")])
TRUE = ("They began as a printer.", [(5, "I began in a print shop")])


def observed(model, checked, *statements):
    model.reply(REFLECT.name, REFLECT.output.model_validate(lie(*statements)))
    model.reply(SUPPORT.name, checked)
    session = told_session((PARTIES, SHOP))
    return product(session, "expert:psychologist")


def stands(row):
    return [
        (one["text"], one["support"])
        for section in row.content["sections"]
        for one in section["statements"]
    ]


pytestmark = pytest.mark.django_db(transaction=True)


def test_a_misquote_that_turns_the_meaning_is_left_out(scripted_model):
    row = observed(scripted_model, verdicts("unsupported", "supported"), MISQUOTE, INVENTED, TRUE)
    assert stands(row) == [(TRUE[0], "supported")]
    assert checks(row)[:4] == ["negated_quote", "invented_quote", "left_out", "left_out"]
    assert "does not follow from its quotes" in row.content["findings"][3]["text"]


def test_the_checker_reads_the_whole_clause_and_what_was_asked(scripted_model):
    observed(scripted_model, verdicts("unsupported", "supported"), MISQUOTE, TRUE)
    [asked] = scripted_model.asked(SUPPORT.name)
    text = asked.messages[0].text
    assert "1. They trust the parties.\n   asked “Where did it begin?”: “I don't trust" in text
    assert "2. They began as a printer.\n   asked “And then?”: “At nineteen I began" in text
    assert f"3. {UNFOUNDED}\n" in text
    assert f"4. {CLAUSE}" in text
    assert scripted_model.requests[-1].model == "scripted-fast"


@pytest.mark.parametrize(
    "careless",
    [
        all_of_them("supported"),
        all_of_them("unsupported"),
        all_of_them("supported", 2),  # without the controls
        "no object",
    ],
)
def test_what_a_careless_checker_says_counts_for_nothing(scripted_model, careless):
    scripted_model.always(SUPPORT.name, careless)
    row = observed(scripted_model, careless, MISQUOTE, TRUE)
    assert stands(row) == [(MISQUOTE[0], "not_checked"), (TRUE[0], "not_checked")]
    assert {"negated_quote", "not_checked"} <= set(checks(row))
    [first, _] = row.content["sections"][0]["statements"]
    assert first["quotes"][0]["text"].startswith(CLAUSE)  # so that a reader sees it
    [why] = [one["text"] for one in row.content["findings"] if one["check"] == "not_checked"]
    assert "2 of 2 statements" in why
    assert careless == "no object" or CARELESS in why


def test_a_statement_that_the_checker_forgot_is_not_checked(scripted_model):
    said = verdicts("supported", "supported")
    forgot = said.model_copy(update={"verdicts": said.verdicts[1:]})
    row = observed(scripted_model, forgot, MISQUOTE, TRUE)
    assert stands(row) == [(MISQUOTE[0], "not_checked"), (TRUE[0], "supported")]


def test_a_model_cannot_call_its_own_statement_supported(scripted_model):
    said = lie(MISQUOTE, TRUE)
    for one in said["observations"]:
        one["support"] = "supported"
    scripted_model.reply(REFLECT.name, REFLECT.output.model_validate(said))
    scripted_model.always(SUPPORT.name, "no object")
    row = product(told_session((PARTIES, SHOP)), "expert:psychologist")
    assert [support for _, support in stands(row)] == ["not_checked"] * 2
    assert "support" not in str(REFLECT.output.model_json_schema())


@pytest.mark.parametrize(("name", "task"), [("summary", RETELL), ("facts", FACTS)])
def test_summary_and_facts_are_checked_in_one_call(scripted_model, name, task):
    session = told_story(answers=[PARTIES, SHOP, "We moved in 1974.", "I kept the shop."])
    told = retell(
        ("They trust the parties.", [(2, "trust the parties")]),
        ("They moved in 1974.", [(6, "We moved in 1974")]),
    )
    more = retell(("They kept the shop.", [(8, "I kept the shop")]), topic=2)
    told["topics"] += more["topics"]
    scripted_model.reply(task.name, task.output.model_validate(told))
    scripted_model.reply(SUPPORT.name, verdicts("unsupported", "supported", "supported"))
    row = again(product(session, name))
    assert [text for text, _ in stands(row)] == ["They moved in 1974.", "They kept the shop."]
    assert len(scripted_model.asked(SUPPORT.name)) == 1


def test_where_nothing_is_supported_an_expert_is_asked_again(scripted_model):
    row = observed(scripted_model, verdicts("unsupported"), MISQUOTE)
    assert (row.status, row.content) == ("pending", {})
    assert "participant’s own words" in row.reason


def test_parts_of_the_interview_that_an_expert_left_out_are_named(scripted_model):
    session = told_story()
    told = lie(("They read early.", [(4, "My grandmother taught me to read before school")]))
    scripted_model.reply(REFLECT.name, REFLECT.output.model_validate(told))
    scripted_model.reply(SUPPORT.name, verdicts("supported"))
    row = product(session, "expert:psychologist")
    [left] = [one["text"] for one in row.content["findings"] if one["check"] == "uncovered"]
    assert "Work" in left
    assert "Early" not in left
