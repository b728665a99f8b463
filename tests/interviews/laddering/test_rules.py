"""What rules read in an answer, in three languages, and what they ask."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviews.protocols.laddering import question as questions
from interviews.protocols.laddering.graph.types import Graph
from interviews.protocols.laddering.graph.update import update_graph
from interviews.protocols.laddering.rules.extraction import Question, depth, extract, read
from interviews.protocols.laddering.rules.phrases import cue_pattern
from tests.each import each
from tests.growth import growth
from tests.interviews.laddering.talks import question
from tests.ladder_files import concepts, methodologies

WAYS = methodologies()["means_end_chain"]
LAMP = concepts()["reading_lamp"]
ANY = Question("open")
THING, EFFECT, FEELING, BEING, END = WAYS.types


def found(answer: str, language: str = "en", asked: Question = ANY):
    """Texts with their types, and what leads to what."""
    made = extract(answer, asked, WAYS, LAMP, language)
    return (
        [(one.text, one.type) for one in made.concepts],
        [(one.source, one.target) for one in made.relations],
    )


ELABORATE = Question("elaborate", "my eyes rest", EFFECT, ("warm_light",))


@each(
    ("language", "answer", "said"),
    [
        (
            "en",
            "I like the warm light because my eyes can rest, which makes me feel calm.",
            ("warm light", THING),
        ),
        ("en", "I save time so that I can read more. That gives me peace.", ("save time", EFFECT)),
        ("en", "My sister bought it, and the light is soft.", ("light is soft", THING)),
        ("it", "Mi piace la luce calda perché gli occhi si riposano.", ("luce calda", THING)),
        ("ru", "Мне нравится тёплый свет, потому что глаза отдыхают.", ("тёплый свет", THING)),
        ("de", "Das Licht ist warm, weil ich es mag.", ("Das Licht ist warm", THING)),
    ],
)
def test_an_answer_is_one_thing_and_tied_to_nothing_that_was_not_asked_about(
    language, answer, said
):
    (concept,), relations = found(answer, language)
    assert concept == said  # what names an element comes before what comes first
    assert relations == []
    assert found(answer, language, ELABORATE)[1] == []


@each("answer", ["Nice.", "Important.", "It's important to me."])
def test_a_short_judgement_is_an_answer(answer):
    made = extract(answer, UP, WAYS, LAMP, "en")
    assert len(made.concepts) == 1
    assert [one.target for one in made.relations] == [made.concepts[0].text]


def test_an_element_that_was_asked_about_was_not_said():
    asked = Question("open", "works without a cable", "", ("battery",))
    (said,) = extract("I read in bed.", asked, WAYS, LAMP, "en").concepts
    assert "cable" not in said.text


UP = Question("ladder_up", "my eyes rest", EFFECT, ("warm_light",))


@each(
    "answer",
    [
        "I can relax then.",
        "Because I can relax then",
        "So I can relax then",
        "It's important to me because I can relax then",
    ],
)
def test_an_answer_to_why_is_tied_to_what_was_asked_about(answer: str):
    made = extract(answer, UP, WAYS, LAMP, "en")

    assert [(one.text, one.type, one.elements) for one in made.concepts] == [
        ("relax", FEELING, ("warm_light",))
    ]
    assert [(one.source, one.target) for one in made.relations] == [("my eyes rest", "relax")]


def test_an_answer_to_what_brings_it_about_leads_to_it():
    down = Question("ladder_down", "my eyes rest", EFFECT)

    assert found("The yellow bulb", "en", down) == (
        [("yellow bulb", THING)],
        [("yellow bulb", "my eyes rest")],
    )


def test_an_answer_about_an_element_is_about_it_whatever_its_words():
    asked = Question("open", "price", "", ("price",))
    made = extract("Far too much", asked, WAYS, LAMP, "en")

    assert [(one.text, one.elements) for one in made.concepts] == [("Far too much", ("price",))]
    assert not made.relations  # an element is no node to tie anything to


@each(
    ("language", "answer", "text"),
    [
        ("en", "I have no cable on the floor", "no cable on the floor"),
        ("en", "The price matters to me", "price"),
        ("it", "Conta il prezzo", "prezzo"),
        ("it", "Non ho fili per terra", "Non ho fili per terra"),
        ("ru", "Для меня важна цена", "цена"),
        ("ru", "У меня нет провода на полу", "нет провода на полу"),
    ],
)
def test_a_concept_has_few_words_and_keeps_its_not(language: str, answer: str, text: str):
    assert [one for one, _ in found(answer, language)[0]] == [text]


NOTHING = [
    *(("en", text) for text in ("I don't know.", "Yes", "No.", "Exactly.", "no idea", "", "...")),
    *(("it", text) for text in ("Non lo so.", "Sì", "No")),
    *(("ru", text) for text in ("Не знаю", "Да.", "Нет")),
]


@each(
    ("language", "answer", "text"),
    [
        ("en", "The price list stays at 12.5 percent.", "price list stays at 12.5 percent"),
        ("it", "La lampada costa 12,5 euro", "lampada costa 12,5 euro"),
        ("en", "-5 degrees in the room, most mornings", "-5 degrees in the room"),
        ("en", "- five degrees in the room", "five degrees in the room"),
    ],
)
def test_a_concept_keeps_its_numbers_whole(language: str, answer: str, text: str):
    (concept,), _ = found(answer, language)
    assert concept[0] == text


@each(("language", "answer"), NOTHING)
def test_who_says_nothing_is_taken_at_their_word(language: str, answer: str):
    assert found(answer, language, UP) == ([], [])
    assert depth(answer, language) == "shallow"


@each(
    ("language", "answer", "expected"),
    [
        ("en", "The light.", "moderate"),
        ("en", "Well, yes.", "shallow"),
        ("en", "I sleep better because it is quiet", "moderate"),
        ("en", "It stands by the bed and I use it almost every evening of the week", "moderate"),
        ("en", "I sleep better because it is quiet, so that I am awake in the morning", "deep"),
        ("it", "La luce.", "moderate"),
        ("it", "Dormo meglio perché è silenzioso", "moderate"),
        (
            "it",
            "Dormo meglio perché è silenzioso, quindi la mattina sono sveglio e di buon umore",
            "deep",
        ),
        ("ru", "Свет.", "moderate"),
        ("ru", "Я лучше сплю, потому что тихо", "moderate"),
        (
            "ru",
            "Я лучше сплю, потому что тихо, поэтому утром встаю бодрой и в хорошем настроении",
            "deep",
        ),
    ],
)
def test_depth_by_length_and_cues(language: str, answer: str, expected: str):
    assert depth(answer, language) == expected


def test_rules_dont_judge_the_tone():
    assert read("It was awful", LAMP, "en").sentiment is None


def test_the_topics_are_the_elements_that_it_speaks_of():
    assert read("The price and the battery", LAMP, "en").topics == ("battery", "price")


@each("language", ["en", "it", "ru"])
@each("name", ["forward", "because", "thanks", "edges", "empty"])
def test_three_languages_have_cues(language: str, name: Any):
    assert cue_pattern(language, name).pattern != cue_pattern("xx", name).pattern


def test_questions_from_templates():
    up = next(one for one in WAYS.strategies if one.id == "ladder_up")
    first = question(up, "warm light", LAMP, "en")
    second = question(up, "warm light", LAMP, "en", [first])

    assert first == "About “warm light”: why does that matter to you?"
    assert second == "Thinking of “warm light”: what does that make possible for you?"
    third = question(up, "warm light", LAMP, "en", [first, second])
    assert question(up, "warm light", LAMP, "en", [first, second, third]) == first
    assert question(up, "luce", LAMP, "it-CH").startswith("A proposito di «luce»")
    assert question(up, "Licht", LAMP, "de") == "About “Licht”: why does that matter to you?"
    assert (
        question(up, "", LAMP, "en")
        == "About “reading in the evening”: why does that matter to you?"
    )


def test_what_stands_in_braces_in_an_answer_is_said_as_it_stands():
    up = next(one for one in WAYS.strategies if one.id == "ladder_up")

    assert "“{focus} {0}”" in question(up, "{focus} {0}", LAMP, "en")


def test_the_first_question_names_the_topic():
    assert "reading in the evening" in questions.opening_text(WAYS, LAMP, "en")


ANSWERED = """
    I like the light because it's so that which makes me feel calm and no
    perché così mi piace quindi потому что поэтому чтобы благодаря нравится
"""
WORDS = st.sampled_from([" ", ",", ".", "?", "(", "«", "'", "-", "1", *ANSWERED.split()])
TEXTS = st.one_of(st.text(max_size=80), st.lists(WORDS, max_size=40).map(" ".join))


@given(TEXTS, st.sampled_from(["en", "it", "ru", "de"]), st.sampled_from([ANY, UP]))
def test_any_answer_comes_to_something_that_the_graph_can_take(
    answer: str, language: str, asked: Question
):
    made = extract(answer, asked, WAYS, LAMP, language)
    graph, _ = update_graph(Graph(), made, 1, 2, WAYS, LAMP)

    assert len(graph.nodes) <= len(made.concepts)
    assert len(made.concepts) <= 1
    assert {one.type for one in made.concepts} <= set(WAYS.types)
    names = {one.text for one in made.concepts} | {asked.text}
    assert all({one.source, one.target} <= names for one in made.relations)
    assert read(answer, LAMP, language).depth in ("shallow", "moderate", "deep")


@pytest.mark.parametrize(
    "word", ["so ", "because ", "price and ", "very ", "x, ", "so that I like "]
)
def test_an_answer_of_any_length_is_read_in_time(word: str):
    def extract_and_read(answer: str) -> None:
        extract(answer, ANY, WAYS, LAMP, "en")
        read(answer, LAMP, "en")

    assert growth(extract_and_read, word, 20_000) < 8


def test_a_strategys_questions_take_turns_whatever_they_are_about():
    up = next(one for one in WAYS.strategies if one.id == "ladder_up")
    asked: list[str] = []
    about = ("warm light", "calm", "sleep", "patience")
    for focus in about:
        asked.append(question(up, focus, LAMP, "en", asked))

    frames = [text.replace(focus, "") for text, focus in zip(asked, about, strict=True)]
    assert len(set(frames[:3])) == 3
    assert frames[3] == frames[0]
