"""The signs of low effort in each answer, combined: 1 - Π (1 - weight x strength)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from statistics import median

from interviews.engine.language.distress import in_distress
from interviews.engine.language.intents import meaning
from interviews.engine.language.wishes import wishes
from interviews.engine.signal import word_count
from interviews.measures.response_quality import signs
from interviews.measures.response_quality.signs import WEIGHTS, Sign, said_plain

HURRIED = 0.5  # score from which an answer is worth a second look
BRIEF = 25  # words; longer answers aren't refusals
TELLING = 3  # answers needed to know somebody's usual length


@dataclass(frozen=True, slots=True)
class Answer:
    text: str
    question: str
    language: str = "en"
    seconds: float | None = None  # from when the question began to appear
    pasted: int | None = None  # characters


@dataclass(frozen=True, slots=True)
class Effort:
    """A score from 0 (no sign of haste) to 1; the signs are sorted by weight, the highest first."""

    score: float
    signs: tuple[Sign, ...] = ()

    @property
    def hurried(self) -> bool:
        return self.score >= HURRIED


def rate_answers(answers: Sequence[Answer]) -> list[Effort]:
    return [rate_latest(answers[: place + 1]) for place in range(len(answers))]


def rate_latest(answers: Sequence[Answer]) -> Effort:
    """Rate the last answer against those before it."""
    answer = answers[-1]
    text, asked = said_plain(answer.text), [one.question for one in answers]
    times = sum(said_plain(earlier.text) == text for earlier in answers[:-1])
    return combine(_strengths(answer, asked, _usual_length(answers), times))


def combine(strengths: Mapping[Sign, float]) -> Effort:
    seen = {sign: strength for sign, strength in strengths.items() if strength > 0}
    score = 1 - prod(1 - WEIGHTS[sign] * strength for sign, strength in seen.items())
    order = sorted(seen, key=lambda sign: -WEIGHTS[sign] * seen[sign])
    return Effort(round(score, 3), tuple(order))


def _strengths(
    answer: Answer, asked: Sequence[str], usual: float, times: int
) -> Mapping[Sign, float]:
    text, question, language = answer.text, answer.question, answer.language
    if is_plain_refusal(answer):
        return {}
    return {
        Sign.NO_WORDS: signs.no_words(text, language),
        Sign.COPY: signs.copy(text, asked),
        Sign.REPEATED: signs.repeated(text, times),
        Sign.PASTED: signs.pasted(text, answer.pasted),
        Sign.HURRIED: signs.hurried(answer.seconds, question, language),
        Sign.EMPTY: signs.empty(text, question),
        Sign.SHORT: signs.short(text, question, language, usual),
    }


def is_plain_refusal(answer: Answer) -> bool:
    """Whether it plainly declines, asks back or speaks of distress, and so isn't hasty if short."""
    text, question, language = answer.text, answer.question, answer.language
    if word_count(text, language) > BRIEF:
        return False
    if in_distress(text) or any(wishes(text, wish) for wish in ("skip", "privacy", "stop")):
        return True
    return meaning(text, language, question) != ""


def _usual_length(answers: Sequence[Answer]) -> float:
    lengths = [word_count(answer.text, answer.language) for answer in answers]
    return median(lengths) if len(lengths) >= TELLING else 0.0
