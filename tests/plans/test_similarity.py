"""The duplicate measure: what it promises on labelled pairs, and its plain properties."""

import time
from collections.abc import Callable
from difflib import SequenceMatcher
from itertools import chain, islice

from hypothesis import given
from hypothesis import strategies as st

from plans.similarity import ALIKE, alike, first_alike, normalise, similarity
from tests.each import each
from tests.plans.labelled import LANGUAGES, PAIRS, figures


@each("language", LANGUAGES)
def test_enough_pairs_in_each_language(language: str) -> None:
    tuning = PAIRS["tuning"][language]
    assert set(tuning) == {"same", "near", "different"}
    assert sum(map(len, tuning.values())) >= 60
    assert sum(map(len, PAIRS["held_out"][language].values())) >= 25


@each(
    ("part", "languages", "precision", "recall"),
    [
        ("tuning", ("en",), 1.0, 0.86),
        ("tuning", ("it",), 0.97, 0.92),
        ("tuning", ("ru",), 0.97, 0.92),
        ("tuning", LANGUAGES, 0.98, 0.90),
        ("held_out", ("en",), 1.0, 1.0),
        ("held_out", ("it",), 1.0, 0.75),
        ("held_out", ("ru",), 1.0, 0.58),
        ("held_out", LANGUAGES, 1.0, 0.77),
    ],
)
def test_precision_and_recall(
    part: str, languages: tuple[str, ...], precision: float, recall: float
) -> None:
    reached = figures(part, languages, alike)
    assert reached.precision >= precision
    assert reached.recall >= recall


@each("language", LANGUAGES)
def test_plainly_different_questions_stay_well_below_the_threshold(language: str) -> None:
    for part in ("tuning", "held_out"):
        for a, b in PAIRS[part][language]["different"]:
            assert similarity(a, b) < ALIKE - 0.15, (a, b)


@each(
    ("text", "expected"),
    [
        ("  What — exactly —\tdid you DO?\n", "what exactly did you do"),
        ("Perché? Com’è andata…", "perché com è andata"),
        ("perche\u0301", "perché"),
        ("Расскажите, «ЁЛКА»!", "расскажите ёлка"),
        ("STRASSE straße", "strasse strasse"),
        ("あなたの仕事は？", "あなたの仕事は"),
        ("आपका घर कैसा था?", "आपका घर कैसा था"),
        ("ﬁrst ①", "first 1"),
        ("?!…", ""),
        ("", ""),
    ],
)
def test_normalise(text: str, expected: str) -> None:
    assert normalise(text) == expected


@given(st.text(max_size=60))
def test_normalise_leaves_normalised_text_alone(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@given(st.text(max_size=60), st.text(max_size=60))
def test_bounded_and_symmetric(a: str, b: str) -> None:
    assert 0.0 <= similarity(a, b) <= 1.0
    assert similarity(a, b) == similarity(b, a)
    assert similarity(a, a) == 1.0


@each(
    ("a", "b"),
    [
        ("Which teacher do you remember?", "WHICH TEACHER DO YOU REMEMBER"),
        ("How did you celebrate birthdays?", "How did you celebrate birtdays?"),
        ("Which story gets told?", "Could you please tell me which story gets told?"),
        ("あなたの子供時代の家はどんな家でしたか？", "子供時代の家はどんな家でしたか。"),
        ("你小时候住的房子是什么样的？", "你小时候住的房子是什么样的呢？"),
        ("Wie sah Ihr Elternhaus aus?", "Ihr Elternhaus, wie sah es aus?"),
    ],
)
def test_alike_despite_case_stems_slips_and_scripts(a: str, b: str) -> None:
    assert alike(a, b)


@each(
    ("a", "b"),
    [
        ("子供時代の家はどんな家でしたか？", "今のお仕事では何をしていますか？"),
        ("Why?", "When?"),
        ("What is it?", "What is a lighthouse?"),
        ("What do you regret?", "What do you not regret?"),
    ],
)
def test_not_alike(a: str, b: str) -> None:
    assert not alike(a, b)


def test_first_alike_gives_the_first_position() -> None:
    asked = ["Who raised you?", "How do you spend your free time?", "Free time: how do you use it?"]
    assert first_alike("What do you do in your free time?", asked) == 1
    assert first_alike("What do you do in your free time?", iter(asked)) == 1
    assert first_alike("Where did you learn to swim?", asked) is None
    assert first_alike("Where did you learn to swim?", []) is None


def test_sixty_comparisons_are_quick() -> None:
    """Against the last 60 questions the guard must not be felt, even when all of them are new.

    The standard library's comparison of the same texts takes about twice as long.
    """
    pairs = (pair for group in PAIRS["tuning"]["ru"].values() for pair in group)
    asked = list(islice(chain.from_iterable(pairs), 60))
    ours, plain = [], []
    for attempt in range(20):
        question = f"Совсем другой вопрос о погоде {attempt}"
        fresh = [f"{text} {attempt}" for text in asked]
        ours.append(_seconds(similarity, question, fresh))
        plain.append(_seconds(_plain, question, fresh))
    assert min(ours) < min(plain)


def _plain(a: str, b: str) -> float:
    return SequenceMatcher(None, a, b).ratio()


def _seconds(compare: Callable[[str, str], float], question: str, asked: list[str]) -> float:
    start = time.process_time()
    for text in asked:
        compare(question, text)
    return time.process_time() - start
