"""Guards on an interviewer's utterance that all protocols share."""

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
ASIDE = 2  # sentences of an answer to a counter-question
MARKUP = re.compile(  # tags that prompts put around material
    r"</?(?:ask|asked|answer|question|said|sources|history|files|why|root|focus|tied|known)\b"
)
CLAUSE = re.compile(r"([^,.!:;—–]+)[,.!:;—–]+\s*")
MAX_PRAISE = 8  # words of an empty compliment
OWN_LETTERS = 0.25  # least share in the language's own script: names are often in Latin


class GuardRefusal(NamedTuple):
    guard: str
    reason: str


def cut(text: str) -> tuple[str, tuple[GuardFiring, ...]]:
    """Return the text without leading praise, up to its first question, and the guards fired."""
    parts = spaced_sentences(text)
    end = next((i for i, part in enumerate(parts, 1) if ends_asking(part)), len(parts))
    uncut = " ".join(parts[:end])
    kept = without_praise(uncut)
    fired = []
    if any(ends_asking(part) for part in parts[end:]):
        fired.append(GuardFiring("one_question", "a second question", text))
    elif end < len(parts):
        fired.append(GuardFiring("own_answer", "goes on after its question", text))
    if kept != uncut:
        fired.append(GuardFiring("praise", "empty praise", text))
    return kept, tuple(fired)


def without_praise(text: str) -> str:
    while (found := CLAUSE.match(text)) and listed("praise").fullmatch(plain(found[1])):
        rest = text[found.end() :]
        text = rest[:1].upper() + rest[1:]
    return text


def refused(text: str, language: str, private: Iterable[str]) -> GuardRefusal | None:
    """Return why the text can't be asked, or None if it can."""
    if not question_of(text):
        return GuardRefusal("no_question", "asks nothing")
    if len(text) > LONGEST:
        return GuardRefusal("too_long", "too long")
    return _content_refusal(text, language, private)


def _content_refusal(text: str, language: str, private: Iterable[str]) -> GuardRefusal | None:
    if foreign(text, language, OWN_LETTERS):
        return GuardRefusal("language", "in another language")
    if MARKUP.search(text) or quotes(text, private):
        return GuardRefusal("leak", "shows instructions")
    return None


def question_of(text: str) -> str:
    return next(filter(ends_asking, spaced_sentences(text)), "")


def certain(text: str, language: str, private: Iterable[str]) -> str:
    """Return as much of an utterance still being written as can be shown.

    Only whole words, so that each is checked before it is seen; nothing while it may be praise.
    """
    whole = text if ends_asking(text) else text.rpartition(" ")[0]
    draft, _ = cut(whole)
    if _may_be_praise(draft) or len(draft) > LONGEST:
        return ""
    return "" if _content_refusal(draft, language, private) else draft


def _may_be_praise(text: str) -> bool:
    words = plain(text).split()
    open_clause = CLAUSE.match(text) is None and len(words) < MAX_PRAISE
    begins = listed("praise_begins").fullmatch(" ".join(words[:2]))
    return not words or (open_clause and begins is not None)


def aside(text: str, language: str, private: Iterable[str]) -> tuple[str, tuple[GuardFiring, ...]]:
    kept = " ".join([p for p in spaced_sentences(text) if not ends_asking(p)][:ASIDE])
    if not kept or len(kept) > LONGEST:
        return "", (GuardFiring("aside", "tells nothing, or too much", text),)
    refusal = _content_refusal(kept, language, private)
    return ("", (GuardFiring("aside", refusal.reason, text),)) if refusal else (kept, ())


def prompts_of(folder: Path) -> tuple[str, ...]:
    return (*own_prompts(folder), *own_prompts(SHARED_PROMPTS))


@cache
def own_prompts(folder: Path) -> tuple[str, ...]:
    return tuple(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.md")))
