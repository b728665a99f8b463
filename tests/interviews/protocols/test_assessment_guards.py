"""What the interviewer's words may hold, and as much of them as is shown while they are written."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from interviews.protocols.technical_assessment import guards

DEMO = Path(__file__).parents[3] / "plans/demo/scripts"
PERSONA = "A calm engineer who keeps the word zephyrine strictly to themselves all day."
QUESTION = "How would you keep a message from being handled twice?"

JUDGING = [
    "That's correct.",
    "Exactly!",
    "Great answer.",
    "Not quite.",
    "You are absolutely right.",
    "Your answer was incomplete.",
    "You explained that very well.",
    "I would give you a seven.",
    "Strong Hire.",
    "Perfect, thank you.",
    "Esatto!",
    "Ottima risposta.",
    "La sua risposta è corretta.",
    "Верно.",
    "Отличный ответ!",
    "Вы совершенно правы.",
    "Это неправильно.",
]
NEUTRAL = [
    "How do you check that a migration left correct data behind?",
    "What goes wrong when two writers hold the same lock?",
    "When is it right to denormalise a table?",
    "You mention exactly-once delivery. What does it cost?",
    "Which score would you compute to rank search results?",
    "How do you know that a good index is being used?",
    "Что может пойти неправильно при повторной доставке сообщения?",
    "Как вы проверите, что ответ сервиса верный по схеме?",
    "Che cosa succede se un client riceve una risposta sbagliata?",
    "What would you do if a colleague told you that you may be wrong in the estimate?",
]
PROTECTED = [
    "How old are you?",
    "What year were you born?",
    "Are you married?",
    "Do you have children?",
    "Do you plan to have a family?",
    "What is your religion?",
    "Where are you originally from?",
    "How is your health these days?",
    "What is your native language?",
    "Quanti anni ha?",
    "Ha figli?",
    "Qual è la sua religione?",
    "Сколько вам лет?",
    "Есть ли у вас дети?",
    "Какой ваш родной язык?",
    "Вы замужем?",
]
OF_SYSTEMS = [
    "How does a parent process learn that its children have died?",
    "What age may a cache entry reach before you drop it?",
    "How would you design your health checks for a rolling release?",
    "What is a race condition in your own code that you have found?",
    "How do you set the allowed origin of a request?",
    "Which column family would you choose for this table?",
    "How do you marry two services with different clocks?",
    "Как дочерний процесс сообщает родителю, что он завершился?",
    "Какой возраст записи в кэше вы считаете предельным?",
]


@pytest.mark.parametrize("text", JUDGING)
def test_what_judges_the_answer_is_cut_from_before_the_question(text):
    kept, fired = guards.cut(f"{text} {QUESTION}")
    assert kept == QUESTION
    assert [f.guard for f in fired] == ["judgement"]


@pytest.mark.parametrize("text", NEUTRAL + OF_SYSTEMS)
def test_technical_words_are_no_judgement_and_nothing_protected(text):
    assert guards.cut(text) == (text, ())
    language = "ru" if "ё" in text or "о" in text else "en"
    assert guards.rejection(text, language, (), ()) is None


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_demos_questions_could_be_asked_by_the_interviewer(language):
    path = DEMO / f"technical_backend_{language}.yaml"
    script = yaml.safe_load(path.read_text(encoding="utf-8"))
    asked = [q["text"] for section in script["sections"] for q in section["questions"]]
    assert len(asked) >= 25
    for place, text in enumerate(asked):
        assert guards.cut(text) == (text, ())
        assert guards.rejection(text, language, guards.prompts(), asked[:place]) is None


@pytest.mark.parametrize("text", PROTECTED)
def test_protected_characteristics_are_never_asked_about(text):
    assert guards.protected(text)
    assert guards.rejection(text, "xx", (), ()).guard == "protected"


def test_a_question_that_judges_is_refused():
    assert guards.rejection("You are wrong, so what else?", "en", (), ()).guard == "judgement"


def test_one_question_a_turn():
    kept, fired = guards.cut(f"{QUESTION} And what does it cost? Tell me all.")
    assert kept == QUESTION
    assert [f.guard for f in fired] == ["one_question"]


@pytest.mark.parametrize(
    "text",
    [
        "You use Node.js 22.1 there. What does `a ? b : c` do in it?",
        "How would you call GET /items?page=2 twice without harm?",
        "What changes between v1.2 and v2.0 of an API?",
    ],
)
def test_code_keeps_its_points_and_question_marks(text):
    assert guards.cut(text) == (text, ())


@pytest.mark.parametrize(
    ("text", "guard"),
    [
        ("", "no_question"),
        ("Tell me about locks.", "no_question"),
        (f"{'Well, ' * 200}what then?", "no_question"),
        ("Как вы это проверите на своей машине?", "language"),
        (f"I am this: {PERSONA} So what?", "leak"),
        ("What stands in </answer> now?", "leak"),
        (QUESTION.lower().replace("?", " ?"), "repeat"),
        ("How would you keep messages from getting handled two times, twice?", "repeat"),
    ],
)
def test_refusals(text, guard):
    assert guards.rejection(text, "en", (PERSONA,), (QUESTION,)).guard == guard


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("Как вы читаете EXPLAIN ANALYZE BUFFERS в PostgreSQL?", False),
        ("How would you read the plan of a slow query?", True),
    ],
)
def test_latin_names_make_no_foreign_language(text, refused):
    assert (guards.rejection(text, "ru", (), ()) is not None) is refused


def test_an_aside_is_short_asks_nothing_and_gives_nothing_away():
    said = "It is a copy. It is sorted. It is small. Do you see?"
    assert guards.cut_aside(said, "en", (), "", "") == ("It is a copy. It is sorted.", ())
    assert guards.cut_aside("Do you see?", "en", (), "", "")[0] == ""
    expected = "Names the lookup, the write cost and covering columns."
    told = "A covering index makes a lookup cheap and every write dearer."
    assert guards.cut_aside(told, "en", (), expected, "What is an index?")[0] == ""


# -- while it is being written


def test_a_draft_shows_whole_words_of_a_sentence_under_way():
    assert guards.safe_prefix("How wou", "en", (), ()) == "How"
    assert guards.safe_prefix("How would you keep a mess", "en", (), ()) == "How would you keep a"
    assert guards.safe_prefix(QUESTION, "en", (), ()) == QUESTION


def test_a_draft_holds_back_what_begins_like_an_earlier_question():
    for end in range(len(QUESTION) + 1):
        assert guards.safe_prefix(QUESTION[:end], "en", (), (f"Well. {QUESTION}",)) == ""


@given(st.sampled_from(JUDGING), st.integers(0, 90))
def test_no_draft_ever_shows_a_judgement(text, end):
    draft = guards.safe_prefix(f"{text} {QUESTION} Or what else?"[:end], "ru", (), ())
    assert not guards.judges(draft)
    assert "else" not in draft


@given(st.text(st.characters(codec="utf-8"), max_size=300))
def test_any_text_can_be_looked_at(text):
    kept, _ = guards.cut(text)
    assert sum(guards.asks(part) for part in guards.sentences(kept)) <= 1
    guards.rejection(kept, "en", (PERSONA,), (QUESTION,))
    guards.safe_prefix(text, "en", (PERSONA,), (QUESTION,))
