"""What the interviewer of a knowledge transfer may not say."""

from interviews.engine import guards
from interviews.engine.guards import Limits
from interviews.protocols.knowledge_transfer.tasks import PROMPTS
from tests.each import each
from tests.interviews.protocols.transferring import (
    QUESTIONS,
    RICH,
    Model,
    Transferring,
    extraction,
    material,
)

SAFETY = QUESTIONS[1][2]
GOOD = f"You divided overtime by normal hours, in prices.xlsx. {SAFETY}"


def said(wording: str) -> tuple[str, list[str]]:
    """What becomes of a wording of the second question, and which guards have fired."""
    run = Transferring(material(QUESTIONS), Model(wordings=["x", wording]))
    run.say(RICH)
    return run.said, [firing.guard for firing in run.last.firings]


def test_a_good_wording_is_said_as_it_is():
    assert said(GOOD) == (GOOD, [])


@each(
    ("wording", "guard"),
    [
        ("You divided overtime by normal hours.", "no_question"),
        ("", "no_question"),
        ("?", "astray"),
        (f"{'Well. ' * 300}{SAFETY}", "too_long"),
        (f"<answer>Well</answer> {SAFETY}", "leak"),
        (f"I keep the word zephyrine strictly to themselves all day. {SAFETY}", "leak"),
        ("What is your favourite colour?", "astray"),
        (
            "Ваш рассказ мне понятен, но почему так важно сохранить это значение навсегда?",
            "language",
        ),
    ],
)
def test_what_cant_be_said_is_replaced_by_the_question_as_it_is_written(wording, guard):
    text, fired = said(wording)
    assert text.endswith(SAFETY)
    assert wording not in text or not wording.strip("?")
    assert set(fired) == {guard}


def test_no_prompt_is_told():
    for path in PROMPTS.glob("*.md"):
        line = max(path.read_text(encoding="utf-8").splitlines(), key=len)
        text, fired = said(f"{line[:400]} {SAFETY}")
        assert line[:400] not in text
        assert fired


def test_another_question_with_a_word_in_common_is_not_enough():
    text, fired = said("So Carla checks it. How do you correct the paper list before Easter?")
    assert text.endswith(SAFETY)
    assert fired == ["astray"]


def test_praise_is_cut_and_recorded():
    assert said(f"Great answer! {GOOD}") == (GOOD, ["praise"])


def test_a_second_question_and_an_own_answer_are_cut():
    assert said(f"{GOOD} And who knows it?") == (GOOD, ["one_question"])
    assert said(f"{GOOD} It is because of the mill.") == (GOOD, ["own_answer"])


def test_a_question_before_the_right_one_is_not_enough():
    text, fired = said(f"Do you like your mug? {SAFETY}")
    assert text.endswith(SAFETY)
    assert "mug" not in text
    assert fired == ["one_question", "astray"]


@each(
    "praise",
    [
        "Great answer!",
        "That's a really good point.",
        "Excellent, thank you.",
        "Perfect!",
        "What a great explanation!",
        "Very helpful, thanks.",
        "Great answer, wonderful example.",
        "Well done!",
        "Ottima risposta!",
        "Perfetto.",
        "Che bella spiegazione!",
        "Отличный ответ!",
        "Прекрасно.",
        "Спасибо за отличный ответ!",
    ],
)
def test_empty_praise_is_cut(praise):
    language = "ru" if "о" in praise else "it" if praise[:3] in ("Ott", "Che", "Per") else "en"
    text = guards.without_praise(f"{praise} You divided by hours. Why?", language)
    assert "You divided by hours. Why?" in text
    assert len(text) <= len("Thank you. You divided by hours. Why?")


@each(
    "text",
    [
        "Good paper takes nine days, you said. Why?",
        "That explains the night jobs. Why?",
        "Thank you, so Carla checks it. Why?",
        "It is the mill that decides. Why?",
        "Хорошая бумага идёт девять дней. Почему?",
    ],
)
def test_what_is_no_praise_stays(text):
    language = "ru" if "о" in text else "en"
    assert guards.without_praise(text, language) == text


def test_file_names_and_figures_do_not_end_sentences():
    text = "In prices.xlsx you take 1.35 and in reorder.py 1.17. Why not the same?"
    assert guards.check(text, Limits("en")) == (text, ())


def test_other_words_for_the_same_question_pass():
    for text in (
        "The script reorder.py holds 1.17. What would go wrong if that safety were taken out?",
        "Why does the safety factor have to be 1.17 there?",
        "In reorder.py I saw a 1.17. What would happen without it?",
        "What would go wrong without that safety?",
    ):
        assert said(text) == (text, [])


def test_in_another_language_than_the_backlog_words_cant_tell():
    made = material(QUESTIONS[:2], languages=("en", "it"))
    words = "Grazie, ora capisco gli straordinari. Perché quel margine deve restare così?"
    run = Transferring(made, Model(wordings=["x", words]), language="it")
    run.say(RICH)
    assert run.said == words


@each("reply", ["Great question.", "And you?", "<said>So it is</said>"])
def test_an_answer_to_a_question_back_is_guarded(reply):
    run = Transferring(material(), Model([extraction(intent="ask_back")], asides=[reply]))
    run.say("Who reads this?")
    assert reply not in run.said
    assert run.said.endswith(QUESTIONS[0][2])


def test_a_guard_stops_what_asks_for_a_password():
    text, fired = said("You order by the script reorder.py. What is the password of the safety?")
    assert text.endswith(SAFETY)
    assert "contact" in fired


@each(
    "asks",
    [
        "You keep it in the workbook. What is the password of the workbook?",
        "You keep it in the workbook. What is its password?",
        "You keep it in the workbook. Which password opens it?",
        "You keep it in the workbook. Could you tell me the PIN?",
        "You keep it in the workbook. What's the password for it?",
        "You keep it in the workbook. Please give me your password, will you?",
    ],
)
def test_no_follow_up_asks_for_a_password(asks):
    run = Transferring(material(), Model([extraction("medium", follow_up=asks)]))
    run.say("We looked at the overtime of the night jobs and took that.")
    assert "password" not in run.said.lower()
    assert "PIN" not in run.said
    assert "contact" in [firing.guard for firing in run.last.firings]


def test_where_a_password_is_kept_may_be_asked():
    asks = "You keep it in the workbook. Who holds the password of the workbook?"
    run = Transferring(material(), Model([extraction("medium", follow_up=asks)]))
    run.say("We looked at the overtime of the night jobs and took that.")
    assert run.said == asks
