"""What the floor reads of sentences that were written without knowledge of its words.

The words were tuned on one half; nobody has looked at the other, which says how much of what
participants type is understood. There, the aims (three quarters; three fifths in Arabic, German,
Spanish and French) are still far: these are the figures reached, so that they only rise.
"""

import json
from collections import Counter
from functools import cache
from typing import Any

import pytest

from interviews.engine.reading import AnswerReading, read_by_rules
from tests.interviews.test_check_reading import SETS

LANGUAGES = ("ar", "de", "en", "es", "fr", "it", "ru")
WISHES = ("skip", "refuse", "stop", "pause")
TUNED = 0.65  # least recall of any class
HELD_BACK = {  # least recall of all wishes, of what is heavy, and of signs of danger
    "ar": (0.4, 0.6, 0.3),
    "de": (0.6, 0.6, 0.55),
    "en": (0.5, 0.6, 0.45),
    "es": (0.6, 0.6, 0.4),
    "fr": (0.65, 0.6, 0.25),
    "it": (0.5, 0.5, 0.3),
    "ru": (0.6, 0.6, 0.2),
}
MOST_TAKEN_FOR_WISHES = 0.01  # of ordinary answers
MOST_ALARMS = {"tuned": 0.01, "held_back": 0.09}


@cache
def readings(half: str) -> tuple[tuple[str, str, str, str, str], ...]:
    """Return language, label and level of care, and how both were read."""
    text = (SETS / f"seven_languages_{half}.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    return tuple(_read(row) for row in rows)


def _read(row: dict[str, Any]) -> tuple[str, str, str, str, str]:
    read = read_by_rules(row["answer"], row["language"], row["question"]).floor
    label = AnswerReading(row["answers"], tuple(row.get("wishes", ())))
    return row["language"], label.intent, row["care"], read.intent, read.care


def recall(half: str, language: str) -> dict[str, float]:
    said, right = Counter[str](), Counter[str]()
    for spoken, intent, care, read, level in readings(half):
        if spoken == language:
            name = intent if intent != "answer" else care
            said[name] += 1
            right[name] += (read if intent != "answer" else level) == name
    return {name: right[name] / said[name] for name in said}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_words_were_tuned_on_is_understood(language):
    found = recall("tuned", language)
    assert min(found[name] for name in (*WISHES, "heavy", "acute")) >= TUNED, found


@pytest.mark.parametrize("language", LANGUAGES)
def test_so_much_is_understood_of_what_nobody_has_looked_at(language):
    found = recall("held_back", language)
    wishes = sum(found[name] for name in WISHES) / len(WISHES)
    reached = (wishes, found["heavy"], found["acute"])
    assert all(one >= least for one, least in zip(reached, HELD_BACK[language], strict=True)), (
        reached
    )


@pytest.mark.parametrize("half", ["tuned", "held_back"])
def test_ordinary_answers_are_neither_wishes_nor_alarms(half):
    ordinary = [row for row in readings(half) if row[1:3] == ("answer", "none")]
    wishes = sum(read in WISHES for *_, read, _ in ordinary)
    alarms = sum(level != "none" for *_, level in ordinary)
    assert wishes <= MOST_TAKEN_FOR_WISHES * len(ordinary)
    assert alarms <= MOST_ALARMS[half] * len(ordinary)
