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
LATELY = 6  # utterances that an acknowledgement must differ from


def leaks(text: str, private: Iterable[str]) -> bool:
    return MARKUP.search(text) is not None or quotes(text, private)


def is_trite(text: str) -> bool:
    padded = f" {plain(text)} "
    return any(f" {phrase}" in padded for phrase in stock_phrases())


def follow_up_problem(
    text: str, language: str, private: Iterable[str], asked: Iterable[str]
) -> str:
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


def with_acknowledgement(
    text: str, language: str, lately: tuple[str, ...], turn: int
) -> tuple[str, tuple[GuardFiring, ...]]:
    """Make a follow-up to a hard answer begin with an acknowledgement unlike the last few."""
    parts = sentences(text)
    other = fixed(language, "acknowledgements", lately, turn)
    if asks(parts[0]):
        return f"{other} {text}", (GuardFiring("acknowledgement", "none was given", text),)
    earlier = {plain(s) for line in lately[-LATELY:] for s in sentences(line)}
    if plain(parts[0]) not in earlier:
        return text, ()
    firing = GuardFiring("acknowledgement", "worded as before", text)
    return " ".join([other, *parts[1:]]), (firing,)


def adapted_question(
    text: str, scripted: str, private: Iterable[str]
) -> tuple[str, tuple[GuardFiring, ...]]:
    """Return a personalised question, or the script's own words if it can't be asked."""
    adapted = single_spaced(text)
    still_asks = asks(adapted) or not asks(scripted)
    short = len(adapted) <= max(LONGEST, 2 * len(scripted))
    if adapted and still_asks and short and not leaks(adapted, private):
        return (scripted if plain(adapted) == plain(scripted) else adapted), ()
    return scripted, (GuardFiring("personalise", "not usable as a question", text),)


def bridge_only(
    text: str, language: str, lately: tuple[str, ...], turn: int, private: Iterable[str]
) -> tuple[str, tuple[GuardFiring, ...]]:
    """Return a bridge of at most two sentences without questions, stock phrases or advice.

    A fixed bridge is used if nothing is left.
    """
    kept = " ".join([s for s in sentences(text) if not asks(s)][:2])
    fits = len(kept) <= LONGEST and not foreign(kept, language) and not is_trite(kept)
    if kept and fits and not leaks(kept, private):
        whole = kept == single_spaced(text)
        return kept, () if whole else (GuardFiring("bridge", "asked or went on too long", text),)
    return fixed(language, "bridges", lately, turn), (GuardFiring("bridge", "not usable", text),)
