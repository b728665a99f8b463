"""What rules make of the labelled sentences, as a table.

    python -m tests.interviews.protocols.assessment_confusion

Rows are what a sentence is, columns what rules say; the last column is left to the model. There a
hallucination and an ordinary answer belong, since no rule may say what they are.
"""

import os
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import django
import yaml

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "interviewsite.settings")
django.setup()

from interviews.engine.language.intents import Meaning, meaning  # noqa: E402

FOLDER = Path(__file__).parent / "assessment_sentences"
LANGUAGES = ("en", "ru")
MODEL = "left to the model"
COLUMNS = (*Meaning, MODEL)
ROWS = (*Meaning, "hallucination", "answer")


class Sentence(NamedTuple):
    """What was said, after which question, and what it is."""

    label: str
    asked: str
    said: str


def sentences(language: str) -> list[Sentence]:
    """All labelled sentences of a language."""
    text = (FOLDER / f"{language}.yaml").read_text(encoding="utf-8")
    return [
        Sentence(label, talk["asked"], said)
        for talk in yaml.safe_load_all(text)
        for label, every in talk.items()
        if label != "asked"
        for said in every
    ]


def verdict(sentence: Sentence, language: str) -> str:
    """What rules say of it."""
    return str(meaning(sentence.said, language, sentence.asked) or MODEL)


def confusion(language: str) -> Counter[tuple[str, str]]:
    """(label, verdict) -> how many sentences."""
    return Counter((one.label, verdict(one, language)) for one in sentences(language))


def precision(table: Counter[tuple[str, str]], name: str) -> float:
    """The share of right ones among those that rules call so."""
    return table[name, name] / sum(table[label, name] for label in ROWS)


def recall(table: Counter[tuple[str, str]], name: str) -> float:
    """The share of those that are so which rules call so."""
    return table[name, name] / sum(table[name, column] for column in COLUMNS)


def printed(language: str) -> str:
    """The table with the precision and recall of each clear meaning."""
    table = confusion(language)
    lines = [f"{language:<14}" + "".join(f"{column:>19}" for column in COLUMNS)]
    for label in ROWS:
        lines.append(f"{label:<14}" + "".join(f"{table[label, c]:>19}" for c in COLUMNS))
    for name, share in (("precision", precision), ("recall", recall)):
        lines.append(f"{name:<14}" + "".join(f"{share(table, m):>19.2f}" for m in Meaning))
    return "\n".join(lines)


if __name__ == "__main__":
    print("\n\n".join(printed(language) for language in LANGUAGES))
