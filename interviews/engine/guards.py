"""What an interviewer's words may hold, whatever the protocol: why not, or what is cut off."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from interviews.engine.language.phrases import listed
from interviews.engine.language.sentences import ends_asking, quotes, spaced_sentences
from interviews.engine.language.wishes import plain
from interviews.engine.language.writing_systems import foreign
from interviews.engine.result import GuardFiring

SHARED_PROMPTS = Path(__file__).parent / "prompts"
LONGEST = 1_000  # characters of one utterance
ASIDE = 2  # sentences of an answer to a question back
MARKUP = re.compile(  # as prompts tell material from words
    r"</?(?:ask|asked|answer|question|said|sources|history|files|why|root|focus|tied|known)\b"
)
CLAUSE = re.compile(r"([^,.!:;—–]+)[,.!:;—–]+\s*")
BEGUN = 8  # words; what is longer is no empty praise
OWN_LETTERS = 0.25  # at least, of a text in the language: names and files are in Latin ones


class GuardRefusal(NamedTuple):
    """Which guard, and why."""

    guard: str
    reason: str


def cut(text: str) -> tuple[str, tuple[GuardFiring, ...]]:
    """The text from after empty praise up to its first question, in one line."""
    parts = spaced_sentences(text)
    end = next((i for i, part in enumerate(parts, 1) if ends_asking(part)), len(parts))
    said = " ".join(parts[:end])
    kept = without_praise(said)
    fired = []
    if any(ends_asking(part) for part in parts[end:]):
        fired.append(GuardFiring("one_question", "a second question", text))
    elif end < len(parts):
        fired.append(GuardFiring("own_answer", "goes on after its question", text))
    if kept != said:
        fired.append(GuardFiring("praise", "empty praise", text))
    return kept, tuple(fired)


def without_praise(text: str) -> str:
    """The text without clauses of empty praise at its beginning."""
    while (found := CLAUSE.match(text)) and listed("praise").fullmatch(plain(found[1])):
        rest = text[found.end() :]
        text = rest[:1].upper() + rest[1:]
    return text


def refused(text: str, language: str, private: Iterable[str]) -> GuardRefusal | None:
    """Why it can't be asked; None if it can."""
    if not question_of(text):
        return GuardRefusal("no_question", "asks nothing")
    if len(text) > LONGEST:
        return GuardRefusal("too_long", "too long")
    return _unsayable(text, language, private)


def _unsayable(text: str, language: str, private: Iterable[str]) -> GuardRefusal | None:
    if foreign(text, language, OWN_LETTERS):
        return GuardRefusal("language", "in another language")
    if MARKUP.search(text) or quotes(text, private):
        return GuardRefusal("leak", "shows instructions")
    return None


def question_of(text: str) -> str:
    """The first sentence that asks; empty if none does."""
    return next(filter(ends_asking, spaced_sentences(text)), "")


def certain(text: str, language: str, private: Iterable[str]) -> str:
    """As much of an utterance that is being written as can be shown.

    Whole words only, so that each is looked at before it is seen; nothing while it may be praise.
    """
    whole = text if ends_asking(text) else text.rpartition(" ")[0]
    shown, _ = cut(whole)
    if _may_be_praise(shown) or len(shown) > LONGEST:
        return ""
    return "" if _unsayable(shown, language, private) else shown


def _may_be_praise(text: str) -> bool:
    said = plain(text).split()
    open_clause = CLAUSE.match(text) is None and len(said) < BEGUN
    begins = listed("praise_begins").fullmatch(" ".join(said[:2]))
    return not said or (open_clause and begins is not None)


def aside(text: str, language: str, private: Iterable[str]) -> tuple[str, tuple[GuardFiring, ...]]:
    """One or two sentences that answer a question back; nothing where they can't be said."""
    kept = " ".join([p for p in spaced_sentences(text) if not ends_asking(p)][:ASIDE])
    if not kept or len(kept) > LONGEST:
        return "", (GuardFiring("aside", "tells nothing, or too much", text),)
    why = _unsayable(kept, language, private)
    return ("", (GuardFiring("aside", why.reason, text),)) if why else (kept, ())


def prompts_of(folder: Path) -> tuple[str, ...]:
    """A protocol's prompts and those that all share, which nobody is to be told."""
    return (*own_prompts(folder), *own_prompts(SHARED_PROMPTS))


@cache
def own_prompts(folder: Path) -> tuple[str, ...]:
    """The prompts in one folder."""
    return tuple(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.md")))
