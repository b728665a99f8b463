"""Clear wishes found by rules, in the languages of the lists. The rest is left to models."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import takewhile
from typing import Literal, NamedTuple, get_args

from interviews.engine.language.concepts import Rule, Sense, light, may_be_in, rules_for, senses
from interviews.engine.language.lists import WORDS, MadeOf, Wish, listed

SHORT = 16  # words; in a longer answer a clause is more likely to tell a story than to ask
FEWEST = 3  # words of a sentence that says on its own what is wanted, before or after a story
MOST_COURTESIES = 4
MOST_SUBJECT_WORDS = 8
CLEAR = {"may", "must", "interview", "question"}  # asked for, or named: not only a word for it
PASSING = {"next", "another", "pause", "prefernot", "later", "interview"}
MOVING = {"next", "another"}  # said in stories too, unless somebody asks for it
MORE = {"question", "more", "another"}
UNKNOWN = 3  # words that may stand beside what stories seldom ask for
LATER = {"later", "continue"}
TIMES = {"later", "minutes", "back", "give", "pause", "wait"}  # "It stops at five" is no wish
LEAVING = {"stop", "pause"}  # what people say at the end of a story
TOLD = {"said", "frame"}  # makes a wish somebody else's, or one for another time
SENTENCES = re.compile(r"(?<=[.!?…؟])\s+|\n+")
CLAUSES = re.compile(r"[.,;:!?¿¡…،؛؟—–\n()«»\"“”„]+|\s-\s")
VOWEL_SIGNS = re.compile("[\u064b-\u0652\u0670\u0640]")  # and the stroke that stretches a word
WRITTEN_ALIKE = str.maketrans("أإآٱىة", "اااايه")  # as many people write them
NAMELESS = {"light", "i", "may", "polite", "filler", "question"}  # "I won't talk about that"
MADE = frozenset(get_args(MadeOf))


class Read(NamedTuple):
    """What a clause may be meant as, of that what is unmistakable, and what is asked for.

    `empty`: only courtesy; `told`: it makes the words beside it somebody else's, or conditional;
    `urgent`: it speaks of a door, a telephone …
    """

    meant: frozenset[str] = frozenset()
    clear: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()
    empty: bool = False
    told: bool = False
    urgent: bool = False


@lru_cache(maxsize=1_024)
def plain(text: str) -> str:
    """Lower case, one kind of apostrophe, е for ё, no punctuation, single spaces.

    Arabic is read without its vowel signs, and without what is mostly left out in writing.
    """
    folded = unicodedata.normalize("NFKC", text).casefold().replace("ё", "е")
    folded = VOWEL_SIGNS.sub("", folded).translate(WRITTEN_ALIKE)
    folded = re.sub(r"[’‘`´]", "'", folded)
    return re.sub(r"[^\w']+", " ", folded).strip()


def clauses(text: str) -> list[str]:
    """The text cut at its punctuation, each part made plain."""
    return [part for raw in CLAUSES.split(text) if (part := plain(raw))]


# -- fillers and courtesies


@lru_cache(maxsize=256)
def bare(clause: str) -> str:
    """A plain clause without the fillers at its ends ("well, please …")."""
    said, places = senses(clause, ""), [one.span() for one in WORDS.finditer(clause)]
    first = sum(len(one.words.split()) for one in takewhile(lambda one: one.concepts, said))
    if first == len(places):
        return ""
    last = sum(len(one.words.split()) for one in takewhile(lambda one: one.concepts, said[::-1]))
    return clause[places[first][0] : places[-1 - last][1]]


def is_filler(clause: str) -> bool:
    return all(one.concepts for one in senses(clause, ""))


def is_courtesy(clause: str) -> bool:
    """Return whether a plain clause is up to four courtesies and nothing else."""
    said = senses(clause, "")
    return 0 < len(said) <= MOST_COURTESIES and all("polite" in one.concepts for one in said)


# -- wishes


def wishes(text: str, wish: Wish) -> bool:
    """Whether an answer clearly says so: as a whole, or in a sentence of its own."""
    if wish in MADE:
        return wish in _said(text)
    whole = plain(text)
    if not whole or len(whole.split()) > SHORT:
        return False
    if any(listed(wish, whole=True).fullmatch(form) for form in (whole, bare(whole))):
        return True
    parts = {form for clause in clauses(text) for form in (clause, bare(clause))}
    return any(listed(wish).fullmatch(form) for form in parts)


def wish_of(answer: str) -> Literal["", "withdraw", "pause", "stop"]:
    """Return what the participant clearly wants to do with the interview as a whole."""
    said = _said(answer)
    every: tuple[Literal["withdraw", "pause", "stop"], ...] = ("withdraw", "pause", "stop")
    return next((wish for wish in every if wish in said), "")


def only(text: str, *meant: Wish) -> bool:
    """Return whether the text says one of these and nothing else, courtesies aside.

    A courtesy alone ("Yes, please") is no wish.
    """
    if not is_courtesy(plain(text)) and _means_any(plain(text), meant):
        return True
    said = [one for one in clauses(text) if not (is_courtesy(one) or _read(one).empty)]
    asked = said or [clause for clause in clauses(text) if _means_any(clause, meant)]
    return bool(asked) and all(_means_any(clause, meant) for clause in asked)


def may_ask_for_more(text: str) -> bool:
    """Return whether a wish may leave room for one more question ("One more, then I must go")."""
    for clause in clauses(text):
        held = frozenset[str]().union(
            *(one.concepts for language in may_be_in(clause) for one in senses(clause, language))
        )
        if held & MORE or (_read(clause).empty and not (is_courtesy(clause) or is_filler(clause))):
            return True
    return False


def _means_any(clause: str, meant: Iterable[Wish]) -> bool:
    read = _read(clause)
    return any(one in read.meant if one in MADE else wishes(clause, one) for one in meant)


@lru_cache(maxsize=256)
def _said(text: str) -> frozenset[str]:
    """Return all wishes of an answer: all of it, its first or last sentence, or a question in it.

    In stories, people quote wishes: what stands among other words is none.
    """
    parts = [one for one in SENTENCES.split(text.strip()) if plain(one)]
    if not parts:
        return frozenset()
    short, last = len(text.split()) <= SHORT, _clauses(parts[-1])[-1]
    edges = [one for one in (parts[0], parts[-1]) if short or len(one.split()) >= FEWEST]
    found = _at_edge(parts[-1], -1) & last.clear & LEAVING
    found = found.union(*(_together(_clauses(one)).clear for one in edges))
    if short:
        every = _clauses(text)
        found |= _together([_together(_clauses(one)) for one in parts]).meant
        found |= _at_edge(parts[0], 0) | _at_edge(parts[-1], -1)
        found |= {wish for one in parts if one.endswith(("?", "؟")) for wish in _at_edge(one, -1)}
        if any("pause" in one.meant for one in every) and any(one.urgent for one in every):
            found |= {"pause"}  # called away: one says to wait, and another one why
    return found


def _at_edge(sentence: str, place: Literal[0, -1]) -> frozenset[str]:
    """Return what the first or the last clause asks for, unless others in it make it a story."""
    parts = _clauses(sentence)
    return frozenset() if any(one.told for one in parts) else parts[place].asked


def _clauses(text: str) -> list[Read]:
    return [_read(one) for one in clauses(text)]


def _together(parts: list[Read]) -> Read:
    """Return what all parts mean, those that only are polite aside."""
    telling = [one for one in parts if not one.empty]
    if not telling:
        return Read(empty=True)
    meant = frozenset.intersection(*(one.meant for one in telling))
    return Read(meant, meant & frozenset[str]().union(*(one.clear for one in telling)))


@lru_cache(maxsize=2_048)
def _read(clause: str) -> Read:
    """Read a plain clause in every language that it may be in."""
    if len(clause.split()) > SHORT:
        return Read()
    said = [senses(clause, one) for one in may_be_in(clause)]
    whole = [one for one in said if all(sense.concepts for sense in one)]
    read = [_read_in(one) for one in (whole[:1] or said)]  # "I stop" is English, not Italian
    meant = frozenset[str]().union(*(one.meant for one in read))
    clear = frozenset[str]().union(*(one.clear for one in read))
    asked = frozenset[str]().union(*(one.asked for one in read))
    empty = not meant and any(one.empty for one in read)
    told, urgent = any(one.told for one in read), any(one.urgent for one in read)
    return Read(meant, clear, asked, empty, told, urgent)


def _read_in(said: tuple[Sense, ...]) -> Read:
    held = frozenset[str]().union(*(one.concepts for one in said))
    found: dict[str, set[str]] = {"meant": set(), "clear": set(), "asked": set()}
    for wish in MADE:
        for rule in rules_for(wish):
            for how in _fits(rule, said, held):
                found[how].add(wish)
    empty = bool(said) and not found["meant"] and all(one.concepts & light() for one in said)
    meant, clear, asked = map(frozenset, found.values())
    return Read(meant, clear, asked, empty, bool(held & TOLD), "urgent" in held)


def _fits(rule: Rule, said: tuple[Sense, ...], held: frozenset[str]) -> tuple[str, ...]:
    if not rule.needs <= held or rule.without & held:
        return ()
    may = "may" in held
    beside = light() if rule.needs & TIMES else light() - TIMES
    others = sum(not one.concepts & (rule.needs | beside) for one in said)
    several = len(rule.needs) > 1
    if others:
        apart = any("may" in one.concepts and not one.concepts & rule.needs for one in said)
        passing = rule.needs & PASSING and (apart or not rule.needs & MOVING)
        asks = (may and passing) or rule.needs >= LATER
        turned = held & ({"past", "he", "frame", "said", "not"} - rule.needs)
        return ("asked",) if asks and others <= UNKNOWN and not turned else ()
    if several or "done" in rule.needs or held & CLEAR:
        asks = may or several
        return ("meant", "clear", "asked") if asks else ("meant", "clear")
    own = any(one.concepts >= {"i"} | rule.needs for one in said)
    # "I stop" is no wish
    habit = "i" in held - rule.needs and not own and rule.needs & {"stop", "skip", "pause"}
    return () if habit else ("meant",)


# -- a subject that is refused


def refused_subject(answer: str) -> str:
    """Return what a short answer refuses to talk about; empty if it doesn't refuse."""
    if len(answer.split()) > SHORT:
        return ""
    every = (_refused(clause, one) for clause in clauses(answer) for one in may_be_in(clause))
    return next(filter(None, every), "")


def _refused(clause: str, language: str) -> str:
    said = senses(clause, language)
    begin = next((at for at, one in enumerate(said) if "about" in one.concepts), None)
    if begin is None:
        return _own_business(said)
    core = frozenset[str]().union(*(rule.needs for rule in rules_for("privacy")))
    end = begin + 1
    while end < len(said) and not said[end].concepts & (core - {"private"}):
        end += 1
    kept = begin + ("say" in said[begin].concepts)  # "talk about"
    around = (*said[:kept], *said[end:])
    subject = " ".join(one.words for one in said[begin + 1 : end])
    named = _names(said[begin + 1 : end])
    if not named or len(subject.split()) > MOST_SUBJECT_WORDS or "he" in said[0].concepts:
        return ""
    read = _read_in(around)
    return subject if "privacy" in read.meant | read.asked else ""


def _names(subject: tuple[Sense, ...]) -> bool:
    return any(not one.concepts & NAMELESS for one in subject)


def _own_business(said: tuple[Sense, ...]) -> str:
    """Return the subject of "My marriage is nobody's business"."""
    end = next((at for at, one in enumerate(said) if "business" in one.concepts), 0)
    subject = [one.words for one in said[:end] if one.words not in ("is", "are")]
    named = _names(said[:end])
    return " ".join(subject) if named and "privacy" in _read_in(said[end:]).meant else ""
