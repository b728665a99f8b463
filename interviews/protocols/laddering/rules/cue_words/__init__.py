"""How people tie one thing to another, by language. A language is added by a file beside this one.

In any other language nothing is recognised: whole clauses become concepts, and nothing is tied.
"""

import re
from functools import cache
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict

FOLDER = Path(__file__).parent
NEVER = "(?!)"
ListName = Literal[
    "forward",
    "because",
    "thanks",
    "preferring",
    "leading",
    "trailing",
    "empty",
    "listing",
    "positive",
    "negative",
]


class CuePatterns(BaseModel):
    """Regular expressions over words as they were said, whatever their case."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    forward: tuple[str, ...] = ()  # after these comes what the part before leads to
    because: tuple[str, ...] = ()  # a reason, or what something is good for
    thanks: tuple[str, ...] = ()  # after these comes what brought the part before about
    preferring: tuple[str, ...] = ()  # a part that says what is liked, wanted, used
    leading: tuple[str, ...] = ()  # words at the start of a part that say nothing of its subject
    trailing: tuple[str, ...] = ()  # and at its end
    empty: tuple[str, ...] = ()  # whole parts that speak of nothing
    listing: tuple[str, ...] = ()  # and, or
    positive: tuple[str, ...] = ()
    negative: tuple[str, ...] = ()


@cache
def listed(language: str, name: ListName) -> re.Pattern[str]:
    """One pattern of whole words for a list; it matches nothing where the list is empty."""
    lexicon = lexicons().get(language.split("-")[0], CuePatterns())
    alternatives = "|".join(getattr(lexicon, name)) or NEVER
    return re.compile(rf"(?<![\w'])(?:{alternatives})(?![\w'])", re.IGNORECASE)


@cache
def lexicons() -> dict[str, CuePatterns]:
    """Language -> its lists, for every file there is."""
    return {
        # BaseLoader: a word such as "no" stays a word
        path.stem: CuePatterns.model_validate(
            yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # noqa: S506
        )
        for path in sorted(FOLDER.glob("*.yaml"))
    }
