"""Sentences in answers that address whoever reads or scores them; they are not scored."""

import re
from functools import cache
from pathlib import Path

import yaml

from interviews.engine.language.sentences import spaced_sentences
from reflections.evidence.injection import sentences

POLITE = r"(?:(?:and|but|so|now|please|dear|e|ma|ora|per\s+favore|и|а|но|пожалуйста)[\s,]+)*"
OPENING = r"[\s\"'“”„«»‘’(\[<*#_-]*"


def split_orders(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the text without such sentences, and those sentences."""
    all_sentences = [sentence for line in text.splitlines() for sentence in spaced_sentences(line)]
    orders = tuple(sentence for sentence in all_sentences if _is_order(sentence))
    if not orders:
        return text, ()
    return " ".join(sentence for sentence in all_sentences if sentence not in orders), orders


def _is_order(sentence: str) -> bool:
    matched = _order_pattern().match(sentence) is not None
    return matched or any(one.order for one in sentences(sentence))


@cache
def _order_pattern() -> re.Pattern[str]:
    path = Path(__file__).with_name("injection.yaml")
    languages = yaml.safe_load(path.read_text(encoding="utf-8")).values()
    who = "|".join(language["who"] for language in languages)
    what = "|".join(f"(?:{one})" for language in languages for one in language["what"])
    named = rf"(?:{who})\s*[:,!—–-]+\s*{POLITE}"  # never POLITE twice in a row, which takes ages
    return re.compile(rf"{OPENING}{POLITE}(?:(?:{who})\s*:|(?:{named})?(?:{what}))", re.I)
