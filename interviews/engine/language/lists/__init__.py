"""Word lists by language, as data. A language is added by a file beside this one."""

import re
from functools import cache
from pathlib import Path
from typing import Literal, get_args

import yaml
from pydantic import BaseModel, ConfigDict

FOLDER = Path(__file__).parent
ListName = Literal["impact", "emotion", "hard"]
Wish = Literal[
    "stop",
    "skip",
    "pause",
    "withdraw",
    "privacy",
    "yes",
    "no",
    "clarify",
    "off_topic",
    "refuse_field",
    "refuse_all",
    "consent_yes",
    "consent_no",
]


class WishPatterns(BaseModel):
    """How one wish sounds: whole answers, and clauses of a short answer (regular expressions)."""

    words: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()


class WordLists(BaseModel):
    """All word lists of one language. A trailing * in impact, emotion, hard stands for any end."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    fillers: tuple[str, ...] = ()
    stop: WishPatterns = WishPatterns()
    skip: WishPatterns = WishPatterns()
    pause: WishPatterns = WishPatterns()  # to continue later
    withdraw: WishPatterns = WishPatterns()  # to have all that was said deleted
    privacy: WishPatterns = WishPatterns()
    yes: WishPatterns = WishPatterns()
    no: WishPatterns = WishPatterns()
    clarify: WishPatterns = WishPatterns()  # a request to put the question in other words
    off_topic: WishPatterns = WishPatterns()  # a wish that has nothing to do with an interview
    refuse_field: WishPatterns = WishPatterns()  # of one thing that is asked for
    refuse_all: WishPatterns = WishPatterns()  # of everything that is asked for
    consent_yes: WishPatterns = WishPatterns()
    consent_no: WishPatterns = WishPatterns()
    polite: tuple[str, ...] = ()  # said around an answer, a yes before it included
    lead_ins: dict[str, tuple[str, ...]] = {}  # kind of field -> what comes before the value
    impact: tuple[str, ...] = ()
    emotion: tuple[str, ...] = ()
    hard: tuple[str, ...] = ()
    stock: tuple[str, ...] = ()  # phrases, without punctuation, in lower case


@cache
def lexicons() -> dict[str, WordLists]:
    """Language -> its lists, for every file there is."""
    return {
        # BaseLoader: a word such as "no" stays a word
        path.stem: WordLists.model_validate(
            yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # noqa: S506
        )
        for path in sorted(FOLDER.glob("*.yaml"))
    }


@cache
def fillers() -> re.Pattern[str]:
    """Words at the ends of a clause that carry no wish, in every language."""
    every = {re.escape(f) for lexicon in lexicons().values() for f in lexicon.fillers}
    return re.compile("|".join(sorted(every, key=len, reverse=True)))


@cache
def sounds(wish: Wish, part: Literal["words", "phrases"]) -> re.Pattern[str]:
    """One pattern for a wish over all languages: people mix them.

    So a file must not list a word that means something else in another ("fine" ends a talk in
    Italian, and answers a question in English).
    """
    found = [p for lexicon in lexicons().values() for p in getattr(getattr(lexicon, wish), part)]
    return re.compile("|".join(f"(?:{p})" for p in found) or r"(?!)")


@cache
def polite() -> str:
    """Courtesies in every language, as a part of a pattern. Not to be repeated without end."""
    words = {re.escape(word) for lexicon in lexicons().values() for word in lexicon.polite}
    return "|".join(sorted(words, key=len, reverse=True))


@cache
def courtesies() -> re.Pattern[str]:
    """Up to four courtesies and nothing else, in a plain clause."""
    return re.compile(rf"(?:{polite()})(?: (?:{polite()})){{0,3}}")


@cache
def lead_ins(kind: str) -> str:
    """What comes before a value of that kind ("my name is"), in every language; may be nothing."""
    found = {lead for lexicon in lexicons().values() for lead in lexicon.lead_ins.get(kind, ())}
    return "|".join(sorted(found, key=len, reverse=True))


@cache
def word_list(language: str, name: ListName) -> re.Pattern[str] | None:
    """The pattern of one list; None where the language has no lists."""
    lexicon = lexicons().get(language.split("-")[0])
    if lexicon is None:
        return None
    stems = (re.escape(w).replace(r"\*", r"\w*") for w in getattr(lexicon, name))
    return re.compile(rf"\b(?:{'|'.join(stems)})\b")


@cache
def stock_phrases() -> tuple[str, ...]:
    """What everybody says, and advice, in every language."""
    return tuple(phrase for lexicon in lexicons().values() for phrase in lexicon.stock)


def load() -> None:
    """Reads every list and builds every pattern, so that no answer waits for it."""
    for wish in get_args(Wish):
        sounds(wish, "words")
        sounds(wish, "phrases")
