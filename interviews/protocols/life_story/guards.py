"""What a model may not say in a life-story interview, and what stands in its place."""

import re
from collections.abc import Iterable

from interviews.engine.language.lists import stock_phrases
from interviews.engine.language.sentences import (
    asks,
    questions_in,
    quotes,
    sentences,
    single_spaced,
)
from interviews.engine.language.wishes import plain
from interviews.engine.language.writing_systems import foreign
from interviews.engine.result import GuardFiring
from interviews.engine.texts import fixed
from plans.similarity import first_alike

LONGEST = 1_200  # characters of one utterance
MARKUP = re.compile(r"</?(?:answer|notes|question|conversation|planned)\b|INTERVIEW_COMPLETED|[{}]")
LATELY = 6  # interviewer's utterances that an acknowledgement must differ from


def leaks(text: str, private: Iterable[str]) -> bool:
    """Whether it repeats a run of words from what only the interviewer knows, or shows markup."""
    return MARKUP.search(text) is not None or quotes(text, private)


def trite(text: str) -> bool:
    """Whether it says what everybody says, or gives advice."""
    said = f" {plain(text)} "
    return any(f" {phrase}" in said for phrase in stock_phrases())


def unusable_follow_up(
    text: str, language: str, private: Iterable[str], asked: Iterable[str]
) -> str:
    """Why it can't be said; empty if it can."""
    if not text:
        return "empty"
    if len(text) > LONGEST:
        return "too long"
    if not asks(text):
        return "asks nothing"
    if foreign(text, language):
        return "in another language"
    if leaks(text, private):
        return "leaks"
    if first_alike(questions_in(text), [questions_in(one) for one in asked]) is not None:
        return "asked before"
    return ""


def acknowledged(
    text: str, language: str, lately: tuple[str, ...], turn: int
) -> tuple[str, tuple[GuardFiring, ...]]:
    """A follow-up to a hard answer: one acknowledgement first, worded unlike the last few."""
    parts = sentences(text)
    first = parts[0]
    if asks(first):
        return f"{fixed(language, 'acknowledgements', lately, turn)} {text}", (
            GuardFiring("acknowledgement", "none was given", text),
        )
    earlier = {plain(s) for line in lately[-LATELY:] for s in sentences(line)}
    if plain(first) not in earlier:
        return text, ()
    other = fixed(language, "acknowledgements", lately, turn)
    return " ".join([other, *parts[1:]]), (
        GuardFiring("acknowledgement", "worded as before", text),
    )


def adapted_question(
    text: str, scripted: str, private: Iterable[str]
) -> tuple[str, tuple[GuardFiring, ...]]:
    """A personalised question, or the script's own words where it can't be said."""
    said = single_spaced(text)
    still_asks = asks(said) or not asks(scripted)
    short = len(said) <= max(LONGEST, 2 * len(scripted))
    if said and still_asks and short and not leaks(said, private):
        return (scripted if plain(said) == plain(scripted) else said), ()
    return scripted, (GuardFiring("personalise", "not usable as a question", text),)


def bridge_only(
    text: str, language: str, lately: tuple[str, ...], turn: int, private: Iterable[str]
) -> tuple[str, tuple[GuardFiring, ...]]:
    """A bridge of at most two sentences that asks nothing; a fixed one where nothing is left.

    Stock phrases and advice are no bridge, nor are words in another language.
    """
    kept = " ".join([s for s in sentences(text) if not asks(s)][:2])
    fits = len(kept) <= LONGEST and not foreign(kept, language) and not trite(kept)
    if kept and fits and not leaks(kept, private):
        whole = kept == single_spaced(text)
        return kept, () if whole else (GuardFiring("bridge", "asked or went on too long", text),)
    return fixed(language, "bridges", lately, turn), (GuardFiring("bridge", "not usable", text),)
