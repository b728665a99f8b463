"""What the interviewer's words may hold, and as much of them as is shown while they are written."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from interviews.engine.guards import Checked, Limits, prompts_of
from interviews.protocols.technical_assessment import guards
from interviews.protocols.technical_assessment.tasks import PROMPTS
from llm.tasks.yaml_files import read_yaml_file
from tests.each import each

DEMO = Path(__file__).parents[3] / "plans/demo/scripts"
PERSONA = "A calm engineer who keeps the word zephyrine strictly to themselves all day."
QUESTION = "How would you keep a message from being handled twice?"

UTTERANCES = read_yaml_file(Path(__file__).parent / "utterances.yaml")
ASKED = {  # what comes after a sentence that is left out
    "en": QUESTION,
    "it": "Come eviterebbe che un messaggio sia elaborato due volte?",
    "ru": "Как не дать обработать сообщение дважды?",
    "es": "¿Cómo evitaría que un mensaje se procese dos veces?",
    "de": "Wie verhindern Sie, dass eine Nachricht zweimal verarbeitet wird?",
    "fr": "Comment éviter qu'un message soit traité deux fois ?",
    "ar": "كيف تمنع معالجة الرسالة مرتين؟",
}


def utterances(kind: str) -> list[tuple[str, str]]:
    """Each with its language."""
    return [(tag, text) for tag, texts in UTTERANCES[kind].items() for text in texts]


JUDGING = [
    "That's correct.",
    "Exactly!",
    "Great answer.",
    "Not quite.",
    "You are absolutely right.",
    "You're right.",
    "Your answer was incomplete.",
    "You explained that very well.",
    "I would give you a seven.",
    "Strong Hire.",
    "Perfect.",
    "Your family counts.",
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
    "What year were you born?",
    "Do you plan to have a family?",
    "How is your health these days?",
    "What is your native language?",
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


EN = Limits("en")


def fired(checked: Checked) -> list[str]:
    return [firing.guard for firing in checked.firings]


@each(("language", "text"), [("en", one) for one in JUDGING] + utterances("judgement"))
def test_what_judges_the_answer_is_cut_from_before_the_question(language, text):
    checked = guards.check_question(f"{text} {ASKED[language]}", Limits(language))
    assert checked.text == ASKED[language]
    assert len(fired(checked)) == 1
    assert set(fired(checked)) <= {"judgement", "praise", "verdict", "protected"}


@each(("language", "text"), utterances("judgement"))
def test_no_reply_judges_the_answer(language, text):
    assert guards.refuses_reply(text, (), "", language)


@each(("language", "text"), utterances("technical"))
def test_what_is_asked_of_systems_is_neither_judgement_nor_protected(language, text):
    assert guards.check_question(text, Limits(language)) == Checked(text)


@each("text", NEUTRAL + OF_SYSTEMS)
def test_technical_words_are_no_judgement_and_nothing_protected(text):
    language = "ru" if "ё" in text or "о" in text else "it" if "Che cosa" in text else "en"
    assert guards.check_question(text, Limits(language)) == Checked(text)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_demos_questions_could_be_asked_by_the_interviewer(language):
    path = DEMO / f"technical_backend_{language}.yaml"
    script = yaml.safe_load(path.read_text(encoding="utf-8"))
    asked = [q["text"] for section in script["sections"] for q in section["questions"]]
    assert len(asked) >= 25
    for place, text in enumerate(asked):
        limits = Limits(language, prompts_of(PROMPTS), asked=tuple(asked[:place]))
        assert guards.check_question(text, limits) == Checked(text)


@each(("language", "text"), [("en", one) for one in PROTECTED] + utterances("protected"))
def test_protected_characteristics_are_never_asked_about(language, text):
    assert guards.protected(text, language)
    assert guards.check_question(text, Limits(language)).text == ""


@each("text", ["You are wrong, so what else?", "Not quite, so what else?"])
def test_a_question_that_judges_is_refused(text):
    checked = guards.check_question(text, EN)
    assert checked.text == ""
    assert set(fired(checked)) & {"judgement", "verdict"}


def test_one_question_a_turn():
    checked = guards.check_question(f"{QUESTION} And what does it cost? Tell me all.", EN)
    assert checked.text == QUESTION
    assert fired(checked) == ["one_question"]


@each(
    "text",
    [
        "You use Node.js 22.1 there. What does `a ? b : c` do in it?",
        "How would you call GET /items?page=2 twice without harm?",
        "What changes between v1.2 and v2.0 of an API?",
    ],
)
def test_code_keeps_its_points_and_question_marks(text):
    assert guards.check_question(text, EN) == Checked(text)


@pytest.mark.parametrize(
    ("text", "guard"),
    [
        ("", "no_question"),
        ("Tell me about locks.", "no_question"),
        (f"{'Well, ' * 200}what then?", "too_long"),
        ("Как вы это проверите на своей машине?", "language"),
        (f"I am this: {PERSONA} So what?", "leak"),
        ("What stands in </answer> now?", "leak"),
        (QUESTION.lower().replace("?", " ?"), "repeat"),
        ("How would you keep messages from getting handled two times, twice?", "repeat"),
        ("What did you do at Initech?", "closed_subject"),
    ],
)
def test_refusals(text, guard):
    limits = Limits("en", (PERSONA,), closed=("Initech",), asked=(QUESTION,))
    checked = guards.check_question(text, limits)
    assert guard in fired(checked)
    assert PERSONA not in checked.text
    assert checked.text == "" or guard == "leak"


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("Как вы читаете EXPLAIN ANALYZE BUFFERS в PostgreSQL?", False),
        ("How would you read the plan of a slow query?", True),
    ],
)
def test_latin_names_make_no_foreign_language(text, refused):
    assert (guards.check_question(text, Limits("ru")).text == "") is refused


def test_what_is_said_about_the_question_gives_nothing_away_and_judges_nothing():
    expected = "Names the lookup, the write cost and covering columns."

    def refused(text: str) -> str:
        return guards.refuses_reply(text, (expected,), "What is an index?", "en")

    assert refused("A covering index makes a lookup cheap and every write dearer.")
    assert refused("Your answer was incomplete.")
    assert refused("You are doing very well so far.")
    assert refused("A good answer would mention its cost.")
    assert not refused("I can't tell you what a good answer holds.")
    assert refused("I would ask you about your religion.")
    assert not refused("It is a structure beside a table.")
    assert not refused("")


def test_inflected_words_give_it_away_too():
    expected = "Читает план выполнения, сравнивает оценку строк, ищет отсутствующие индексы."
    told = "Прочитайте план выполнения, сравните оценки строк и найдите индекс."
    assert guards.gives_away(told, expected, "Запрос стал медленным. Почему?", "ru")


# -- while it is being written


def test_a_draft_shows_whole_words_of_a_sentence_under_way():
    assert guards.safe_prefix("How would you keep a mess", EN) == "How would you keep a"
    assert guards.safe_prefix(QUESTION, EN) == QUESTION


def test_a_draft_holds_back_what_begins_like_an_earlier_question():
    limits = Limits("en", asked=(f"Well. {QUESTION}",))
    for end in range(len(QUESTION) + 1):
        assert guards.safe_prefix(QUESTION[:end], limits) == ""


@given(st.sampled_from(JUDGING), st.integers(0, 90))
def test_no_draft_ever_shows_a_judgement(text, end):
    draft = guards.safe_prefix(f"{text} {QUESTION} Or what else?"[:end], EN)
    assert not guards.judges(draft, "en")
    assert "else" not in draft


@given(st.text(st.characters(codec="utf-8"), max_size=300))
def test_any_text_can_be_looked_at(text):
    limits = Limits("en", (PERSONA,), asked=(QUESTION,))
    kept = guards.check_question(text, limits).text
    assert sum(guards.asks(part) for part in guards.sentences(kept)) <= 1
    guards.safe_prefix(text, limits)
