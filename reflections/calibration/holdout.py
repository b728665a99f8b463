"""Which questions are held out of an interview, and what remains as if they were never asked."""

import random
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from interviews.choices import SpeakerRole
from reflections.calibration.injection import without_orders
from reflections.calibration.types import LEAST, MOST, HeldOutOptions
from reflections.evidence.transcript import Transcript, TranscriptLine

LEAST_WORDS = 3  # of an answer that says something
LEAST_LEFT = 3  # questions from which the replica still learns
SHORT = 4  # letters; shorter words give nothing away
WORD = re.compile(r"[^\W_]+")


class TooFew(ValueError):
    """Too few questions were answered to hold some of them out; the text says so."""


@dataclass(frozen=True)
class AnsweredQuestion:
    """One question as the script has it, with all that was answered while it was open."""

    key: str
    section: str
    text: str
    answers: tuple[TranscriptLine, ...]

    @property
    def answer(self) -> str:
        return "\n".join(line.text for line in self.answers)

    @property
    def positions(self) -> tuple[int, ...]:
        return tuple(line.position for line in self.answers)


def answered(transcript: Transcript, script: Mapping[str, str]) -> tuple[AnsweredQuestion, ...]:
    """The script's questions with a real answer, in order. `script`: key -> the plan's words."""
    found = (_asked(transcript, key, text) for key, text in script.items())
    return tuple(one for one in found if _says_something(one.answer))


def _says_something(answer: str) -> bool:
    return len(WORD.findall(without_orders(answer)[0])) >= LEAST_WORDS


def _asked(transcript: Transcript, key: str, text: str) -> AnsweredQuestion:
    lines = transcript.only(key).lines
    said = tuple(line for line in lines if line.role == SpeakerRole.PARTICIPANT)
    return AnsweredQuestion(key, lines[0].section if lines else "", text, said)


def chosen(
    questions: Sequence[AnsweredQuestion], options: HeldOutOptions
) -> tuple[AnsweredQuestion, ...]:
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


def _section_by_section(
    questions: Sequence[AnsweredQuestion], chance: random.Random
) -> list[AnsweredQuestion]:
    """All of them, in an order by chance within each section."""
    ordered = sorted(questions, key=lambda one: one.section)
    drawn: list[AnsweredQuestion] = []
    for _, group in groupby(ordered, key=lambda one: one.section):
        drawn += _shuffled(group, chance)
    return drawn


def _shuffled(group: Iterable[AnsweredQuestion], chance: random.Random) -> list[AnsweredQuestion]:
    them = list(group)
    chance.shuffle(them)
    return them


def remaining(
    transcript: Transcript, held: Sequence[AnsweredQuestion], script: Mapping[str, str]
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
    lines: Iterable[TranscriptLine], script: Mapping[str, str], secret: Collection[str]
) -> Iterable[TranscriptLine]:
    opened: set[str] = set()
    for line in lines:
        if line.role == SpeakerRole.PARTICIPANT:
            yield line
        elif line.question in script and line.question not in opened:
            opened.add(line.question)
            yield replace(line, text=script[line.question])
        elif not words_of([line.text]) & frozenset(secret):
            yield line
