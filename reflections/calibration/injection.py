"""Sentences that speak to whoever reads or scores an answer. They answer nothing, and are not
scored."""

import re
from functools import cache
from pathlib import Path

import yaml

from interviews.engine.language.sentences import spaced_sentences
from reflections.evidence.injection import sentences

POLITE = r"(?:(?:and|but|so|now|please|dear|e|ma|ora|per\s+favore|и|а|но|пожалуйста)[\s,]+)*"
OPENING = r"[\s\"'“”„«»‘’(\[<*#_-]*"


def without_orders(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without such sentences, and these; the text as it is where there are none."""
    parts = [part for line in text.splitlines() for part in spaced_sentences(line)]
    orders = tuple(part for part in parts if _is_order(part))
    if not orders:
        return text, ()
    return " ".join(part for part in parts if part not in orders), orders


def _is_order(part: str) -> bool:
    about_scores = _orders().match(part) is not None
    return about_scores or any(one.order for one in sentences(part))


@cache
def _orders() -> re.Pattern[str]:
    path = Path(__file__).with_name("injection.yaml")
    languages = yaml.safe_load(path.read_text(encoding="utf-8")).values()
    who = "|".join(language["who"] for language in languages)
    what = "|".join(f"(?:{one})" for language in languages for one in language["what"])
    named = rf"(?:{who})\s*[:,!—–-]+\s*{POLITE}"  # never POLITE twice in a row, which takes ages
    return re.compile(rf"{OPENING}{POLITE}(?:(?:{who})\s*:|(?:{named})?(?:{what}))", re.I)
