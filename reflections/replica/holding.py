"""Which questions are held out of an interview, and what remains as if they were never asked."""

import random
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from interviews.words import Role
from reflections.evidence.transcript import Line, Transcript
from reflections.replica.orders import without_orders
from reflections.replica.types import LEAST, MOST, HeldOutOptions

LEAST_WORDS = 3  # of an answer that says something
LEAST_LEFT = 3  # questions from which the replica still learns
SHORT = 4  # letters; shorter words give nothing away
WORD = re.compile(r"[^\W_]+")


class TooFew(ValueError):
    """Too few questions were answered to hold some of them out; the text says so."""


@dataclass(frozen=True)
class Asked:
    """One question as the script has it, with all that was answered while it was open."""

    key: str
    section: str
    text: str
    answers: tuple[Line, ...]

    @property
    def answer(self) -> str:
        """All of it."""
        return "\n".join(line.text for line in self.answers)

    @property
    def positions(self) -> tuple[int, ...]:
        """Where it stands."""
        return tuple(line.position for line in self.answers)


def answered(transcript: Transcript, script: Mapping[str, str]) -> tuple[Asked, ...]:
    """The script's questions with a real answer, in order. `script`: key -> the plan's words."""
    found = (_asked(transcript, key, text) for key, text in script.items())
    return tuple(one for one in found if _says_something(one.answer))


def _says_something(answer: str) -> bool:
    return len(WORD.findall(without_orders(answer)[0])) >= LEAST_WORDS


def _asked(transcript: Transcript, key: str, text: str) -> Asked:
    lines = transcript.only(key).lines
    said = tuple(line for line in lines if line.role == Role.PARTICIPANT)
    return Asked(key, lines[0].section if lines else "", text, said)


def chosen(questions: Sequence[Asked], options: HeldOutOptions) -> tuple[Asked, ...]:
    """Those to be held out, spread over the sections, in the order of the interview.

    The same questions with the same options give the same ones. Raises TooFew.
    """
    count = how_many(len(questions), options.share)
    chance = random.Random(options.seed)  # noqa: S311  (a draw that can be made again)
    drawn = _section_by_section(questions, chance)
    start = chance.random()
    picked = {drawn[int((i + start) * len(drawn) / count)].key for i in range(count)}
    return tuple(one for one in questions if one.key in picked)


def how_many(answered_: int, share: float) -> int:
    """How many of the answered questions are held out. Raises TooFew."""
    if answered_ < LEAST + LEAST_LEFT:
        raise TooFew(
            f"Questions with a real answer: {answered_}. At least {LEAST + LEAST_LEFT} are needed, "
            f"{LEAST} to be held out and {LEAST_LEFT} to learn from."
        )
    return min(MOST, max(LEAST, round(answered_ * share)))


def _section_by_section(questions: Sequence[Asked], chance: random.Random) -> list[Asked]:
    """All of them, in an order by chance within each section."""
    ordered = sorted(questions, key=lambda one: one.section)
    drawn: list[Asked] = []
    for _, group in groupby(ordered, key=lambda one: one.section):
        drawn += _shuffled(group, chance)
    return drawn


def _shuffled(group: Iterable[Asked], chance: random.Random) -> list[Asked]:
    them = list(group)
    chance.shuffle(them)
    return them


def remaining(
    transcript: Transcript, held: Sequence[Asked], script: Mapping[str, str]
) -> Transcript:
    """The transcript as if these had never been asked.

    The interviewer heard the answers that are held out and may take up their words later on.
    Scripted questions therefore stand in the plan's words, and what else the interviewer said is
    left out where it holds a word that only those answers do.
    """
    rest = transcript.without({one.key for one in held})
    known = words_of([*rest.answers.values(), *script.values()])
    secret = words_of(one.answer for one in held) - known
    return replace(rest, lines=tuple(_unknowing(rest.lines, script, secret)))


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """The words in them that are long enough to say something."""
    found = (word for text in texts for word in WORD.findall(text.casefold()))
    return frozenset(word for word in found if len(word) >= SHORT or word.isdigit())


def _unknowing(
    lines: Iterable[Line], script: Mapping[str, str], secret: Collection[str]
) -> Iterable[Line]:
    opened: set[str] = set()
    for line in lines:
        if line.role == Role.PARTICIPANT:
            yield line
        elif line.question in script and line.question not in opened:
            opened.add(line.question)
            yield replace(line, text=script[line.question])
        elif not words_of([line.text]) & frozenset(secret):
            yield line
