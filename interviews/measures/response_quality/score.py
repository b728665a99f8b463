"""The signs of each answer of an interview, put together: 1 - Π (1 - weight x strength)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from statistics import median

from interviews.engine.language.distress import in_distress
from interviews.engine.language.intents import meaning
from interviews.engine.language.wishes import plain, wishes
from interviews.engine.signal import word_count
from interviews.measures.response_quality import signs
from interviews.measures.response_quality.signs import WEIGHTS, Sign

HURRIED = 0.5  # from here on an answer is worth a second look
BRIEF = 25  # words; who says more has not refused
TELLING = 3  # answers; somebody's usual length is not known before


@dataclass(frozen=True, slots=True)
class Answer:
    """What was said to a question, and what is known of how."""

    text: str
    question: str
    language: str = "en"
    seconds: float | None = None  # from when the question began to appear
    pasted: int | None = None  # characters


@dataclass(frozen=True, slots=True)
class Effort:
    """0: nothing speaks for haste. The signs are those that do, the weightiest first."""

    score: float
    signs: tuple[Sign, ...] = ()

    @property
    def hurried(self) -> bool:
        """Whether it is worth a second look."""
        return self.score >= HURRIED


def rated(answers: Sequence[Answer]) -> list[Effort]:
    """The answers of one interview, in order."""
    usual = _usual(answers)
    asked = [answer.question for answer in answers]
    return [
        together(_strengths(answer, asked[: place + 1], usual, times))
        for place, (answer, times) in enumerate(zip(answers, _said_before(answers), strict=True))
    ]


def together(strengths: Mapping[Sign, float]) -> Effort:
    """One score of all signs: none lowers it, and none but a full one by itself decides."""
    seen = {sign: strength for sign, strength in strengths.items() if strength > 0}
    score = 1 - prod(1 - WEIGHTS[sign] * strength for sign, strength in seen.items())
    order = sorted(seen, key=lambda sign: -WEIGHTS[sign] * seen[sign])
    return Effort(round(score, 3), tuple(order))


def _strengths(
    answer: Answer, asked: Sequence[str], usual: float, times: int
) -> Mapping[Sign, float]:
    text, question, language = answer.text, answer.question, answer.language
    if straight(answer):
        return {}
    return {
        Sign.NO_WORDS: signs.no_words(text),
        Sign.COPY: signs.copy(text, asked),
        Sign.REPEATED: signs.repeated(text, times),
        Sign.PASTED: signs.pasted(text, answer.pasted),
        Sign.HURRIED: signs.hurried(answer.seconds, question, language),
        Sign.EMPTY: signs.empty(text, question),
        Sign.SHORT: signs.short(text, question, language, usual),
    }


def straight(answer: Answer) -> bool:
    """Whether it says plainly that there is no answer, asks back, or speaks of distress: that is
    no haste, however short it is.
    """
    text, question, language = answer.text, answer.question, answer.language
    if word_count(text, language) > BRIEF:
        return False
    if in_distress(text) or any(wishes(text, wish) for wish in ("skip", "privacy", "stop")):
        return True
    return meaning(text, language, question) is not None


def _usual(answers: Sequence[Answer]) -> float:
    """The median of their words; 0 while there are too few to tell."""
    lengths = [word_count(answer.text, answer.language) for answer in answers]
    return median(lengths) if len(lengths) >= TELLING else 0.0


def _said_before(answers: Sequence[Answer]) -> Iterator[int]:
    """Of each answer how many before were the same."""
    seen: Counter[str] = Counter()
    for answer in answers:
        said = plain(answer.text)
        yield seen[said]
        seen[said] += 1
