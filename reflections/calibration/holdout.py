"""Choose the questions to hold out, and remove them from the transcript.

Sentences in answers that address whoever reads or scores them are not scored (`split_orders`).
"""

import random
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from pathlib import Path

from interviews.choices import SpeakerRole
from interviews.engine.language.sentences import spaced_sentences
from llm.tasks.yaml_files import read_yaml_file
from reflections.calibration.types import LEAST, MOST, HeldOutOptions
from reflections.evidence.injection import sentences
from reflections.evidence.transcript import Transcript, TranscriptLine

LEAST_WORDS = 3  # of an answer that says something
LEAST_LEFT = 3  # questions that remain for the replica to learn from
SHORT = 4  # letters; shorter words give nothing away
WORD = re.compile(r"[^\W_]+")


class TooFew(ValueError):
    """Too few questions were answered to hold some of them out."""


@dataclass(frozen=True)
class AnsweredQuestion:
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


def answered_questions(
    transcript: Transcript, script: Mapping[str, str]
) -> tuple[AnsweredQuestion, ...]:
    """Return the questions of `script` (key -> text) that have a real answer, in order."""
    found = (_answered_question(transcript, key, text) for key, text in script.items())
    return tuple(one for one in found if _is_real_answer(one.answer))


def _is_real_answer(answer: str) -> bool:
    return len(WORD.findall(split_orders(answer)[0])) >= LEAST_WORDS


def _answered_question(transcript: Transcript, key: str, text: str) -> AnsweredQuestion:
    lines = transcript.only(key).lines
    said = tuple(line for line in lines if line.role == SpeakerRole.PARTICIPANT)
    return AnsweredQuestion(key, lines[0].section if lines else "", text, said)


def choose_questions(
    questions: Sequence[AnsweredQuestion], options: HeldOutOptions
) -> tuple[AnsweredQuestion, ...]:
    """Return the questions to hold out, spread over the sections, in the interview's order.

    The same questions with the same options give the same choice. Raises TooFew.
    """
    count = held_out_count(len(questions), options.share)
    rng = random.Random(options.seed)  # noqa: S311  (a draw that can be made again)
    shuffled = _shuffled_by_section(questions, rng)
    start = rng.random()
    picked = {shuffled[int((i + start) * len(shuffled) / count)].key for i in range(count)}
    return tuple(one for one in questions if one.key in picked)


def held_out_count(answered: int, share: float) -> int:
    if answered < LEAST + LEAST_LEFT:
        raise TooFew(
            f"Questions with a real answer: {answered}. At least {LEAST + LEAST_LEFT} are needed, "
            f"{LEAST} to be held out and {LEAST_LEFT} to learn from."
        )
    return min(MOST, max(LEAST, round(answered * share)))


def _shuffled_by_section(
    questions: Sequence[AnsweredQuestion], rng: random.Random
) -> list[AnsweredQuestion]:
    ordered = sorted(questions, key=lambda one: one.section)
    drawn: list[AnsweredQuestion] = []
    for _, group in groupby(ordered, key=lambda one: one.section):
        shuffled = list(group)
        rng.shuffle(shuffled)
        drawn += shuffled
    return drawn


def remaining_transcript(
    transcript: Transcript, held: Sequence[AnsweredQuestion], script: Mapping[str, str]
) -> Transcript:
    """Return the transcript as if the questions in `held` had never been asked.

    The interviewer heard those answers and may take up their words later. Scripted questions
    therefore get the plan's words, and anything else the interviewer said is left out if it
    contains a word that only those answers do.
    """
    rest = transcript.without({one.key for one in held})
    known = words_of([*rest.answers.values(), *script.values()])
    secret = words_of(one.answer for one in held) - known
    return replace(rest, lines=tuple(_lines_without(rest.lines, script, secret)))


def words_of(texts: Iterable[str]) -> frozenset[str]:
    found = (word for text in texts for word in WORD.findall(text.casefold()))
    return frozenset(word for word in found if len(word) >= SHORT or word.isdigit())


def _lines_without(
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


POLITE = r"(?:(?:and|but|so|now|please|dear|e|ma|ora|per\s+favore|и|а|но|пожалуйста)[\s,]+)*"
OPENING = r"[\s\"'“”„«»‘’(\[<*#_-]*"


def split_orders(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the text without such sentences, and those sentences."""
    all_sentences = [sentence for line in text.splitlines() for sentence in spaced_sentences(line)]
    orders = tuple(sentence for sentence in all_sentences if _is_order(sentence))
    if not orders:
        return text, ()
    return " ".join(sentence for sentence in all_sentences if sentence not in orders), orders


def _is_order(sentence: str) -> bool:
    matched = _order_pattern().match(sentence) is not None
    return matched or any(one.order for one in sentences(sentence))


@cache
def _order_pattern() -> re.Pattern[str]:
    path = Path(__file__).with_name("injection.yaml")
    languages = read_yaml_file(path).values()
    who = "|".join(language["who"] for language in languages)
    what = "|".join(f"(?:{one})" for language in languages for one in language["what"])
    named = rf"(?:{who})\s*[:,!—–-]+\s*{POLITE}"  # never POLITE twice in a row, which takes ages
    return re.compile(rf"^{OPENING}{POLITE}(?:(?:{who})\s*:|(?:{named})?(?:{what}))", re.I)
