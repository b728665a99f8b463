"""Guards over the model's words, in the order in which they run.

1 closure, 2 duplicate (EXPLORE, DEEPEN) · 3 deep offer · 4 data collection · 5 completion tag.
Each returns why it rejects a text, or '' if it doesn't.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import yaml

from interviews.engine.language.sentences import (
    asks,
    questions_in,
    quotes,
    sentences,
    single_spaced,
)
from interviews.engine.language.wishes import plain
from interviews.engine.language.writing_systems import foreign
from plans.similarity import first_alike

TAG = "INTERVIEW_COMPLETED"
TAGGED = re.compile(rf"[\[(<{{]*\s*{TAG}\s*[\])>}}]*", re.I)
OPENERS = "[(<{ "
TAG_PREFIXES = "|".join(TAG[:length] for length in range(len(TAG), 0, -1))
PARTIAL_TAG = re.compile(rf"[\[(<{{ ]*(?:(?<!\w)(?:{TAG_PREFIXES}))?$", re.I)
URL = re.compile(r"https?://|www\.|\b[\w.-]+@[\w-]+\.\w+", re.I)
NUMBER = re.compile(r"\d+")
MAX_LENGTH = 1_200  # characters of one utterance
MAX_COMPARED = 60  # earlier questions that a new one is compared with
LEXICON = Path(__file__).parent / "lexicon.yaml"


@cache
def _pattern(name: str) -> re.Pattern[str]:
    lists: dict[str, list[str]] = yaml.safe_load(LEXICON.read_text(encoding="utf-8"))
    return re.compile("|".join(f"(?:{p})" for p in lists[name]) or r"(?!)")


def _matches(text: str, name: str) -> bool:
    return _pattern(name).search(plain(text)) is not None


def closure(text: str, language: str, private: Iterable[str]) -> str:
    if TAGGED.search(text):
        return "completion tag"
    if not asks(text):
        return "no question"
    if len(text) > MAX_LENGTH:
        return "too long"
    for name, why in (
        ("goodbye", "goodbye"),
        ("contact", "asks for contact data"),
        ("promotion", "promotion"),
    ):
        if _matches(text, name):
            return why
    if URL.search(text):
        return "promotion"
    if foreign(text, language):
        return "in another language"
    return "leaks" if quotes(text, private) else ""


def duplicate(text: str, asked: Sequence[str]) -> str:
    found = first_alike(questions_in(text), [questions_in(one) for one in asked[-MAX_COMPARED:]])
    return "" if found is None else "asked before"


def deep_offer(text: str, questions: int) -> str:
    if TAGGED.search(text):
        return "completion tag"
    if any(int(number) != questions for number in NUMBER.findall(text)):
        return "another number of questions"
    return "" if asks(text) and _matches(text, "offer") else "no offer"


def data_request(text: str, kind: str, label: str) -> str:
    if TAGGED.search(text):
        return "completion tag"
    named = plain(label) in plain(text) or _matches(text, kind)
    return "" if asks(text) and named else "not the field that is due"


def without_tag(text: str) -> str:
    return single_spaced(TAGGED.sub(" ", text))


def before_tag(text: str) -> str:
    """Return the part of a draft before any completion tag, even an unfinished one."""
    found = TAGGED.search(text)
    if found:
        return text[: found.start()].rstrip(OPENERS)
    return text[: PARTIAL_TAG.search(text).start()]  # type: ignore[union-attr]  # matches nothing too


def question_only(text: str) -> str:
    asking = [s for s in sentences(without_tag(text)) if asks(s)]
    return asking[-1] if asking else ""
