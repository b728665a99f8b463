"""Signs of distress, found by rules: self-harm, violence, a crisis now. No model is needed.

Where nothing is a sign but something hints at one, a model may be asked (`worry.py`).

A false alarm costs a kind word and a question whether to go on; one that stays out may cost much
more. But a life told calmly holds deaths, violence and despair, and must be heard to the end. So
what tells of now is a sign wherever it stands; what tells of the past is one only where the same
sentence says that it was lately; what somebody else is quoted as saying is none.

A language is added by a file beside this one. People mix languages: all files are looked through.
"""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml
from pydantic import BaseModel, ConfigDict

from interviews.engine.language.wishes import plain

FOLDER = Path(__file__).parent
SENTENCES = re.compile(r"[.!?…;؛؟\n]+")
QUOTED = re.compile(r"[«“„\"]([^«»“”„\"]{1,400})[»”\"]")
PART = re.compile(r"<(\w+)>")
NEAR = 60  # characters before or after a quotation that may say whose words they are
MOST_QUOTATIONS = 50  # that are looked at; what stands in later ones counts as the teller's own


class DistressPatterns(BaseModel):
    """Regular expressions over one plain sentence; `<name>` stands for one of the parts.

    `now` are signs; `past` are signs if one of `lately` stands in the same sentence; `others` say
    that what is quoted beside them was said by somebody else; `hints` are far from being signs,
    and only make it worth asking a model. Groups are repeated a few times at
    most, never without end (`*`, `+`): such a pattern can take for ever over a text made for it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    parts: dict[str, str] = {}
    now: tuple[str, ...]
    past: tuple[str, ...] = ()
    lately: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()


class Patterns(NamedTuple):
    """One pattern for each list of a language."""

    now: re.Pattern[str]
    past: re.Pattern[str]
    lately: re.Pattern[str]
    others: re.Pattern[str]
    hints: re.Pattern[str]


def in_distress(text: str) -> bool:
    """Whether any sentence, however long the answer, speaks of a crisis now."""
    return any(_is_sign(plain(sentence)) for sentence in SENTENCES.split(_own_words(text)))


def hinted(text: str) -> list[str]:
    """The sentences that may be about a crisis, or as well about anything else."""
    sentences = [sentence.strip() for sentence in SENTENCES.split(_own_words(text))]
    return [said for said in sentences if any(p.hints.search(plain(said)) for p in _patterns())]


def load() -> None:
    """Reads every list and builds every pattern, so that no answer waits for it."""
    _patterns()


def _is_sign(sentence: str) -> bool:
    return any(
        p.now.search(sentence) or (p.past.search(sentence) and p.lately.search(sentence))
        for p in _patterns()
    )


def _own_words(text: str) -> str:
    """Without what others are quoted as saying."""
    return QUOTED.sub(
        lambda quoted: "" if _said_by_others(text, quoted) else quoted[0],
        text,
        count=MOST_QUOTATIONS,
    )


def _said_by_others(text: str, quoted: re.Match[str]) -> bool:
    before = text[max(0, quoted.start() - NEAR) : quoted.start()]
    after = text[quoted.end() : quoted.end() + NEAR]
    beside = plain(SENTENCES.split(before)[-1]), plain(SENTENCES.split(after)[0])
    return any(p.others.search(words) for p in _patterns() for words in beside)


@cache
def _patterns() -> tuple[Patterns, ...]:
    return tuple(_compiled(_read(path)) for path in sorted(FOLDER.glob("*.yaml")))


def _read(path: Path) -> DistressPatterns:
    # BaseLoader: a word such as "no" stays a word
    return DistressPatterns.model_validate(
        yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # noqa: S506
    )


def _compiled(signs: DistressPatterns) -> Patterns:
    return Patterns(*(_any_of(getattr(signs, name), signs.parts) for name in Patterns._fields))


def _any_of(patterns: Iterable[str], parts: dict[str, str]) -> re.Pattern[str]:
    """One pattern for all of them; nothing matches an empty list. Raises KeyError, re.error."""
    whole = "|".join(f"(?:{_filled(pattern, parts)})" for pattern in patterns)
    return re.compile(rf"\b(?:{whole})" if whole else r"(?!)")


def _filled(pattern: str, parts: dict[str, str]) -> str:
    """The pattern with its parts; a part may be made of parts."""
    while found := PART.search(pattern):
        pattern = pattern.replace(found[0], f"(?:{parts[found[1]]})")
    return pattern
