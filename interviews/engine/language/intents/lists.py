"""How candidates speak, by language, as data. A language is added by a file beside this one."""

import re
from functools import cache
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict

FOLDER = Path(__file__).parent
ENGLISH = "en"  # is mixed into every technical talk
ListName = Literal[
    "aside",
    "not_knowing",
    "clarify",
    "question",
    "off_topic",
    "names",
    "subordinate",
    "turning",
    "hedges",
    "examples",
    "weak",
    "common",
]


class IntentPatterns(BaseModel):
    """Regular expressions over plain text: lower case, no punctuation, е for ё."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    aside: tuple[str, ...]  # said around an answer, means nothing
    not_knowing: tuple[str, ...]  # clauses
    clarify: tuple[str, ...]  # clauses; one that ends in \? needs its question mark
    question: tuple[str, ...]  # clauses of a few words, or with a question mark; \? as above
    off_topic: tuple[str, ...]  # sentences
    names: tuple[str, ...]  # what is asked for, where a bare word may be the answer
    subordinate: tuple[str, ...]  # begins a clause that belongs to the one before the comma
    turning: tuple[str, ...]  # after these words something is answered after all
    hedges: tuple[str, ...]
    examples: tuple[str, ...]
    weak: tuple[str, ...]  # where an expectation begins to say what a poor answer is
    common: tuple[str, ...]  # long words that say nothing of a subject


@cache
def listed(language: str, name: ListName) -> re.Pattern[str]:
    """One pattern for a list, in that language and in English."""
    chosen = {language.split("-")[0], ENGLISH} & lexicons().keys()
    found = [one for key in sorted(chosen) for one in getattr(lexicons()[key], name)]
    return re.compile("|".join(f"(?:{one})" for one in found))


@cache
def lexicons() -> dict[str, IntentPatterns]:
    """Language -> its lists, for every file there is."""
    return {
        # BaseLoader: a word such as "no" stays a word
        path.stem: IntentPatterns.model_validate(
            yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # noqa: S506
        )
        for path in sorted(FOLDER.glob("*.yaml"))
    }
