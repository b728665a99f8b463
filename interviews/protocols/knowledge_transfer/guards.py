"""What the interviewer's words may hold; why they can't be said, or what is cut from them."""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from interviews.engine.intents import plain
from interviews.engine.scripts import foreign
from interviews.engine.speech import ends_asking, quotes, spaced_sentences
from interviews.engine.terms import terms
from interviews.engine.types import Firing
from interviews.protocols.knowledge_transfer.here import figures
from interviews.protocols.knowledge_transfer.lexicon import listed
from interviews.protocols.knowledge_transfer.tasks import PROMPTS
from plans.similarity import normalise

LONGEST = 1_000  # characters of one utterance
ASIDE = 2  # sentences of an answer to a question back
MARKUP = re.compile(r"</?(?:ask|asked|answer|question|said|sources|history|files|why|root)\b")
CLAUSE = re.compile(r"([^,.!:;—–]+)[,.!:;—–]+\s*")
BEGUN = 8  # words; what is longer is no empty praise
OWN_LETTERS = 0.25  # at least, of a text in the language: names and files are in Latin ones
SHARED = 0.2  # at least, of a question's words in what asks it, where no figure is shared
LONG_ENOUGH = 4  # letters of a word that tells one question from another


class Refusal(NamedTuple):
    """Which guard, and why."""

    guard: str
    reason: str


def cut(text: str) -> tuple[str, tuple[Firing, ...]]:
    """The text from after empty praise up to its first question, in one line."""
    parts = spaced_sentences(text)
    end = next((i for i, part in enumerate(parts, 1) if ends_asking(part)), len(parts))
    said = " ".join(parts[:end])
    kept = without_praise(said)
    fired = []
    if any(ends_asking(part) for part in parts[end:]):
        fired.append(Firing("one_question", "a second question", text))
    elif end < len(parts):
        fired.append(Firing("own_answer", "goes on after its question", text))
    if kept != said:
        fired.append(Firing("praise", "empty praise", text))
    return kept, tuple(fired)


def without_praise(text: str) -> str:
    """The text without clauses of empty praise at its beginning."""
    while (found := CLAUSE.match(text)) and listed("praise").fullmatch(plain(found[1])):
        rest = text[found.end() :]
        text = rest[:1].upper() + rest[1:]
    return text


def refused(text: str, language: str, private: Iterable[str]) -> Refusal | None:
    """Why it can't be asked; None if it can."""
    if not question_of(text):
        return Refusal("no_question", "asks nothing")
    if len(text) > LONGEST:
        return Refusal("too_long", "too long")
    return _unsayable(text, language, private)


def _unsayable(text: str, language: str, private: Iterable[str]) -> Refusal | None:
    if foreign(text, language, OWN_LETTERS):
        return Refusal("language", "in another language")
    if MARKUP.search(text) or quotes(text, private):
        return Refusal("leak", "shows instructions")
    return None


def asks_for(text: str, question: str, others: Iterable[str], language: str) -> bool:
    """Whether the text asks that question, as far as words and figures tell; lenient.

    `others` are those that could be asked instead: what is nearer to one of them asks that.
    """
    if figures(question) & figures(text) or not _words(question, language):
        return True
    said = _words(text, language)
    share = _share(said, question, language)
    return share >= SHARED and all(_share(said, other, language) <= share for other in others)


def _share(said: frozenset[str], question: str, language: str) -> float:
    """How much of a question's words was said."""
    wanted = _words(question, language)
    return len(wanted & said) / len(wanted) if wanted else 0.0


@lru_cache(maxsize=1_024)
def _words(text: str, language: str) -> frozenset[str]:
    return frozenset(word for word in terms(text, language) if len(word) >= LONG_ENOUGH)


def question_of(text: str) -> str:
    """The first sentence that asks; empty if none does."""
    return next(filter(ends_asking, spaced_sentences(text)), "")


def repeats(text: str, earlier: Sequence[str]) -> bool:
    """Whether its question stands word by word in something that was asked."""
    asked = normalise(question_of(text))
    return any(asked and asked in normalise(one) for one in earlier)


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
    return not said or (open_clause and bool(listed("praise_begins").fullmatch(said[0])))


def aside(text: str, language: str, private: Iterable[str]) -> tuple[str, tuple[Firing, ...]]:
    """One or two sentences that answer a question back; nothing where they can't be said."""
    kept = " ".join([p for p in spaced_sentences(text) if not ends_asking(p)][:ASIDE])
    if not kept or len(kept) > LONGEST:
        return "", (Firing("aside", "tells nothing, or too much", text),)
    why = _unsayable(kept, language, private)
    return ("", (Firing("aside", why.reason, text),)) if why else (kept, ())


@cache
def prompts() -> tuple[str, ...]:
    """The texts of this protocol's prompts, which nobody is to be told."""
    return tuple(path.read_text(encoding="utf-8") for path in sorted(PROMPTS.glob("*.md")))
