"""How people tie one thing to another, by language. A file beside this one adds a language.

In any other language nothing is recognised: whole clauses become concepts, and nothing is tied.
"""

import re
from functools import cache
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict

FOLDER = Path(__file__).parent
NEVER = "(?!)"


class CuePatterns(BaseModel):
    """Regular expressions over words as they were said, in any case."""

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
def cue_pattern(language: str, name: str) -> re.Pattern[str]:
    """Return one pattern of whole words for a field of CuePatterns; an empty one never matches."""
    cues = lexicons().get(language.split("-")[0], CuePatterns())
    alternatives = "|".join(getattr(cues, name)) or NEVER
    return re.compile(rf"(?<![\w'])(?:{alternatives})(?![\w'])", re.IGNORECASE)


@cache
def lexicons() -> dict[str, CuePatterns]:
    return {
        # BaseLoader: a word such as "no" stays a word
        path.stem: CuePatterns.model_validate(
            yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # noqa: S506
        )
        for path in sorted(FOLDER.glob("*.yaml"))
    }
