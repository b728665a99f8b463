"""Guards after the model has spoken: what they look for, and why they fire. They run in this order.

1 closure, 2 duplicate (EXPLORE, DEEPEN) · 3 deep offer · 4 data collection · 5 completion tag.
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
BEGINNINGS = "|".join(TAG[:length] for length in range(len(TAG), 0, -1))
BEGINNING = re.compile(rf"[\[(<{{ ]*(?:(?<!\w)(?:{BEGINNINGS}))?$", re.I)  # of the tag, at the end
URL = re.compile(r"https?://|www\.|\b[\w.-]+@[\w-]+\.\w+", re.I)
LONGEST = 1_200  # characters of one utterance
REMEMBERED = 60  # questions that a new one may not repeat
LEXICON = Path(__file__).parent / "lexicon.yaml"


@cache
def _pattern(name: str) -> re.Pattern[str]:
    lists: dict[str, list[str]] = yaml.safe_load(LEXICON.read_text(encoding="utf-8"))
    return re.compile("|".join(f"(?:{p})" for p in lists[name]) or r"(?!)")


def _says(text: str, name: str) -> bool:
    return _pattern(name).search(plain(text)) is not None


def closure(text: str, language: str, private: Iterable[str]) -> str:
    """Why the text closes the interview, strays from it or can't be said; empty if it doesn't."""
    if TAGGED.search(text):
        return "completion tag"
    if not asks(text):
        return "no question"
    if len(text) > LONGEST:
        return "too long"
    for name, why in (
        ("goodbye", "goodbye"),
        ("contact", "asks for contact data"),
        ("promotion", "promotion"),
    ):
        if _says(text, name):
            return why
    if URL.search(text):
        return "promotion"
    if foreign(text, language):
        return "in another language"
    return "leaks" if quotes(text, private) else ""


def duplicate(text: str, asked: Sequence[str]) -> str:
    """Why the question was asked before; empty if it wasn't."""
    found = first_alike(questions_in(text), [questions_in(one) for one in asked[-REMEMBERED:]])
    return "" if found is None else "asked before"


def deep_offer(text: str) -> str:
    """Why the text is no offer to go on; empty if it is one."""
    if TAGGED.search(text):
        return "completion tag"
    return "" if asks(text) and _says(text, "offer") else "no offer"


def data_request(text: str, kind: str, label: str) -> str:
    """Why the text doesn't ask for the field that is due; empty if it does."""
    if TAGGED.search(text):
        return "completion tag"
    named = plain(label) in plain(text) or _says(text, kind)
    return "" if asks(text) and named else "not the field that is due"


def without_tag(text: str) -> str:
    """The text with the completion tag taken out, wherever it stands."""
    return single_spaced(TAGGED.sub(" ", text))


def certain(text: str) -> str:
    """As much of a draft as can be shown: nothing from where the tag stands or may begin."""
    found = TAGGED.search(text)
    if found:
        return text[: found.start()].rstrip(OPENERS)
    return text[: BEGINNING.search(text).start()]  # type: ignore[union-attr]  # matches nothing too


def question_only(text: str) -> str:
    """The last sentence that asks; empty if none does."""
    asking = [s for s in sentences(without_tag(text)) if asks(s)]
    return asking[-1] if asking else ""
