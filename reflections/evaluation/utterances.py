"""What an interviewer's questions look like: how they begin, their shape, what is put again.

By the words that both have said. Only “So”, words that begin a question and those that ask for a
last word are listed by language, in wording.yaml.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import chain, combinations, groupby, takewhile
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from rapidfuzz.distance import LCSseq

from interviews.choices import EntryKind, SessionStatus
from interviews.engine.guards import QUOTATION
from interviews.engine.language.terms import shared_terms, terms
from interviews.engine.language.wishes import clauses, plain
from llm.tasks.yaml_files import read_yaml_file
from plans.similarity import alike
from reflections.evaluation.interview import Reply, asking

WORDING = Path(__file__).with_name("wording.yaml")
TAKEN_UP, RECALLED = 2, 3  # words of the last answer, or of an earlier one, in the same order
RUN = 3  # words in a row that are a quotation …
ALONE = 4  # … and letters of a word in it that means something
MARK = re.compile(r"[,;:!—–،؛…](?=\s)")  # between clauses
LAST = 2  # questions
Shape = Literal["question", "reaction", "taken_up", "side_by_side"]
Pair = tuple[float, float]


@cache
def patterns(what: str, language: str) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of wording.yaml in a language."""
    listed = read_yaml_file(WORDING)[what]
    return tuple(map(re.compile, listed.get(language.split("-")[0], ())))


def utterance_counts(replies: Sequence[Reply], language: str, status: str) -> dict[str, Pair]:
    """Return the pairs of an interview's figures: a count, and of how many."""
    spoken = [one for one in replies if one.about_study and one.turn.number]
    answers = [
        [one.said for one in replies if one.turn.number <= own.turn.number] for own in spoken
    ]
    said = [(own.about_study, before) for own, before in zip(spoken, answers, strict=True)]
    shapes = [shape_of(*one, language) for one in said]
    found, of, so = Counter(shapes), len(said), patterns("so", language)
    echoes = sum(echoes_opening(one, before[-1], language) for one, before in said)
    opened = sum(one.match(plain(sentences[0])) is not None for sentences, _ in said for one in so)
    return {
        "echoes": (echoes, of),
        "so": (opened, of if so else 0),
        **{f"shape_{shape}": (found[shape], of) for shape in get_args(Shape)},
        "longest_run": (max((len([*run]) for _, run in groupby(shapes)), default=0), bool(of)),
        "put_again": (len(put_again(replies, language)), 1),
        "last_word": _last_word(replies, language, status),
    }


def _question(sentences: Sequence[str]) -> str:
    return (asking(sentences) or sentences)[-1]


# -- how they begin


def echoes_opening(sentences: Sequence[str], answer: str, language: str) -> bool:
    """Return whether an utterance begins with a piece of the answer before it asks."""
    before, first = _before_question(sentences, language), clauses(sentences[0])
    clause = next((one for one in before if _content(one, language)), "")
    quoted = any(one in before for one in _quoted(sentences[0], [answer]))
    return quoted or (clause in first and _echoes(clause, answer, language))


def shape_of(sentences: Sequence[str], answers: Sequence[str], language: str) -> Shape:
    """Return an utterance's shape by what stands before its question; their last answer is last.

    A sentence that takes up no words of theirs is a reaction, whatever it says.
    """
    before, (*earlier, last) = _before_question(sentences, language), answers
    found = [
        {n for n, one in enumerate(earlier) if _shared(clause, one, language) >= RECALLED}
        | ({len(earlier)} if _echoes(clause, last, language) else set())
        for clause in before
    ]
    sources = [one for one in found if one]
    quoted = _quoted(" ".join(sentences), answers)
    if len(quoted) > 1 or any(a.isdisjoint(b) for a, b in combinations(sources, 2)):
        return "side_by_side"
    if sources or not quoted.isdisjoint(before):
        return "taken_up"
    return "question" if sentences[0] == _question(sentences) else "reaction"


def _quoted(text: str, answers: Iterable[str]) -> set[str]:
    quoted = filter(None, map(plain, QUOTATION.findall(text)))
    return {one for one in quoted if any(f" {one} " in f" {plain(said)} " for said in answers)}


def _before_question(sentences: Sequence[str], language: str) -> list[str]:
    """Return the clauses before the question, also in its own sentence ("By then, who came?")."""
    question = _question(sentences)
    marks = [mark.end() for mark in MARK.finditer(question)]
    own = clauses(question[: marks[-1]]) if marks else []
    asks = any(one.match(own[0]) for one in patterns("asking", language)) if own else False
    before = takewhile(lambda one: one != question, sentences)
    return [*chain.from_iterable(map(clauses, before)), *([] if asks else own)]


def _echoes(clause: str, answer: str, language: str) -> bool:
    """Return whether a clause shares two words that mean something with an answer, or quotes it.

    A quotation is a run of words, or all of a short clause; “yes” and “no” are none.
    """
    words, said = clause.split(), f" {plain(answer)} "
    size = min(RUN, len(words))
    runs = [" ".join(words[n : n + size]) for n in range(len(words) - size + 1)]
    quotes = any(
        f" {run} " in said and any(len(one) >= ALONE for one in _content(run, language))
        for run in runs
    )
    return quotes or _shared(clause, answer, language) >= TAKEN_UP


def _shared(clause: str, answer: str, language: str) -> int:
    """Return how many words that mean something are in both in the same order; one counts as 0."""
    words, said = _content(clause, language), _content(answer, language)
    if len(words) < TAKEN_UP:
        return 0
    same = [next(iter(shared_terms(frozenset(words), frozenset((one,)))), one) for one in said]
    return int(LCSseq.similarity(words, same))


@lru_cache(maxsize=1_024)
def _content(text: str, language: str) -> tuple[str, ...]:
    return tuple(stem for word in plain(text).split() for stem in terms(word, language))


# -- what is put again, and the end


def put_again(replies: Sequence[Reply], language: str) -> list[Reply]:
    """Return the replies that ask what was answered fully before, in whatever words.

    A question in other words after a request doesn't count: nothing had answered it.
    """
    found: list[Reply] = []
    answered: list[Asked] = []
    asked: Asked | None = None
    for reply in replies:
        if reply.answered_fully and asked:
            answered.append(asked)
        if reply.about_study:
            asked = _asked(reply.about_study, language)
            found += [reply] * any(_is_same(asked, one) for one in answered)
    return found


class Asked(NamedTuple):
    """A question with what stands before it if it names nothing; and the things it is about.

    “What's that like for you?” is another question each time.
    """

    text: str
    things: frozenset[str]


def _asked(sentences: Sequence[str], language: str) -> Asked:
    question, whole = _question(sentences), " ".join(sentences)
    named = _content(question, language)
    text = question if named else whole if _content(whole, language) else ""
    quotes = QUOTATION.findall(question if len(named) > 1 else whole)
    return Asked(text, frozenset(map(plain, quotes)))


def _is_same(one: Asked, earlier: Asked) -> bool:
    same_things = bool(one.text) and one.things == earlier.things
    return same_things and alike(one.text, earlier.text)


def _last_word(replies: Sequence[Reply], language: str, status: str) -> Pair:
    """Return whether a last word was asked for at the end of an interview that nobody stopped.

    One question may follow, about what was told then.
    """
    asked = {_question(one.about_study): one for one in replies if one.about_study}
    closes = [_closes(text, one, language) for text, one in asked.items()]
    counts = status == SessionStatus.COMPLETED and bool(patterns("closing", language))
    return counts and any(closes[-LAST:]), counts


def _closes(question: str, reply: Reply, language: str) -> bool:
    if any(entry.kind == EntryKind.LAST_QUESTION for entry in reply.entries):
        return True
    own = plain(QUOTATION.sub("", question))
    return any(one.search(own) for one in patterns("closing", language))
